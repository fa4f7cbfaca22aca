#include "simulator/collectives/patterns.hpp"

#include <algorithm>

#include "simulator/collectives/recursive_doubling.hpp"

namespace warpfront::collectives {

namespace {

/// Performs recursive doubling: groups of 1, 2, 4, ... neighbouring positions exchange their data with the next group.
/// Each member exchanges with its partner in the other group; `sent` returns the data that it sends. If the second
/// group is incomplete, some members of the first have no partner. Other members of the first group then forward the
/// data to them (Thakur, Rabenseifner & Gropp 2005, section 4.1).
template <class At, class Sent>
void double_groups(const Member& member, std::uint32_t position, const At& at, const Sent& sent) {
    for (std::uint32_t size = 1; size < member.members; size *= 2) {
        const std::uint32_t partner = position ^ size;
        const std::uint32_t group = position / size * size;
        const std::uint32_t other = partner / size * size;
        if (partner < member.members) member.exchange(at(partner), sent(group, size));
        if (other >= member.members || other + size <= member.members) continue;
        const std::uint32_t served = member.members - other;  // members of the group that have partners
        for (std::uint32_t half = size / 2; half > 0; half /= 2) {
            const std::uint32_t near = position ^ half;
            const std::uint32_t reached = position / (2 * half) * (2 * half) + served;
            if (near > position && position < reached && near >= reached) {
                member.send(at(near), sent(other, size));
            } else if (near < position && near < reached && position >= reached) {
                member.receive(at(near));
            }
        }
    }
}

/// Returns the blocks of all members of a group.
Range of_group(const Blocks& blocks, std::uint32_t group, std::uint32_t size) {
    return blocks.range(group, std::min(size, blocks.count() - group));
}

}  // namespace

void dissemination(const Member& member) {
    for (std::uint64_t far = 1; far < member.members; far *= 2) {
        member.exchange(member.here.after(far), {}, member.here.before(far));
    }
}

void reduce_by_doubling(const Member& member) {
    const RecursiveDoubling doubling(member.members);
    for (std::uint32_t step = 0; step < doubling.steps(); ++step) {
        const RecursiveDoubling::Step now = doubling.step({member.own}, step);
        if (now.send_to && now.recv_from) {
            member.exchange(now.send_to->index, member.whole(), now.recv_from->index);
        } else if (now.send_to) {
            member.send(now.send_to->index, member.whole());
        } else if (now.recv_from) {
            member.receive(now.recv_from->index);
        }
    }
}

void scan_by_doubling(const Member& member) {
    for (std::uint64_t far = 1; far < member.members; far *= 2) {
        const bool sends = member.own + far < member.members;
        const bool receives = member.own >= far;
        if (sends && receives) {
            member.exchange(member.here.after(far), member.whole(), member.here.before(far));
        } else if (sends) {
            member.send(member.here.after(far), member.whole());
        } else if (receives) {
            member.receive(member.here.before(far));
        }
    }
}

void scan_hypercube(const Member& member) {
    for (std::uint64_t bit = 1; bit < member.members; bit *= 2) {
        const std::uint64_t partner = member.own ^ bit;
        if (partner < member.members) member.exchange(static_cast<std::uint32_t>(partner), member.whole());
    }
}

void alltoall_bruck(const Member& member) {
    const Blocks shares = member.shares();
    for (std::uint64_t bit = 1; bit < member.members; bit *= 2) {
        std::uint64_t blocks = 0;
        for (std::uint64_t block = 1; block < member.members; ++block) blocks += (block & bit) != 0 ? 1 : 0;
        member.exchange(member.here.after(bit), shares.range(0, blocks), member.here.before(bit));
    }
}

void allgather_bruck(const Member& member) {
    const Blocks shares = member.shares();
    for (std::uint64_t far = 1; far < member.members; far *= 2) {
        const Range data = shares.range(member.own, std::min<std::uint64_t>(far, member.members - far));
        member.exchange(member.here.before(far), data, member.here.after(far));
    }
}

void allgather_by_doubling(const Member& member) {
    const Blocks shares = member.shares();
    double_groups(
        member, member.own, [](std::uint32_t of) { return of; },
        [&](std::uint32_t group, std::uint32_t size) { return of_group(shares, group, size); });
}

void spread_by_doubling(const Member& member) {
    const Blocks blocks = member.message(member.members);
    double_groups(
        member, member.position(), [&](std::uint32_t of) { return member.at(of); },
        [&](std::uint32_t group, std::uint32_t size) { return of_group(blocks, group, size); });
}

/// Performs a reduce_scatter: a group sends all blocks except its own.
void reduce_scatter_by_doubling(const Member& member) {
    const Blocks shares = member.shares();
    double_groups(
        member, member.own, [](std::uint32_t of) { return of; },
        [&](std::uint32_t group, std::uint32_t size) {
            const std::uint32_t own = std::min(size, shares.count() - group);
            return shares.range(group + own, shares.count() - own);
        });
}

}  // namespace warpfront::collectives
