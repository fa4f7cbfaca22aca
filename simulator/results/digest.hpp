// One hash that tells whether two runs gave every rank the same final time to the picosecond.
#pragma once

#include <span>
#include <string>

#include "simulator/units/time.hpp"

namespace warpfront::results {

/// SHA-256, in hexadecimal, of all final times in order of rank, each as a little-endian 128-bit integer (two's
/// complement).
std::string digest(std::span<const WideTime> rank_finish);

}  // namespace warpfront::results
