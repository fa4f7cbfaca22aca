// The age of a request: its position in its rank's program. It orders requests for a shared resource that have the same
// time, before the rank does. Older waves are served first.
//
//   wave   iteration * 2^34 + trips of the rank's loops within the iteration, steps of collectives included
//   site   the statement (program::Instruction::site)
//
// Both ends of a message count the same waves. A run has at most 10^9 iterations, fewer than 2^30, and fewer than 2^34
// waves in each of them, so the order is that of the program and no counter wraps.
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
