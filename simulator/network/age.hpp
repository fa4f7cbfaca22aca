// The position of a request in its rank's program: what decides between requests for a shared resource that are made at
// the same picosecond, before the rank does. Older waves are served first.
//
//   wave   iteration * 2^34 + trips that the rank's loops have made within the iteration, steps of collectives included
//   site   the statement, as program::Instruction::site numbers it
//
// Both ends of a message count waves alike. A run has at most 10^9 iterations, fewer than 2^30, and steps fewer than
// 2^34 waves in any of them, so the order is the program's and no counter wraps.
#pragma once

#include <compare>
#include <cstdint>

namespace warpfront::network {

inline constexpr unsigned kWaveBits = 34;
inline constexpr std::int64_t kMostIterations = std::int64_t{1} << (64 - kWaveBits);

struct Age {
    std::uint64_t wave = 0;
    std::uint16_t site = 0;
    friend constexpr auto operator<=>(const Age&, const Age&) = default;
};

}  // namespace warpfront::network
