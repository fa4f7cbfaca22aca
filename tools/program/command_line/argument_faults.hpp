// Diagnostics for CLI11's errors on a command line: the given word, the expected one, the nearest name.
#pragma once

#include <CLI/CLI.hpp>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::tools {

/// Returns the sub-command on the command line, or the program itself if there is none.
const CLI::App& command_given(const CLI::App& program);

/// Adds the diagnostics of `error` to `faults` (bad_option).
void explain(const CLI::ParseError& error, const CLI::App& program, input::Diagnostics& faults);

}  // namespace warpfront::tools
