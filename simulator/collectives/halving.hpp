// Algorithms in which the data that a member reduces are halved from step to step: reductions whose result is in parts,
// and, put together or gathered, in whole (exchanges.hpp).
#pragma once

#include "simulator/collectives/member.hpp"

namespace warpfront::collectives {

void reduce_scatter_halving(const Member& member);
void reduce_scatter_butterfly(const Member& member);
/// rabenseifner if `by_halves`, else halving_doubling.
void allreduce_halving(const Member& member, bool by_halves);
void reduce_halving(const Member& member, bool by_halves);

}  // namespace warpfront::collectives
