#include "simulator/collectives/patterns.hpp"

#include <algorithm>

namespace warpfront::collectives {

namespace {

/// Returns the data exchanged between `other` and the root. In a gatherv, only the root has the shares of others.
Range part_of(const Member& member, std::uint32_t other) {
    switch (member.call.kind) {
        case Kind::gather:
        case Kind::scatter:
        case Kind::scatterv: return member.shares().range(other, 1);
        case Kind::gatherv: {
            const bool knows_all = member.call.shares.size() == member.members;
            return {knows_all ? member.shares().range(other, 1).at : Bytes{}, member.call.bytes};
        }
        default: return member.whole();
    }
}

}  // namespace

void spread_linear(const Member& member) {
    if (member.own != member.call.root) return member.receive(member.call.root);
    member.for_each_other([&](std::uint32_t other) { member.begin_send(other, part_of(member, other)); });
    member.await_all();
}

void spread_sequential(const Member& member) {
    if (member.own != member.call.root) return member.receive(member.call.root);
    member.for_each_other([&](std::uint32_t other) { member.send(other, part_of(member, other)); });
}

void collect_linear(const Member& member) {
    if (member.own != member.call.root) return member.send(member.call.root, part_of(member, member.own));
    member.for_each_other([&](std::uint32_t other) { member.begin_receive(other); });
    member.await_all();
}

void collect_sequential(const Member& member) {
    if (member.own != member.call.root) return member.send(member.call.root, part_of(member, member.own));
    const bool last_first = member.call.kind == Kind::reduce;
    for (std::uint32_t k = 0; k < member.members; ++k) {
        const std::uint32_t other = last_first ? member.members - 1 - k : k;
        if (other != member.own) member.receive(other);
    }
}

void gather_linear_sync(const Member& member) {
    constexpr Range kNothing{};
    if (member.own != member.call.root) {
        member.receive(member.call.root);
        member.send(member.call.root, part_of(member, member.own));
        return member.send(member.call.root, kNothing);
    }
    member.for_each_other([&](std::uint32_t other) {
        member.exchange(other, kNothing);
        member.begin_receive(other);
    });
    member.await_all();
}

void allgather_linear(const Member& member) {
    const Range share = member.shares().range(member.own, 1);
    member.for_each_other([&](std::uint32_t other) {
        member.begin_send(other, share);
        member.begin_receive(other);
    });
    member.await_all();
}

void scan_linear(const Member& member) {
    for (std::uint32_t other = 0; other < member.own; ++other) member.begin_receive(other);
    for (std::uint32_t other = member.own + 1; other < member.members; ++other) {
        member.begin_send(other, member.whole());
    }
    if (member.members > 1) member.await_all();
}

/// Uses the order of SMPI and Open MPI: receives from the next members in ascending order, and sends to the previous
/// members in descending order.
void alltoall_linear(const Member& member) {
    const Blocks shares = member.shares();
    for (std::uint32_t k = 1; k < member.members; ++k) member.begin_receive(member.here.after(k));
    for (std::uint32_t k = 1; k < member.members; ++k) {
        const std::uint32_t to = member.here.before(k);
        member.begin_send(to, shares.range(to, 1));
    }
    member.await_all();
}

void alltoallv_linear(const Member& member) {
    const Blocks shares = member.shares();
    member.for_each_other([&](std::uint32_t other) { member.begin_receive(other); });
    member.for_each_other([&](std::uint32_t other) { member.begin_send(other, shares.range(other, 1)); });
    member.await_all();
}

/// Uses the order of MPICH. The first batch includes the message of the member to itself, which takes no time.
void alltoall_scattered(const Member& member) {
    constexpr std::uint32_t kBatch = 32;  // MPIR_CVAR_ALLTOALL_THROTTLE
    const Blocks shares = member.shares();
    for (std::uint32_t first = 0; first < member.members; first += std::min(kBatch, member.members - first)) {
        const std::uint32_t end = first + std::min(kBatch, member.members - first);
        for (std::uint32_t k = std::max(first, 1U); k < end; ++k) member.begin_receive(member.here.after(k));
        for (std::uint32_t k = std::max(first, 1U); k < end; ++k) {
            const std::uint32_t to = member.here.before(k);
            member.begin_send(to, shares.range(to, 1));
        }
        member.await_all();
    }
}

void pairwise(const Member& member) {
    const Blocks shares = member.shares();
    for (std::uint32_t k = 1; k < member.members; ++k) {
        const std::uint32_t to = member.here.after(k);
        member.exchange(to, shares.range(to, 1), member.here.before(k));
    }
}

void pairwise_xor(const Member& member) {
    const Blocks shares = member.shares();
    for (std::uint32_t k = 1; k < member.members; ++k) {
        const std::uint32_t partner = member.own ^ k;
        member.exchange(partner, shares.range(partner, 1));
    }
}

}  // namespace warpfront::collectives
