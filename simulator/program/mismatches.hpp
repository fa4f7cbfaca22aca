// Mismatches between the ranks of a program: sends without receives, and collectives that differ between ranks. Also a
// test that all messages are received in the iteration in which they are sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/program/program.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::program {

/// Messages on a channel that are sent but not received, or received but not sent.
struct Mismatch {
    Rank rank;
    Channel channel;
    bool is_send = false;          // true if `rank` sends on the channel
    std::uint16_t site = 0;        // first statement of `rank` that sends or receives on the channel
    std::uint64_t count = 0;       // number of messages on the rank's side over the whole run
    std::uint64_t peer_count = 0;  // number of messages on the peer's side
    /// True if `rank` receives these messages from any source, or sends them as replies. Then the counts are sums over
    /// all partners, and `channel` leads to the first partner.
    bool any = false;
};
/// Returns up to `limit` mismatches in the order of ranks, sends before receives. The result is empty if all messages
/// are received.
std::vector<Mismatch> mismatches(const Program& program, std::size_t limit);

/// An allreduce that only one of two ranks calls, or that both call with different sizes.
struct CollectiveMismatch {
    struct Side {
        std::uint16_t site = 0;
        Bytes size;
    };
    Rank rank;                         // the rank that differs from rank 0
    std::uint64_t count_of_first = 0;  // number of allreduces of rank 0 in the whole run
    std::uint64_t count = 0;           // number of allreduces of `rank`
    std::uint64_t number = 1;          // position of the first allreduce that differs, from 1
    std::optional<Side> at_first;      // the allreduce of rank 0 at this position, if any
    std::optional<Side> here;          // the allreduce of `rank` at this position, if any
};
/// Returns the first rank whose allreduces differ from those of rank 0; nothing if all ranks have the same ones. Throws
/// std::overflow_error if the number of allreduces does not fit its type.
std::optional<CollectiveMismatch> collective_mismatch(const Program& program);

/// Returns true if iterations are closed: every iteration is one iteration of an outermost loop on all ranks, its
/// messages are received within it, and an allreduce ends it. Then a rank that has ended an iteration cannot delay a
/// rank that is still in the iteration.
bool has_closed_iterations(const Program& program);

}  // namespace warpfront::program
