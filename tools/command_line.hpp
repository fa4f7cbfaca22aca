// The command line of `warpfront`: options, help, and the exit status of whatever happens.
#pragma once

namespace warpfront::tools {

/// Runs one sub-command to its exit status (contract: 0 done, 1 the run failed, 2 bad input, 3 an internal fault).
/// Of several processes that a launcher of MPI has started, process 0 alone prints and writes; the machine of `run` they
/// step together, the points of `study` they share, of every other command process 0 does all the work.
int command_line(int argc, const char* const* argv);

}  // namespace warpfront::tools
