// Numbers in text. Every reader of digits in the project uses this one; the user's locale has no effect.
//
//   binary     leading_number, number_of: the value of type T nearest to the text
//   decimal    read_decimal: the mantissa and the power of ten, which stay apart until the unit is applied. So 0.414us
//              is exactly 414000 ps, although 0.414 has no exact binary value
//   deviation  split_deviation: `A +- B`, a value with its standard deviation, each a number with a unit, as in
//              `0.414us +- 0.01us`. The caller checks the units and the range of the deviation
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpfront::input {

/// Returns the text without the blanks at both ends; if nothing is left, an empty text at the start of `text`.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t");

template <class T>
struct LeadingNumber {
    T value{};               // 0 if there is no number or T cannot represent it
    std::size_t length = 0;  // characters read; 0 if there is no number
    bool fits = true;        // true if T can represent it
    explicit operator bool() const { return length > 0 && fits; }
};

/// Reads the number at the front of `text`, in the form that std::from_chars reads: no plus sign, no blanks before it.
template <class T>
LeadingNumber<T> leading_number(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto length = static_cast<std::size_t>(end - text.data());
    return {error == std::errc{} ? value : T{}, length, error != std::errc::result_out_of_range};
}

/// Returns the number if `text` as a whole is one.
template <class T>
std::optional<T> number_of(std::string_view text) {
    const LeadingNumber<T> number = leading_number<T>(text);
    return number && number.length == text.size() ? std::optional(number.value) : std::nullopt;
}

struct Decimal {
    long double mantissa = 0.0L;  // the first 18 digits, a whole number
    int exponent = 0;             // power of ten
    bool whole = true;            // written with neither a point nor an exponent
    std::size_t length = 0;       // characters read; 0 if there is no number
};

/// Reads the number at the front of `text`: digits [ "." digits ] [ "e" [ "+" | "-" ] digits ].
Decimal read_decimal(std::string_view text);

/// Returns number * factor, rounded once if the factor is whole; infinite if it is too large.
long double scaled(const Decimal& number, long double factor);

/// Returns a unit of time in picoseconds, from its length in seconds.
long double picoseconds_of(double seconds);

struct NumberWithUnit {
    double value = 0.0;
    std::string unit;  // may be empty
};

/// Reads `3.85us`, with blanks around number and unit or without; returns nothing if no number comes first.
std::optional<NumberWithUnit> number_with_unit(std::string_view text);

struct TextWithDeviation {
    std::string_view value;      // without blanks at its ends
    std::string_view deviation;  // the same
};

/// Returns the texts on both sides of the first `+-`; nothing if there is none.
std::optional<TextWithDeviation> split_deviation(std::string_view text);

// A range of whole numbers in text: `A`, `A..B` or `A..B..STEP`, both ends included.

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
