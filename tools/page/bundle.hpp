// The script and the style of the page, made by page/bundle.js from the modules in page/ and carried by the program.
#pragma once

#include <string_view>

namespace warpfront::tools {

std::string_view page_script();
std::string_view page_style();
/// What a served page runs after it.
std::string_view served_script();

}  // namespace warpfront::tools
