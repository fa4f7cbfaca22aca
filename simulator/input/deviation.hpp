// `A +- B`: a value with its standard deviation, each a number with a unit, as in `0.414us +- 0.01us`. Units are kept
// as written; what they must be, and which deviations make sense, the reader of a figure knows.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpfront::input {

struct NumberWithUnit {
    double value = 0.0;
    std::string unit;  // may be empty
};

/// `3.85us`, with blanks around number and unit or without; nothing if no number comes first.
std::optional<NumberWithUnit> number_with_unit(std::string_view text);

struct TextWithDeviation {
    std::string_view value;  // trimmed, as the deviation
    std::string_view deviation;
};

/// The texts on both sides of the first `+-`; nothing if there is none.
std::optional<TextWithDeviation> split_deviation(std::string_view text);

}  // namespace warpfront::input
