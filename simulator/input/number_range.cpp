#include "simulator/input/number_range.hpp"

#include <array>
#include <cstddef>

#include "simulator/input/decimal.hpp"

namespace warpfront::input {

std::optional<NumberRange> number_range(std::string_view text) {
    std::array<std::int64_t, 3> numbers{0, 0, 1};
    for (std::size_t k = 0;; ++k) {
        const std::size_t end = text.find("..");
        const auto number = number_of<std::int64_t>(text.substr(0, end));
        if (!number || k == numbers.size()) return std::nullopt;
        numbers.at(k) = *number;
        if (k == 0) numbers[1] = *number;
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 2);
    }
    const NumberRange range{numbers[0], numbers[1], numbers[2]};
    if (range.last < range.first || range.step < 1) return std::nullopt;
    return range;
}

}  // namespace warpfront::input
