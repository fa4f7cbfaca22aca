// GOAL, the schedules of LogGOPSim, as recorded runs:
//
//   num_ranks 2
//   rank 0 {
//     l1: calc 100                    nanoseconds
//     l2: send 10b to 1 tag 4         the tag may be missing (0); so may `cpu 0` and `nic 0` behind it
//     l3: recv 10b from 1 tag 5       `from -1` is any source, `tag -1` any tag
//     l2 requires l1                  begins when l1 has ended
//     l3 irequires l2                 begins when l2 has begun
//   }
//
// with comments `// ...` and `/* ... */`. Bits 24 and up of a tag are the communicator's number; its ranks are unknown,
// so each communicator has all ranks. If a receive takes messages of any tag, tags are whole. A schedule is a partial
// order; a rank program is sequential. So operations begin in an order in which messages precede computing and both
// follow the order of the file, and the requirements of an operation are waited for before it. If another operation
// without this requirement would begin after the wait, the schedule is refused, since this operation may begin earlier.
// Receives that are waited for together end in the order in which their messages arrive.
// Receives from one source with one tag whose sizes do not decrease complete in order, so a step that requires
// the later ones may also wait for the earlier ones. Of the patterns of schedgen, (n-way) dissemination, the double
// ring and the allreduce by recursive doubling are refused, since two receives of a rank may end in either order, and a
// different operation follows each. Computing uses the one processor of a rank, so other processors (`cpu 1`) are
// refused.
#pragma once

#include <string_view>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::trace {

/// Returns true if the first word is `num_ranks`.
bool is_goal(std::string_view text);

/// Reads a schedule. Errors: goal_syntax, goal_order, unknown_name, duplicate_name, peer_outside, self_message,
/// out_of_range, trace_too_large.
RecordedRun read_goal(const input::SourceFilePtr& source, const input::SourceRange& mentioned_at, const TakeRank& take);

}  // namespace warpfront::trace
