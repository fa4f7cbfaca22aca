// Text of unknown origin for a terminal: control characters and bytes that are not UTF-8 become U+FFFD, and long text
// is cut. A report of any file therefore stays one readable line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpfront::input {

/// The length in bytes of the valid UTF-8 sequence at the front of `text`; 0 if there is none.
std::size_t utf8_sequence(std::string_view text);

/// One entry per code point (or per bad byte), each escaped; tabs are kept.
using CodePoints = std::vector<std::string_view>;
CodePoints printable_code_points(std::string_view text);

/// At most `limit` code points, then "...".
std::string escaped(std::string_view text, std::size_t limit);

}  // namespace warpfront::input
