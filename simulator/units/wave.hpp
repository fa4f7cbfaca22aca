// The wave of a rank: its progress in its program. Older waves have smaller numbers.
//
//   wave   iteration * 2^34 + iterations of the rank's loops within it, including steps of collectives
//
// Both ends of a message count the same waves, and so do all engines. A run has at most 10^9 iterations, fewer than
// 2^30, and fewer than 2^34 waves in each of them, so no counter wraps.
#pragma once

namespace warpfront {

inline constexpr unsigned kWaveBits = 34;

}  // namespace warpfront
