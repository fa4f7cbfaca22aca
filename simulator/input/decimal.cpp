#include "simulator/input/decimal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace warpfront::input {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr int kMostDigits = 18;
constexpr int kLargestExponent = 5000;  // beyond this, everything is zero or infinite

/// Reads [ "e" [ sign ] digits ] and moves `at` past it.
int read_exponent(std::string_view text, std::size_t& at) {
    std::size_t digit = at + 1;
    if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return 0;
    const bool negative = digit < text.size() && text[digit] == '-';
    if (digit < text.size() && (text[digit] == '-' || text[digit] == '+')) ++digit;
    if (digit >= text.size() || !is_digit(text[digit])) return 0;
    int exponent = 0;
    for (; digit < text.size() && is_digit(text[digit]); ++digit) {
        exponent = std::min(exponent * 10 + (text[digit] - '0'), kLargestExponent);
    }
    at = digit;
    return negative ? -exponent : exponent;
}

}  // namespace

std::string_view trimmed(std::string_view text, std::string_view blanks) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return text.substr(0, 0);
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

Decimal read_decimal(std::string_view text) {
    Decimal number;
    std::uint64_t mantissa = 0;
    int digits = 0;
    int exponent = 0;
    std::size_t at = 0;
    const auto take = [&](bool behind_point) {
        if (digits < kMostDigits) {
            mantissa = mantissa * 10 + static_cast<std::uint64_t>(text[at] - '0');
            digits += mantissa != 0 ? 1 : 0;
            exponent = std::max(exponent - (behind_point ? 1 : 0), -kLargestExponent);
        } else if (!behind_point) {
            exponent = std::min(exponent + 1, kLargestExponent);
        }
        ++at;
    };
    if (text.empty() || !is_digit(text[0])) return number;
    while (at < text.size() && is_digit(text[at])) take(false);
    if (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) {
        number.whole = false;
        ++at;
        while (at < text.size() && is_digit(text[at])) take(true);
    }
    const std::size_t before = at;
    exponent += read_exponent(text, at);
    number.whole = number.whole && at == before;
    number.mantissa = static_cast<long double>(mantissa);
    number.exponent = exponent;
    number.length = at;
    return number;
}

long double scaled(const Decimal& number, long double factor) {
    const long double power = std::pow(10.0L, static_cast<long double>(std::abs(number.exponent)));
    return number.exponent < 0 ? number.mantissa * factor / power : number.mantissa * factor * power;
}

long double picoseconds_of(double seconds) { return std::round(static_cast<long double>(seconds) * 1e12L); }

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
