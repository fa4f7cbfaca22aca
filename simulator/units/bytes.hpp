// Message sizes in bytes, and two measures of transfer speed. A LogGP gap is the time per byte, and a bandwidth is its
// inverse. Both are floating-point numbers until `cost_of` multiplies them by a size and rounds the result to
// picoseconds.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "simulator/units/time.hpp"

namespace warpfront {

struct Bytes {
    std::int64_t count = 0;
    friend constexpr auto operator<=>(Bytes, Bytes) = default;
    friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
};

/// LogGP's G: seconds per byte.
struct Gap {
    double seconds_per_byte = 0.0;
    friend constexpr auto operator<=>(Gap, Gap) = default;
};

struct Bandwidth {
    double bytes_per_second = 0.0;
    friend constexpr auto operator<=>(Bandwidth, Bandwidth) = default;
};

/// Returns S * G to the nearest picosecond; nothing if that exceeds `kLongestCost`.
inline std::optional<Time> cost_of(Bytes size, Gap gap) {
    return from_seconds(static_cast<double>(size.count) * gap.seconds_per_byte);
}

/// The speed of a processor.
struct FlopRate {
    double per_second = 0.0;
    friend constexpr bool operator==(FlopRate, FlopRate) = default;
};

}  // namespace warpfront
