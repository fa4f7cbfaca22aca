#include "simulator/input/deviation.hpp"

#include <cstddef>

#include "simulator/input/decimal.hpp"

namespace warpfront::input {

std::optional<NumberWithUnit> number_with_unit(std::string_view text) {
    const std::string_view number = trimmed(text);
    const auto leading = leading_number<double>(number);
    if (!leading) return std::nullopt;
    return NumberWithUnit{leading.value, std::string(trimmed(number.substr(leading.length)))};
}

std::optional<TextWithDeviation> split_deviation(std::string_view text) {
    constexpr std::string_view kBetween = "+-";
    const std::size_t sign = text.find(kBetween);
    if (sign == std::string_view::npos) return std::nullopt;
    return TextWithDeviation{trimmed(text.substr(0, sign)), trimmed(text.substr(sign + kBetween.size()))};
}

}  // namespace warpfront::input
