// The man page warpfront(1), in the macros of man(7).
#pragma once

#include <string>

#include "tools/documentation/program_text.hpp"

namespace warpfront::documentation {

std::string man_page(const ProgramText& program);

}  // namespace warpfront::documentation
