// The messages of one member of a collective, by pattern: trees, doubling, halving, linear, rings (exchanges.hpp).
//
// Trees send a message, or shares, from the root to all members, or from all members to the root.
#pragma once

#include "simulator/collectives/member.hpp"

namespace warpfront::collectives {

/// Performs a bcast by a tree. `algorithm` is binomial_doubling, knomial, binary or chain.
void spread_tree(const Member& member, Algorithm algorithm);
/// Performs a reduce by a tree. `algorithm` is binary, in_order_binary or chain.
void collect_tree(const Member& member, Algorithm algorithm);

void spread_binomial(const Member& member);
void collect_binomial(const Member& member);
/// Scatters the shares. A message to a child contains the shares of the child's whole subtree.
void scatter_binomial(const Member& member);
void gather_binomial(const Member& member);
/// Scatters the message in one block for each position, along the tree of scatter_binomial.
void scatter_message(const Member& member);
void spread_split_binary(const Member& member);

// Algorithms in which two quantities double from step to step: the distance of partners, and the data of a member
// (exchanges.hpp).

void dissemination(const Member& member);
/// Performs an allreduce or a barrier.
void reduce_by_doubling(const Member& member);
void scan_by_doubling(const Member& member);
void scan_hypercube(const Member& member);

void alltoall_bruck(const Member& member);
void allgather_bruck(const Member& member);
void allgather_by_doubling(const Member& member);
/// Performs the second step of a bcast that first scatters the message: an allgather by recursive doubling.
void spread_by_doubling(const Member& member);
void reduce_scatter_by_doubling(const Member& member);

// Reductions in which the data of a member are halved from step to step (exchanges.hpp).

void reduce_scatter_halving(const Member& member);
void reduce_scatter_butterfly(const Member& member);
/// Performs an allreduce by rabenseifner if `by_halves`, otherwise by halving_doubling.
void allreduce_halving(const Member& member, bool by_halves);
void reduce_halving(const Member& member, bool by_halves);

// Algorithms in which each member exchanges messages directly with the root, or with every other member
// (exchanges.hpp).

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

// Algorithms in which members exchange messages with their neighbours only, on a circle or in a row (exchanges.hpp).

void allgather_ring(const Member& member);
void neighbour_exchange(const Member& member);
void reduce_scatter_ring(const Member& member);
void allreduce_ring(const Member& member);
/// Performs the second step of a bcast that first scatters the message: an allgather by a ring.
void spread_ring(const Member& member);
void scan_chain(const Member& member);

}  // namespace warpfront::collectives
