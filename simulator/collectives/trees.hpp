// Trees by which a message, or shares, come from the root to all members, or to the root from all (exchanges.hpp).
#pragma once

#include "simulator/collectives/member.hpp"

namespace warpfront::collectives {

/// binomial_doubling, knomial, binary or chain; `algorithm` is one of them.
void spread_tree(const Member& member, Algorithm algorithm);
/// binary, in_order_binary or chain.
void collect_tree(const Member& member, Algorithm algorithm);

void spread_binomial(const Member& member);
void collect_binomial(const Member& member);
/// A message holds the shares of the whole subtree of its child.
void scatter_binomial(const Member& member);
void gather_binomial(const Member& member);
/// Scatters the message, in a block for each position, like scatter_binomial.
void scatter_message(const Member& member);
void spread_split_binary(const Member& member);

}  // namespace warpfront::collectives
