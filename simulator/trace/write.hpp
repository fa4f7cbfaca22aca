// A program as SimGrid's time-independent traces: one text per rank, one action per line, as read by `smpirun -replay`.
// Computation is counted in picoseconds: on a host of 1 Tflop/s one flop takes one.
//
//   RANK init                    first
//   RANK compute PS
//   RANK send PEER TAG BYTES     blocking
//   RANK recv PEER TAG BYTES
//   RANK irecv PEER TAG BYTES
//   RANK isend PEER TAG BYTES
//   RANK wait FROM TO TAG        the IR's wait_recv or wait_send
//   RANK finalize                last
//
// Loops are unrolled, allreduces are written as their messages (collectives/recursive_doubling.hpp), and the ends of
// iterations (Op::iteration) are left out. Tags are numbered from 0 in ascending order, since MPI has none below 0; the
// tags of an allreduce's steps follow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/collectives/recursive_doubling.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/random.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::trace {

class Writer {
public:
    /// Makes a writer; `program` must outlive it. Blocks have the durations that `noise` gives them, except its
    /// periodic noise: a trace has no times, and this noise depends on the beginning of a block.
    explicit Writer(const program::Program& program, variation::Noise noise = {}, Seed seed = {});

    /// Returns the number of lines of all ranks; throws std::overflow_error if they cannot be counted.
    std::uint64_t lines() const;

    /// Returns the text of a rank. Throws std::overflow_error if a block, including noise, is too long.
    std::string text_of(Rank rank) const;

private:
    const program::Program& program_;
    variation::ComputeTime compute_time_;
    std::vector<std::uint32_t> first_instructions_;  // index of the first instruction, by class
    collectives::RecursiveDoubling doubling_;
    std::vector<std::int32_t> tags_;  // tags of the program, ascending
};

}  // namespace warpfront::trace
