// What CLI11 objects to on a command line, as faults: what was given, what is expected, the nearest name.
#pragma once

#include <CLI/CLI.hpp>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::tools {

/// The sub-command on the command line, or the program itself where there is none.
const CLI::App& command_given(const CLI::App& program);

/// Adds what was wrong to `faults` (bad_option).
void explain(const CLI::ParseError& error, const CLI::App& program, input::Diagnostics& faults);

}  // namespace warpfront::tools
