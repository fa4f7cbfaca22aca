// The dimensions of what a rank computes between two calls, as its messages and loops show them.
//
// A block whose faces are sent has the cells of their sides, so each parameter on which messages depend is a dimension
// of the block. A loop around the block takes its dimension away: `nz` planes in a loop over `nz` are computed one by
// one. A loop over blocks of `mk` planes leaves the planes of one. The parameter that counts iterations is no dimension
// of anything.
#pragma once

#include <vector>

#include "tools/learning/laws.hpp"
#include "tools/learning/learnt.hpp"

namespace warpfront::learning {

/// Returns the dimensions of a piece of computing, by what the sizes and trips of the structure depend on.
std::vector<Dimension> dimensions_of(const Learnt& learnt, const Part& work);

}  // namespace warpfront::learning
