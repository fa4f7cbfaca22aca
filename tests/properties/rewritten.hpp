// Random programs rewritten: the same messages by other instructions.
#pragma once

#include "simulator/program/program.hpp"

namespace warpfront::test {

/// Each send begun before the work that stands before it, and waited for where its stretch of code ends.
program::Program with_sends_begun(program::Program program);

/// Receives that stand together take their messages as they come, from any of their sources; waits that stand together
/// end as their messages come. Every third send of a class is synchronous.
program::Program with_choices(program::Program program);

/// A program with choices whose receives from any source are posted, before the work and the sends that stand before
/// them; of several that stand together every second group is waited for in reverse.
program::Program with_open_receives(program::Program program);

/// Each receive from any source of `program` posted, and waited for at once.
program::Program posted_and_waited_for(program::Program program);

}  // namespace warpfront::test
