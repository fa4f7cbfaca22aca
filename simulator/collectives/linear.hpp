// Algorithms in which a member has a message of its own with each other member: only with the root, or each with each
// (exchanges.hpp).
#pragma once

#include "simulator/collectives/member.hpp"

namespace warpfront::collectives {

/// Sends the message of the root to all others, or each share to its member.
void spread_linear(const Member& member);
void spread_sequential(const Member& member);
/// Sends the message, or each share, to the root.
void collect_linear(const Member& member);
void collect_sequential(const Member& member);
void gather_linear_sync(const Member& member);

void allgather_linear(const Member& member);
void scan_linear(const Member& member);
void alltoall_linear(const Member& member);
void alltoallv_linear(const Member& member);
void alltoall_scattered(const Member& member);
/// Performs an alltoall, alltoallv or reduce_scatter.
void pairwise(const Member& member);
void pairwise_xor(const Member& member);

}  // namespace warpfront::collectives
