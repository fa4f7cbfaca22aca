// Random messages between ranks: every rank sends all its messages, then receives all messages for it, in the order of
// their senders.
#pragma once

#include <rapidcheck.h>

#include "tests/engine/shared.hpp"

namespace warpfront::test {

inline constexpr std::int64_t kOverhead = 4 * us;  // o_send and o_recv
inline constexpr std::int64_t kLatency = 1 * us;

struct Sent {
    std::uint32_t to = 0;
    std::int64_t bytes = 0;
    std::int64_t after = 0;  // picoseconds of computing before it
};

/// Messages by sender, in the order of sending.
using Traffic = std::vector<std::vector<Sent>>;

/// Returns fewer than `most` messages of each rank. They are a prime number of picoseconds apart, so that requests of
/// different messages hardly meet at one time.
inline Traffic any_traffic(std::uint32_t ranks, int most) {
    Traffic traffic(ranks);
    for (std::uint32_t from = 0; from < ranks; ++from) {
        const int count = *rc::gen::inRange(0, most);
        for (int k = 0; k < count; ++k) {
            const std::uint32_t to = (from + *rc::gen::inRange(std::uint32_t{1}, ranks)) % ranks;
            const std::int64_t bytes =
                *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(1, 100), rc::gen::inRange<std::int64_t>(100, 20'000));
            traffic[from].push_back({to, bytes, *rc::gen::inRange<std::int64_t>(0, 20'000) * 1'009 + from * 13 + k});
        }
    }
    return traffic;
}

inline program::Program program_of(RankGrid grid, const Traffic& traffic) {
    return spmd(grid, 1, [&](Rank rank) {
        ClassBuilder builder;
        const auto self = static_cast<std::int32_t>(rank.index);
        for (const Sent& sent : traffic[rank.index]) {
            builder.work(sent.after).send(static_cast<std::int32_t>(sent.to) - self, sent.bytes);
        }
        for (std::uint32_t from = 0; from < traffic.size(); ++from) {
            for (const Sent& sent : traffic[from]) {
                if (sent.to == rank.index) builder.recv(static_cast<std::int32_t>(from) - self);
            }
        }
        return builder.iteration().build();
    });
}

/// Gives messages between nodes these overheads and this latency, and no resource but links.
inline void cost_links_only(machine::Machine& machine) {
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.protocol = machine::Protocol::eager;
        row.o_send = row.o_recv = Time{kOverhead};
        row.L = Time{kLatency};
        row.holds_bus = row.holds_nic = false;
    }
    machine.nic.reset();
}

/// Returns the finish of every rank, in picoseconds.
inline std::vector<std::int64_t> finishes_of(const record::Record& record) {
    std::vector<std::int64_t> all;
    for (const WideTime finish : record.rank_finish) all.push_back(static_cast<std::int64_t>(finish.ps));
    return all;
}

}  // namespace warpfront::test
