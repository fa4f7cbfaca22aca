// Numbers, ranks and statements as readable text. Durations have the form of quantities in a scenario, so they can be
// pasted into a scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "simulator/input/words.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::results {

/// The largest unit of ps, ns, us, ms, s in which a time, rounded to six digits, is at least one.
struct TimeScale {
    std::string_view unit;
    double seconds = 1.0;  // seconds in one unit
};
TimeScale time_scale(WideTime time);

/// Formats six significant digits and the unit: "12.3us", "7.34123s".
std::string duration(WideTime time);

/// Formats times next to an interval of this half-width, in one unit: to the second significant digit of the
/// half-width, "7.55s" with 0.8 s. The unit is that of the rounded time: 999.7 us and 30 us give "1.000ms". Six
/// significant digits, as those of `duration`, if it is below 1e-4 of `time`.
class RoundedDuration {
public:
    RoundedDuration(WideTime time, double half_width_s);
    std::string operator()(double seconds) const;

private:
    TimeScale scale_;
    /// Number of decimals, negative for whole tens, hundreds, ...; nothing for six significant digits.
    std::optional<int> decimals_;
};

/// Formats the first few iterations, which are given as (duration, count) of equal neighbours: "1 x 553.84ms, 6 x
/// 553.839ms, ...".
std::string iterations(std::span<const std::pair<WideTime, std::int64_t>> durations);

using input::counted;
using input::grouped;
using input::plural;

/// Formats a number of significant digits, "0.0123" or "1940" for three: without an exponent from 1e-4 to 1e6.
std::string significant(double value, int digits);

/// Formats three significant digits in binary units: "1.37 GiB".
std::string size(Bytes bytes);

/// Formats "rank 3 (column 1, row 2)".
std::string rank_text(Rank rank, const RankGrid& grid);
std::string rank_text(Rank rank, const program::Program& program);

/// Formats " in `send 8B to east` at m.psl:3:9"; empty if the program has no such statement.
std::string in_statement(std::uint16_t site, const program::Program& program);

/// Wraps text into lines of at most 100 characters, or of one longer word; lines after the first begin with `indent`.
std::string wrapped(std::string_view text, std::string_view indent = "");

}  // namespace warpfront::results
