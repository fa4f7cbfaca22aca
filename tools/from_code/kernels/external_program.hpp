// External programs that this library calls: valgrind, nm, objdump, gcov, and the user's own.
#pragma once

#include <string>

#include "simulator/process/external_program.hpp"

namespace warpfront::kernels {

using process::Invocation;
using process::Outcome;
using process::ScratchFolder;

/// Runs a program. Throws BadInput (missing_program) with the Debian package of the program if it cannot be started;
/// engine::Interrupted if a signal arrived meanwhile.
Outcome run_program(const Invocation& invocation);

/// Returns the last lines of a program's output, for the message of its fault.
std::string last_words(const Outcome& outcome);

}  // namespace warpfront::kernels
