// Algorithms in which the distance of partners doubles from step to step, and with it the amount of data of a member
// (exchanges.hpp).
#pragma once

#include "simulator/collectives/member.hpp"

namespace warpfront::collectives {

void dissemination(const Member& member);
/// Performs an allreduce or a barrier.
void reduce_by_doubling(const Member& member);
void scan_by_doubling(const Member& member);
void scan_hypercube(const Member& member);

void alltoall_bruck(const Member& member);
void allgather_bruck(const Member& member);
void allgather_by_doubling(const Member& member);
/// Performs the allgather of a bcast that has scattered the message.
void spread_by_doubling(const Member& member);
void reduce_scatter_by_doubling(const Member& member);

}  // namespace warpfront::collectives
