// The dimensions of a block of computing between two MPI calls, derived from messages and loops.
//
// If the faces of a block are sent, the block extends along the sides of these faces. So each parameter on which
// messages depend is a dimension of the block. A loop around the block removes its own dimension: in a loop over `nz`,
// one plane is computed at a time. In a loop over blocks of `mk` planes, the block has the planes of one of them. The
// parameter that counts iterations is not a dimension.
#pragma once

#include <vector>

#include "tools/from_code/learning/laws.hpp"
#include "tools/from_code/learning/learnt.hpp"

namespace warpfront::learning {

/// Returns the dimensions of a place of computing. They are the parameters on which sizes and loop counts of the
/// structure depend.
std::vector<Dimension> dimensions_of(const Learnt& learnt, const Part& work);

}  // namespace warpfront::learning
