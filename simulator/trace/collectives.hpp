// Collectives as the messages of a stated algorithm; allreduce is the IR's own (recursive doubling). With P ranks, each
// rank r does, in this order:
//   barrier        dissemination: for k = 0, 1, ... while 2^k < P: sends nothing to r + 2^k, receives from r - 2^k
//   bcast          binomial tree from the root: receives once, then sends to ever nearer ranks
//   reduce         the same tree backwards
//   gather(v)      linear: each sends to the root, which receives in the order of ranks
//   allgather(v)   ring: P - 1 times sends to r + 1 what it has got last, at first its own, and receives from r - 1
//   alltoall(v)    pairwise: for k = 1 ... P - 1: sends to r + k, receives from r - k
// (Thakur, Rabenseifner & Gropp 2005.) All modulo P. In a step with both, the receive is posted, the message sent, the
// receive awaited. Computing that an action asks for comes after it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "simulator/trace/action.hpp"

namespace warpfront::trace {

/// What a rank does at a time; of a step with both ends the receive is posted first.
struct Exchange {
    std::optional<std::uint32_t> to;
    Bytes bytes;  // to there
    std::optional<std::uint32_t> from;
};

/// Calls back with the exchanges of `rank` in order; `action` is any collective but allreduce.
void for_each_exchange(const Action& action, std::uint32_t rank, std::uint32_t ranks,
                       const std::function<void(const Exchange&)>& visit);

/// So many exchanges at most, of one rank.
std::uint64_t most_exchanges(Verb verb, std::uint32_t ranks);

}  // namespace warpfront::trace
