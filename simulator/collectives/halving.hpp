// Algorithms in which the data that a member reduces are halved from step to step: reductions whose result remains in
// parts, or is put together or gathered (exchanges.hpp).
#pragma once

#include "simulator/collectives/member.hpp"

namespace warpfront::collectives {

void reduce_scatter_halving(const Member& member);
void reduce_scatter_butterfly(const Member& member);
/// Performs rabenseifner if `by_halves`, else halving_doubling.
void allreduce_halving(const Member& member, bool by_halves);
void reduce_halving(const Member& member, bool by_halves);

}  // namespace warpfront::collectives
