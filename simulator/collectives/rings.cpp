#include "simulator/collectives/patterns.hpp"

namespace warpfront::collectives {

namespace {

/// Performs P - 1 steps in which a block is sent to the next member. The first step sends block `first`, the second the
/// block before it, and so on.
void around(const Member& member, const Blocks& blocks, std::uint64_t first) {
    for (std::uint32_t k = 0; k + 1 < member.members; ++k) {
        member.exchange(member.here.after(1), blocks.range(first + member.members - k, 1), member.here.before(1));
    }
}

}  // namespace

void allgather_ring(const Member& member) { around(member, member.shares(), member.own); }

/// Performs the reduction. The last block that a member receives is its own.
void reduce_scatter_ring(const Member& member) { around(member, member.shares(), member.here.before(1)); }

void allreduce_ring(const Member& member) {
    const Blocks blocks = member.message(member.members);
    around(member, blocks, member.own);
    around(member, blocks, member.here.after(1));
}

void spread_ring(const Member& member) { around(member, member.message(member.members), member.position()); }

/// Exchanges with both neighbours in turn. Even members begin with the next member, odd members with the previous one.
/// Then each member forwards the two blocks that it received last.
void neighbour_exchange(const Member& member) {
    const Blocks shares = member.shares();
    const bool even = member.own % 2 == 0;
    const auto partner = [&](bool next) { return next ? member.here.after(1) : member.here.before(1); };
    member.exchange(partner(even), shares.range(member.own, 1));
    const std::uint32_t pair = member.own - (even ? 0 : 1);
    std::uint64_t sent = pair;  // first of the two blocks to send
    std::uint64_t towards_next = pair;
    std::uint64_t towards_last = pair;
    for (std::uint32_t k = 1; k < member.members / 2; ++k) {
        const bool next = even == (k % 2 == 0);
        member.exchange(partner(next), shares.range(sent, 2));
        std::uint64_t& received = next ? towards_next : towards_last;
        received += next ? 2 : member.members - 2;
        sent = received;
    }
}

void scan_chain(const Member& member) {
    if (member.own > 0) member.receive(member.own - 1);
    if (member.own + 1 < member.members) member.send(member.own + 1, member.whole());
}

}  // namespace warpfront::collectives
