// The wave of a rank: its progress in its program. Older waves have smaller numbers.
//
//   wave   iteration * 2^34 + iterations of the rank's loops within it, including steps of collectives
//
// Both ends of a message, and all engines, count the same waves. The bits suffice: a run has at most 10^9 iterations,
// which is less than 2^30, and fewer than 2^34 waves in each iteration.
#pragma once

namespace warpfront {

inline constexpr unsigned kWaveBits = 34;

}  // namespace warpfront
