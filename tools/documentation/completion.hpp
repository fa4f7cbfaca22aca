// Completion of `warpfront` for two shells: sub-commands, options, and values as far as they are known.
#pragma once

#include <string>

#include "tools/documentation/program_text.hpp"

namespace warpfront::documentation {

std::string bash_completion(const ProgramText& program);

/// With the help of options.
std::string zsh_completion(const ProgramText& program);

}  // namespace warpfront::documentation
