// Mismatches between the ranks of a program: a send without a receive, a collective that is not the same on all ranks.
// It also checks whether messages match within each iteration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/program/program.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::program {

/// Sends without receives, or receives without sends: the peer lacks the channel, or its number of messages differs.
struct Mismatch {
    Rank rank;
    Channel channel;
    bool is_send = false;          // true if `rank` sends on the channel
    std::uint16_t site = 0;        // first statement of `rank` that sends or receives on the channel
    std::uint64_t count = 0;       // number of messages on the rank's side over the whole run
    std::uint64_t peer_count = 0;  // number of messages on the peer's side
    /// True if `rank` receives these messages from any source, or sends them as replies. Then counts are sums over all
    /// partners, and `channel` leads to the first partner.
    bool any = false;
};
/// Returns at most `limit` mismatches, by rank, sends before receives. Empty if every message sent is received.
std::vector<Mismatch> mismatches(const Program& program, std::size_t limit);

/// An allreduce that only one of two ranks calls, or that both call with different sizes.
struct CollectiveMismatch {
    struct Side {
        std::uint16_t site = 0;
        Bytes size;
    };
    Rank rank;                         // the rank that is compared with rank 0
    std::uint64_t count_of_first = 0;  // number of allreduces of rank 0 over the whole run
    std::uint64_t count = 0;           // number of allreduces of `rank`
    std::uint64_t number = 1;          // number of the first allreduce that differs, from 1
    std::optional<Side> at_first;      // the different allreduce on rank 0; nothing if rank 0 has no more
    std::optional<Side> here;          // the different allreduce on `rank`; nothing if `rank` has no more
};
/// Returns the first rank whose allreduces differ from those of rank 0; nothing if all are equal. Throws
/// std::overflow_error if the number of allreduces does not fit its type.
std::optional<CollectiveMismatch> collective_mismatch(const Program& program);

/// Returns true if iterations are closed: each is one iteration of an outermost loop on all ranks, all its messages are
/// received within the iteration, and an allreduce ends it. Then a rank that has ended an iteration does not delay
/// ranks that are still in the iteration.
bool has_closed_iterations(const Program& program);

}  // namespace warpfront::program
