// Lines of a text being laid out: their indentation, the places where they may break, the comments that trail them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpfront::psl {

inline constexpr std::size_t kIndent = 4;  // columns of a block, and of a continued line

struct LayoutLine {
    std::size_t indent = 0;  // columns
    std::string text;
    std::vector<std::size_t> breaks;  // offsets in `text` at which a continuation may begin
    std::string comment;              // trails the line
    bool blank_before = false;
};

/// Breaks long lines, and aligns the comments of each paragraph.
std::string rendered(const std::vector<LayoutLine>& lines);

}  // namespace warpfront::psl
