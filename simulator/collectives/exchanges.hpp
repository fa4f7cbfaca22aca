// Collectives as messages, by the algorithms that the hardware file names (algorithms.hpp; * is the default).
// With P members each member r performs, in this order, all modulo P:
//   barrier        * dissemination: for k = 0, 1, ... while 2^k < P: sends 0 B to r + 2^k, receives from r - 2^k
//                  recursive_doubling: as allreduce, with 0 B
//                  linear: all send 0 B to member 0, which then sends 0 B to all
//   bcast          * binomial: a tree from the root; a member receives once, then sends to ever nearer members
//                  linear: the root begins to send to all
//   reduce         * binomial: the same tree backwards
//                  linear: all send to the root, which begins to receive from all
//   allreduce      * recursive_doubling (recursive_doubling.hpp)
//                  reduce_bcast: reduce to member 0, then bcast from member 0, each with its own algorithm
//   gather(v)      * linear, as reduce
//   gather         binomial: as reduce; a member sends the shares of its whole subtree
//   scatter        * binomial: as bcast; a member is sent the shares of its whole subtree
//                  linear: as bcast
//   allgather(v)   * ring: P - 1 times sends to r + 1 the block received last (at first its own), receives from r - 1
//                  linear: begins to send to all and to receive from all
//   alltoall(v)    * pairwise: for k = 1 ... P - 1: sends to r + k, receives from r - k
//                  linear: begins to receive from all and to send to all
//   alltoall       bruck: for k = 0, 1, ... while 2^k < P: sends to r + 2^k the blocks whose number has bit k
//                  open_mpi: bruck below 200 B among more than 12 members, else linear below 3,000 B, else pairwise
//   reduce_scatter * pairwise, as alltoall: a member is sent its part of each other's data
//                  reduce_then_scatter: reduce of all to member 0, then scatter from it, each with its own algorithm;
//                  shares that differ are scattered as by linear
//   scatterv       * linear, as bcast: a member is sent its share
//   scan, exscan   * recursive_doubling (Hillis & Steele 1986): for k = 0, 1, ... while 2^k < P: sends to r + 2^k,
//                  receives from r - 2^k, where there are such members
//                  linear: begins to receive from all before it and to send to all behind it
// (Thakur, Rabenseifner & Gropp 2005; Bruck et al. 1997; open_mpi is Open MPI's rule as in SMPI 3.32.) The waits for
// begun exchanges follow at the end: for the sends first, since what holds a resource leaves no sooner than its rank
// waits for it, then for the receives, each in the order of their beginning; SMPI waits in the order of arrival. In any
// other step with both a send and a receive, the receive is posted, the message sent, then the receive waited for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "simulator/collectives/algorithms.hpp"
#include "simulator/collectives/collective.hpp"

namespace warpfront::collectives {

/// One step of a member; with both ends, the receive is posted first.
struct Exchange {
    std::optional<std::uint32_t> to;
    Bytes bytes;  // sent
    std::optional<std::uint32_t> from;
    bool begins = false;  // without waiting

    /// With neither end: waits for all begun exchanges.
    bool waits() const { return !to && !from; }
};

/// Calls back with the exchanges of `member` in order.
void for_each_exchange(const Collective& collective, const Algorithms& algorithms, std::uint32_t member,
                       std::uint32_t members, const std::function<void(const Exchange&)>& visit);

/// An upper limit on the exchanges of one member, whatever the size.
std::uint64_t most_exchanges(Kind kind, const Algorithms& algorithms, std::uint32_t members);

}  // namespace warpfront::collectives
