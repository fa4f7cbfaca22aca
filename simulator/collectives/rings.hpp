// Algorithms in which members exchange messages only with their neighbours, on a circle or in a row (exchanges.hpp).
#pragma once

#include "simulator/collectives/member.hpp"

namespace warpfront::collectives {

void allgather_ring(const Member& member);
void neighbour_exchange(const Member& member);
void reduce_scatter_ring(const Member& member);
void allreduce_ring(const Member& member);
/// Performs the allgather of a bcast that has scattered the message.
void spread_ring(const Member& member);
void scan_chain(const Member& member);

}  // namespace warpfront::collectives
