// One hash of the final times of all ranks: equal if two runs agree to the picosecond on every rank.
#pragma once

#include <span>
#include <string>

#include "simulator/units/time.hpp"

namespace warpfront::results {

/// SHA-256, in hexadecimal, of all final times in order of rank, each as a little-endian 128-bit integer (two's
/// complement).
std::string digest(std::span<const WideTime> rank_finish);

}  // namespace warpfront::results
