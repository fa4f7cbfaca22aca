// Text of unknown origin made fit for a terminal: control characters and bytes that are not UTF-8 become U+FFFD, long
// text is cut. Whatever a user's file holds, a report of it stays one readable line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpfront::input {

/// The length in bytes of the valid UTF-8 sequence at the front of `text`; 0 where there is none.
std::size_t utf8_sequence(std::string_view text);

/// One entry per code point (or per bad byte), each escaped; tabs are kept.
using CodePoints = std::vector<std::string_view>;
CodePoints printable_code_points(std::string_view text);

/// At most `limit` code points, then "...".
std::string escaped(std::string_view text, std::size_t limit);

}  // namespace warpfront::input
