// Quantities as written by users: a number and, unless it is a pure number, a unit. `0.414us`, `8 KiB`, `6GBps`,
// `0.0004us/B`, `350Mflops`. Spaces between number and unit are allowed.
//
//   time                 ps ns us ms s min h
//   bytes                B after a prefix or none: k or K 10^3, M 10^6, G 10^9, T 10^12, Ki 2^10, Mi 2^20, Gi 2^30,
//                        Ti 2^40
//   bandwidth            B/s or Bps, and b/s or bps for bits (a byte has 8), after the same prefixes
//   gap (time per byte)  TIME/B, or a bandwidth, which means its inverse
//   rate of arithmetic   flops after a decimal prefix or none
//
// Case matters. The error for an unknown unit suggests the nearest unit, or lists all units if the unknown one could
// mean several amounts. A missing unit is an error.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "simulator/input/diagnostic.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/prediction_error.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::input {

enum class Dimension : std::uint8_t { number, time, bytes, bandwidth, gap, flop_rate };
std::string_view dimension_name(Dimension dimension);  // "time", "bandwidth", ...

/// One unit of the table above.
struct Unit {
    std::string name;
    Dimension dimension;
    double factor;
};

/// A quantity in base units: 1, seconds, bytes, bytes per second, seconds per byte, flop per second.
struct Quantity {
    double value = 0.0;
    Dimension dimension = Dimension::number;
    std::string_view digits{};   // the number as written
    const Unit* unit = nullptr;  // nullptr if no unit is written
};

/// Returns the unit; nullptr if there is none of that name (case matters).
const Unit* find_unit(std::string_view name);
std::span<const Unit> units();

/// Returns the remedy for an unknown unit if a unit of the dimensions `expected` is required: "did you mean `us`?", or
/// a list of all their units if `name` could mean several amounts, as `gb/s` and `m` could.
std::string unit_suggestion(std::string_view name, std::span<const Dimension> expected);

/// Parses `text`, whose source range is `range`. Errors: bad_number, unknown_unit, missing_unit, wrong_unit; the result
/// is then meaningless but finite.
Quantity parse_quantity(std::string_view text, const SourceRange& range, Dimension expected, Diagnostics& faults);

/// Returns a time in picoseconds, without further rounding if its number is a plain decimal: 0.414us is exactly 414000.
long double picoseconds_of(const Quantity& time);

/// Parse quantities as values of their types; an error out_of_range if the value is negative or too large for its type.
Time parse_time(std::string_view text, const SourceRange& range, Diagnostics& faults);
Bytes parse_bytes(std::string_view text, const SourceRange& range, Diagnostics& faults);
Gap parse_gap(std::string_view text, const SourceRange& range, Diagnostics& faults);
Bandwidth parse_bandwidth(std::string_view text, const SourceRange& range, Diagnostics& faults);
/// Parses a whole number in [least, most]. Errors: bad_number (also if the range is `text` with a deviation),
/// out_of_range, wrong_unit (any unit).
std::int64_t parse_integer(std::string_view text, const SourceRange& range, std::int64_t least, std::int64_t most,
                           Diagnostics& faults);
/// Parses a finite real number.
double parse_real(std::string_view text, const SourceRange& range, Diagnostics& faults);
/// Parses a percentage of at least 0, with its sign: `5 %`. Errors: missing_unit, bad_number, out_of_range.
Percent parse_percent(std::string_view text, const SourceRange& range, Diagnostics& faults);

}  // namespace warpfront::input
