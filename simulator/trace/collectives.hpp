// Collectives as messages, by the algorithms that the hardware file names (machine/collectives.hpp; * is the default).
// With P ranks, each rank r does, in this order, all modulo P:
//   barrier        * dissemination: for k = 0, 1, ... while 2^k < P: sends nothing to r + 2^k, receives from r - 2^k
//                  linear: all send nothing to rank 0; it sends nothing to all when it has everything
//   bcast          * binomial: a tree from the root; a rank receives once, then sends to ever nearer ranks
//                  linear: the root begins to send to all
//   reduce         * binomial: the same tree backwards
//                  linear: all send to the root, which begins to receive from all
//   allreduce      * recursive_doubling: the IR's own (network/allreduce.hpp)
//                  reduce_bcast: reduce to rank 0, then bcast from there, each with its own algorithm
//   gather(v)      * linear, as reduce
//   allgather(v)   * ring: P - 1 times sends to r + 1 what it has got last, at first its own, and receives from r - 1
//                  linear: begins to send to all and to receive from all
//   alltoall(v)    * pairwise: for k = 1 ... P - 1: sends to r + k, receives from r - k
//                  linear: begins to receive from all and to send to all
//   alltoall       bruck: for k = 0, 1, ... while 2^k < P: sends to r + 2^k the blocks whose number has bit k
//                  open_mpi: bruck below 200 B among more than 12 ranks, else linear below 3,000 B, else pairwise
// (Thakur, Rabenseifner & Gropp 2005; Bruck et al. 1997; the last is Open MPI's rule as SMPI 3.32 has it.) What is
// begun is awaited at the end, in the order in which it was begun: SMPI awaits in the order of arrival. Elsewhere, in a
// step with both, the receive is posted, the message sent, the receive awaited. Computing that an action asks for comes
// last.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "simulator/machine/collectives.hpp"
#include "simulator/trace/action.hpp"

namespace warpfront::trace {

/// What a rank does at a time; of a step with both ends the receive is posted first.
struct Exchange {
    std::optional<std::uint32_t> to;
    Bytes bytes;  // to there
    std::optional<std::uint32_t> from;
    bool begins = false;  // goes on without waiting

    /// With neither end: waits for all that was begun.
    bool waits() const { return !to && !from; }
};

/// Of a collective's verb.
machine::Algorithm algorithm_of(Verb verb, const machine::Collectives& collectives);

/// Calls back with the exchanges of `rank` in order. `action` is any collective; an allreduce by recursive doubling has
/// none here.
void for_each_exchange(const Action& action, const machine::Collectives& collectives, std::uint32_t rank,
                       std::uint32_t ranks, const std::function<void(const Exchange&)>& visit);

/// So many exchanges at most, of one rank.
std::uint64_t most_exchanges(Verb verb, const machine::Collectives& collectives, std::uint32_t ranks);

}  // namespace warpfront::trace
