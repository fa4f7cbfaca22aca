// A program as SimGrid's time-independent traces: one text per rank, one action per line, as `smpirun -replay` reads
// them. Here computing is counted in picoseconds: on a host of 1 Tflop/s a flop is one.
//
//   RANK init                    first
//   RANK compute PS
//   RANK send PEER TAG BYTES     blocking
//   RANK recv PEER TAG BYTES
//   RANK irecv PEER TAG BYTES    the IR's post
//   RANK isend PEER TAG BYTES
//   RANK wait FROM TO TAG        for an irecv, the IR's await, or for an isend, its await_sent
//   RANK finalize                last
//
// Loops are unrolled, allreduces written as the messages they are made of (network/allreduce.hpp), marks of iterations
// left out. Tags are numbered from 0 in ascending order, MPI having none below; those of an allreduce's steps follow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/network/allreduce.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::trace {

class Writer {
public:
    /// `program` must outlive it.
    explicit Writer(const program::Program& program);

    /// Lines of all ranks; throws std::overflow_error where they cannot be counted.
    std::uint64_t lines() const;

    std::string text_of(Rank rank) const;

private:
    const program::Program& program_;
    network::RecursiveDoubling doubling_;
    std::vector<std::int32_t> tags_;  // of the program, ascending
};

}  // namespace warpfront::trace
