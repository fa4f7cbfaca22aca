// Completion of `warpfront` for zsh: sub-commands, options with their help, and values as far as they are known.
#pragma once

#include <string>

#include "tools/documentation/program_text.hpp"

namespace warpfront::documentation {

std::string zsh_completion(const ProgramText& program);

}  // namespace warpfront::documentation
