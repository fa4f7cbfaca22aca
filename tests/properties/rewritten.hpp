// Random programs rewritten: the same messages with other instructions.
#pragma once

#include "simulator/program/program.hpp"

namespace warpfront::test {

/// Returns the program with each send begun before the work in front of it, and waited for where its stretch of code
/// ends.
program::Program with_sends_begun(program::Program program);

/// Returns the program in which adjacent receives take their messages in the order of arrival, from any of their
/// sources, and adjacent waits end in the order of arrival. Every third send of a class is synchronous.
program::Program with_choices(program::Program program);

/// Returns a program with choices whose receives from any source are posted before the work and the sends in front of
/// them; of several adjacent ones every second group is waited for in reverse.
program::Program with_open_receives(program::Program program);

/// Returns `program` with each receive from any source posted, and waited for at once.
program::Program posted_and_waited_for(program::Program program);

}  // namespace warpfront::test
