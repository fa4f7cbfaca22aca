// The processes that a launcher of MPI has started: `mpirun -n 4 warpfront ...`, or `srun --mpi=pmix`.
//
// How many there are and which this one is stands in the environment; MPI itself is loaded where processes step a machine
// together. It lies in a library of its own (simulator/mpi), beside the program or in its ../lib/warpfront, so the program
// needs no MPI elsewhere. The library sees its own MPI first: libsimgrid has functions of the same names.
#pragma once

#include <cstdint>

#include "simulator/engine/process_group.hpp"

namespace warpfront::tools {

class LaunchedProcesses {
public:
    /// As the environment says; one process where no launcher is named there.
    LaunchedProcesses();
    LaunchedProcesses(const LaunchedProcesses&) = delete;
    LaunchedProcesses& operator=(const LaunchedProcesses&) = delete;
    /// Ends MPI where it was loaded.
    ~LaunchedProcesses();

    bool several() const { return count_ > 1; }
    std::uint32_t index() const { return index_; }
    std::uint32_t count() const { return count_; }
    /// Of these so many are on this computer, this one included.
    std::uint32_t on_this_computer() const { return on_this_computer_; }

    /// Joins the others, with the first call. Throws std::runtime_error where MPI cannot be loaded.
    engine::ProcessGroup& join();
    /// Null where this process has not joined the others.
    engine::ProcessGroup* group() const { return group_; }

private:
    std::uint32_t index_ = 0;
    std::uint32_t count_ = 1;
    std::uint32_t on_this_computer_ = 1;
    void* library_ = nullptr;
    engine::ProcessGroup* group_ = nullptr;
};

}  // namespace warpfront::tools
