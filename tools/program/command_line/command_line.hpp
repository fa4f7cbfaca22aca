// The command line of `warpfront`: options, help and exit statuses.
#pragma once

namespace warpfront::tools {

/// Runs one sub-command and returns its exit status (contract: 0 done, 1 the run failed, 2 bad input, 3 an internal
/// fault). Several processes that a launcher of MPI has started share the points of `study`; process 0 alone prints.
/// All other commands refuse several processes.
int command_line(int argc, const char* const* argv);

}  // namespace warpfront::tools
