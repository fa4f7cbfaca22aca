// The processes that `mpirun` or `srun --mpi=pmix` has started, as a group that steps one machine (MPI 3.1, sections 3.7,
// 8.7 and 12.4).
//
// A message goes in one piece if it is short, else in two: the first has its whole length in front, so the receiver has
// room for the rest. What a process sends another, all others, or nobody, costs it one receive and one send per process
// and round: meant for tens of processes, not for thousands.
//
// The file is a library of its own, loaded where it is needed (tools/launched_processes.hpp).
//
// One thread at a time, which may be another from round to round (MPI_THREAD_SERIALIZED).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include "simulator/engine/process_group.hpp"

namespace warpfront::mpi {

class MpiGroup final : public engine::ProcessGroup {
public:
    /// MPI is initialised. A fault of MPI itself ends all processes.
    MpiGroup();

    std::uint32_t index() const override { return index_; }
    std::uint32_t count() const override { return count_; }
    std::uint32_t on_this_computer() const override { return on_this_computer_; }
    void exchange(const std::vector<Message>& out, std::vector<Message>& in) override;

private:
    static constexpr std::size_t kFirstPiece = 16384;
    struct Piece {
        std::uint64_t length = 0;  // of the whole message
        std::array<std::byte, kFirstPiece> bytes;
    };

    void send(std::uint32_t to, const Message& message);
    void receive_rest(std::uint32_t from, Message& message);

    std::uint32_t index_ = 0;
    std::uint32_t count_ = 1;
    std::uint32_t on_this_computer_ = 1;
    std::vector<Piece> sent_;  // by process
    std::vector<Piece> received_;
    std::vector<MPI_Request> sends_;
    std::vector<MPI_Request> receives_;  // by process
};

}  // namespace warpfront::mpi

/// The group of all processes; there is one until the program ends. Null where this MPI does not let threads take turns.
extern "C" warpfront::engine::ProcessGroup* warpfront_mpi_group();
/// All processes have done all rounds.
extern "C" void warpfront_mpi_end();
