// The processes that a launcher has started: `mpirun -n 4 warpfront study ...`, or `srun --mpi=pmix`. How many there are and
// which this one is stands in the environment; they share files alone, so MPI is not needed.
#pragma once

#include <cstdint>

namespace warpfront::tools {

struct LaunchedProcesses {
    std::uint32_t index = 0;
    std::uint32_t count = 1;
    std::uint32_t on_this_computer = 1;  // this one included
};

/// The processes that the environment names; one process where it names no launcher.
LaunchedProcesses launched_processes();

}  // namespace warpfront::tools
