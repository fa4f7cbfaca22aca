// The command line of `warpfront`: options, help, and the exit status of whatever happens.
#pragma once

#include "simulator/engine/process_group.hpp"

namespace warpfront::tools {

/// Runs one sub-command to its exit status (contract: 0 done, 1 the run failed, 2 bad input, 3 an internal fault).
/// `processes`: those that a launcher of MPI has started, where it has. They step the machine of `run` together; of every
/// other command process 0 does all the work. It alone prints and writes; all end with the same status.
int command_line(int argc, const char* const* argv, engine::ProcessGroup* processes = nullptr);

}  // namespace warpfront::tools
