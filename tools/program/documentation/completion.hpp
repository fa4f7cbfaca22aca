// Completion of `warpfront` for two shells: sub-commands, options, and their values where possible.
#pragma once

#include <string>

#include "tools/program/documentation/program_text.hpp"

namespace warpfront::documentation {

std::string bash_completion(const ProgramText& program);

/// Returns the script for zsh, including the help of options.
std::string zsh_completion(const ProgramText& program);

}  // namespace warpfront::documentation
