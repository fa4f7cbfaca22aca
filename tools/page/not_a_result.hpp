// The fault of a file that the page cannot show.
#pragma once

#include <cstddef>
#include <string_view>

#include "simulator/input/source.hpp"

namespace warpfront::tools {

/// "`r.json` is no result: it names no schema": `observation` follows the name of the file. Throws BadInput (not_a_result).
[[noreturn]] void refuse_result(const input::SourceFilePtr& file, std::size_t offset, std::string_view observation);

}  // namespace warpfront::tools
