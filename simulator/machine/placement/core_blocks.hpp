// Blocks of cores within a node's patch of ranks, each on cores with consecutive numbers (machine/placement.hpp).
#pragma once

#include <cstdint>

#include "simulator/machine/placement.hpp"

namespace warpfront::machine {

/// The patch of so many ranks that divides `whole` in every direction and has the least sum of sides, so is as near to
/// a square or cube as can be; of two alike the wider. A patch of one rank if there is none.
Patch near_square(const Patch& whole, std::uint32_t ranks);

}  // namespace warpfront::machine
