// A range of whole numbers in text: `A`, `A..B` or `A..B..STEP`, both ends included.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpfront::input {

/// A range of numbers. Invariant: first <= last, step >= 1.
struct NumberRange {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t step = 1;

    /// Returns the number of numbers; number k is first + k * step. Requires first >= 0.
    std::int64_t count() const { return (last - first) / step + 1; }
};

/// Returns nothing if the text is of none of these forms, descends, or has a step below 1.
std::optional<NumberRange> number_range(std::string_view text);

}  // namespace warpfront::input
