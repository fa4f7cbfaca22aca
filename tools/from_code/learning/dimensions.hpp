// The dimensions of a block of computing between two MPI calls, derived from messages and loops.
//
// A block whose faces are sent extends along the sides of these faces, so each parameter on which messages depend is a
// dimension of the block. A loop around the block removes its own dimension: `nz` planes in a loop over `nz` are
// computed one by one. A loop over blocks of `mk` planes leaves the planes of one block. The parameter that counts
// iterations is not a dimension.
#pragma once

#include <vector>

#include "tools/from_code/learning/laws.hpp"
#include "tools/from_code/learning/learnt.hpp"

namespace warpfront::learning {

/// Returns the dimensions of a piece of computing: the parameters on which sizes and loop counts of the structure
/// depend.
std::vector<Dimension> dimensions_of(const Learnt& learnt, const Part& work);

}  // namespace warpfront::learning
