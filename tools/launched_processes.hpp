// The processes that a launcher of MPI has started: `mpirun -n 4 warpfront ...`.
//
// MPI lies in a library of its own (simulator/mpi), loaded beside the program or from its ../lib/warpfront, so the program
// needs no MPI elsewhere. The library sees its own MPI first: libsimgrid has functions of the same names.
#pragma once

#include "simulator/engine/process_group.hpp"

namespace warpfront::tools {

class LaunchedProcesses {
public:
    /// None where the environment does not name a launcher (OMPI_COMM_WORLD_SIZE, PMIX_RANK). Throws std::runtime_error
    /// where it does and MPI cannot be loaded.
    LaunchedProcesses();
    LaunchedProcesses(const LaunchedProcesses&) = delete;
    LaunchedProcesses& operator=(const LaunchedProcesses&) = delete;
    /// Ends MPI.
    ~LaunchedProcesses();

    /// Null: none.
    engine::ProcessGroup* group() const { return group_; }

private:
    void* library_ = nullptr;
    engine::ProcessGroup* group_ = nullptr;
};

}  // namespace warpfront::tools
