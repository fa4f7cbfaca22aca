// Virtual time: signed 64-bit picoseconds (up to 106 days), and 128 bits for totals that include skipped iterations.
//
// Rounding happens once, where a cost is made from floating point (`from_seconds`). All later arithmetic is on exact
// integers, so a total does not depend on the order of its summands. Invariants: a cost is never negative and never
// above `kLongestCost`; a clock never passes `kHorizon`. So the sum of a clock and a few costs does not overflow. Code
// that advances a clock compares it with the horizon.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <optional>

namespace warpfront {

struct Time {
    std::int64_t ps = 0;

    friend constexpr auto operator<=>(Time, Time) = default;
    constexpr Time& operator+=(Time other) {
        ps += other.ps;
        return *this;
    }
    constexpr Time& operator-=(Time other) {
        ps -= other.ps;
        return *this;
    }
    friend constexpr Time operator+(Time a, Time b) { return {a.ps + b.ps}; }
    friend constexpr Time operator-(Time a, Time b) { return {a.ps - b.ps}; }
    friend constexpr Time operator*(Time a, std::int64_t times) { return {a.ps * times}; }
};

inline constexpr Time kHorizon{std::int64_t{1} << 62};      // 53 days: no clock goes beyond
inline constexpr Time kLongestCost{std::int64_t{1} << 59};  // 6.7 days: no single cost is longer

/// Picoseconds of a total that includes skipped iterations.
__extension__ using Wide = __int128;
struct WideTime {
    Wide ps = 0;

    constexpr WideTime() = default;
    constexpr WideTime(Wide picoseconds) : ps(picoseconds) {}
    constexpr WideTime(Time time) : ps(time.ps) {}
    friend constexpr bool operator==(WideTime, WideTime) = default;
    friend constexpr auto operator<=>(WideTime a, WideTime b) { return a.ps <=> b.ps; }
    constexpr WideTime& operator+=(WideTime other) {
        ps += other.ps;
        return *this;
    }
    friend constexpr WideTime operator+(WideTime a, WideTime b) { return {a.ps + b.ps}; }
    friend constexpr WideTime operator-(WideTime a, WideTime b) { return {a.ps - b.ps}; }
};

constexpr double seconds(Time time) { return static_cast<double>(time.ps) / 1e12; }
constexpr double seconds(WideTime time) { return static_cast<double>(time.ps) / 1e12; }

/// Converts a total to the nearest picosecond, which may be negative.
inline WideTime wide_from_seconds(double value) { return {static_cast<Wide>(std::round(value * 1e12))}; }

/// Converts to the nearest picosecond (ties away from zero). Returns nothing if the value is NaN, negative or above
/// `kLongestCost`.
inline std::optional<Time> from_seconds(double value) {
    const double picoseconds = std::round(value * 1e12);
    if (!(picoseconds >= 0.0) || picoseconds > static_cast<double>(kLongestCost.ps)) return std::nullopt;
    return Time{static_cast<std::int64_t>(picoseconds)};
}

}  // namespace warpfront
