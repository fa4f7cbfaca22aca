// Mismatches between the ranks of a program: a send without a receive, a collective that is not the same on all ranks.
// Also a check that messages match within each iteration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/program/program.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::program {

/// A send that no receive can match, or the reverse: the peer lacks the channel or its count differs.
struct Mismatch {
    Rank rank;
    Channel channel;
    bool is_send = false;          // true if `rank` sends on the channel
    std::uint16_t site = 0;        // of its first such statement
    std::uint64_t count = 0;       // messages on the rank's side over the whole run
    std::uint64_t peer_count = 0;  // on the peer's side
    /// Set if `rank` takes these messages from any source, or replies with them: counts are sums over all partners, and
    /// `channel` leads to the first of them.
    bool any = false;
};
/// Returns at most `limit` mismatches, by rank, sends before receives. Empty if every message sent is received.
std::vector<Mismatch> mismatches(const Program& program, std::size_t limit);

/// An allreduce in which only one of two ranks takes part, or both with different sizes.
struct CollectiveMismatch {
    struct Side {
        std::uint16_t site = 0;
        Bytes size;
    };
    Rank rank;                         // compared with rank 0
    std::uint64_t count_of_first = 0;  // allreduces of rank 0 over the whole run
    std::uint64_t count = 0;           // of `rank`
    std::uint64_t number = 1;          // number of the first allreduce that differs, from 1
    std::optional<Side> at_first;      // that allreduce of rank 0; nothing if rank 0 has no more
    std::optional<Side> here;          // the same of `rank`
};
/// Returns the first rank whose allreduces differ from those of rank 0; nothing if all are equal. Throws
/// std::overflow_error if their number does not fit its type.
std::optional<CollectiveMismatch> collective_mismatch(const Program& program);

/// Returns true if iterations are closed: each is one iteration of an outermost loop, the same on all ranks, its
/// messages are received in it, and an allreduce ends it. Then no rank that has ended an iteration delays a rank that
/// has not.
bool has_closed_iterations(const Program& program);

}  // namespace warpfront::program
