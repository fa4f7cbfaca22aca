// Decimal numbers read exactly: mantissa and power of ten stay apart until a unit is folded in, so that 0.414us is
// 414000 ps and not the neighbour of it that 0.414 in binary gives.
#pragma once

#include <string_view>

namespace warpfront::psl {

struct Decimal {
    long double mantissa = 0.0L;  // the first 18 digits, a whole number
    int exponent = 0;             // power of ten
    bool whole = true;            // written with neither a point nor an exponent
    std::size_t length = 0;       // characters read; 0 where there is no number
};

/// Reads the number that `text` begins with: digits [ "." digits ] [ "e" [ "+" | "-" ] digits ].
Decimal read_decimal(std::string_view text);

/// number * factor, rounded once where the factor is whole; infinite where it is too large.
long double scaled(const Decimal& number, long double factor);

/// A unit of time in picoseconds, from its length in seconds.
long double picoseconds_of(double seconds);

}  // namespace warpfront::psl
