// Programs that this room calls: valgrind, nm, objdump, gcov, and the user's own.
#pragma once

#include <string>

#include "simulator/process/external_program.hpp"

namespace warpfront::kernels {

using process::Invocation;
using process::Outcome;
using process::ScratchFolder;

/// Throws BadInput (missing_program) naming the Debian package that has the program if it cannot be started;
/// engine::Interrupted if a signal came meanwhile.
Outcome run_program(const Invocation& invocation);

/// The last lines that a program has said, for the reader of its fault.
std::string last_words(const Outcome& outcome);

}  // namespace warpfront::kernels
