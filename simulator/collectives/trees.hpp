// Trees that carry a message, or shares, from the root to all members, or from all to the root (exchanges.hpp).
#pragma once

#include "simulator/collectives/member.hpp"

namespace warpfront::collectives {

/// Performs binomial_doubling, knomial, binary or chain; `algorithm` is one of them.
void spread_tree(const Member& member, Algorithm algorithm);
/// Performs binary, in_order_binary or chain.
void collect_tree(const Member& member, Algorithm algorithm);

void spread_binomial(const Member& member);
void collect_binomial(const Member& member);
/// Scatters the shares; each message contains the shares of the child's whole subtree.
void scatter_binomial(const Member& member);
void gather_binomial(const Member& member);
/// Scatters the message, in one block for each position, along the tree of scatter_binomial.
void scatter_message(const Member& member);
void spread_split_binary(const Member& member);

}  // namespace warpfront::collectives
