// Collectives as messages, by the algorithms that the hardware file names (machine/collectives.hpp; * is the default).
// With P ranks each rank r performs, in this order, all modulo P:
//   barrier        * dissemination: for k = 0, 1, ... while 2^k < P: sends 0 B to r + 2^k, receives from r - 2^k
//                  linear: all send 0 B to rank 0, which then sends 0 B to all
//   bcast          * binomial: a tree from the root; a rank receives once, then sends to ever nearer ranks
//                  linear: the root begins to send to all
//   reduce         * binomial: the same tree backwards
//                  linear: all send to the root, which begins to receive from all
//   allreduce      * recursive_doubling: the IR's own (network/allreduce.hpp)
//                  reduce_bcast: reduce to rank 0, then bcast from rank 0, each with its own algorithm
//   gather(v)      * linear, as reduce
//   allgather(v)   * ring: P - 1 times sends to r + 1 the block received last (at first its own), receives from r - 1
//                  linear: begins to send to all and to receive from all
//   alltoall(v)    * pairwise: for k = 1 ... P - 1: sends to r + k, receives from r - k
//                  linear: begins to receive from all and to send to all
//   alltoall       bruck: for k = 0, 1, ... while 2^k < P: sends to r + 2^k the blocks whose number has bit k
//                  open_mpi: bruck below 200 B among more than 12 ranks, else linear below 3,000 B, else pairwise
// (Thakur, Rabenseifner & Gropp 2005; Bruck et al. 1997; the last is Open MPI's rule as in SMPI 3.32.) The waits for
// begun exchanges follow at the end, in the order of their beginning; SMPI waits in the order of arrival. In any other
// step with both a send and a receive, the receive is posted, the message sent, then the receive waited for. The
// computation of an action comes last.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "simulator/machine/collectives.hpp"
#include "simulator/trace/action.hpp"

namespace warpfront::trace {

/// One step of a rank; with both ends, the receive is posted first.
struct CollectiveStep {
    std::optional<std::uint32_t> to;
    Bytes bytes;  // sent
    std::optional<std::uint32_t> from;
    bool begins = false;  // without waiting

    /// With neither end: waits for all begun exchanges.
    bool waits() const { return !to && !from; }
};

/// The algorithm of a collective's verb.
machine::Algorithm algorithm_of(Verb verb, const machine::Collectives& collectives);

/// Calls back with the exchanges of `rank` in order. `action` is any collective; an allreduce by recursive doubling has
/// no exchanges here.
void for_each_exchange(const Action& action, const machine::Collectives& collectives, std::uint32_t rank,
                       std::uint32_t ranks, const std::function<void(const CollectiveStep&)>& visit);

/// An upper limit on the exchanges of one rank.
std::uint64_t most_exchanges(Verb verb, const machine::Collectives& collectives, std::uint32_t ranks);

}  // namespace warpfront::trace
