// Collectives as messages, by the algorithms that the hardware file selects (algorithms.hpp; * is the default). With P
// members each member r performs, in this order, all modulo P; Q is the largest power of two not above P. Positions are
// members counted from the root. A vector is divided into blocks that differ by one element at most (blocks.hpp).
//
//   barrier        * dissemination: for k = 0, 1, ... while 2^k < P: sends 0 B to r + 2^k, receives from r - 2^k
//                  recursive_doubling: as allreduce, with 0 B
//                  linear: all send 0 B to member 0, which then sends 0 B to all
//                  binomial: reduce, then bcast, of 0 B and by way of member 0
//   bcast          * binomial: a tree from the root, where position p has the parent p less its lowest bit; a member
//                  receives once, then sends to ever nearer members
//                  linear: the root begins to send to all
//                  binomial_doubling, knomial, binary, chain: a tree, whose members begin to send to all children: p
//                  less its highest bit is the parent; p less its lowest digit of base 4; two children for each
//                  member, p + 2^l and p + 2^(l + 1) on level l; p - 1
//                  split_binary: the two halves down the two sides of the binary tree; then members of opposite sides
//                  exchange halves
//                  scatter_allgather, scatter_ring: scatter of P blocks by a binomial tree, then allgather by
//                  recursive_doubling or ring
//   reduce         * binomial, binary, chain: the same trees backwards
//                  linear, sequential: all send to the root, which begins to receive from all, or receives from one
//                  after another, the last member first
//                  in_order_binary: a binary tree from member P - 1 that keeps the order of operands, then a message
//                  to the root
//                  rabenseifner, halving_doubling: as allreduce, with a gather to the root at the end
//   allreduce      * recursive_doubling (recursive_doubling.hpp)
//                  reduce_bcast: reduce to member 0, then bcast from it, each with its own algorithm
//                  linear: the same, both linear
//                  ring: reduce_scatter by ring, then allgather by ring
//                  rabenseifner: the vector of Q blocks is halved with r xor 1, r xor 2, ... and is put together in the
//                  opposite order. Before, members beyond Q leave by halves: of 2 (P - Q) members each pair exchanges
//                  halves, and the odd one gives its result to the even one
//                  halving_doubling: the same, but that even members leave by sending their vector to the odd ones
//                  (odd to even ones in a reduce)
//   gather(v)      * linear, sequential (first member first): as reduce
//   gather         binomial: as reduce; a member sends the shares of its whole subtree
//                  linear_sync: the root requests the shares one after another by messages of 0 B; another of 0 B
//                  follows the share
//   scatter(v)     linear, sequential: as bcast; the latter sends to one after another
//   scatter        * binomial: as bcast; a member is sent the shares of its whole subtree
//   allgather(v)   * ring: P - 1 times sends to r + 1 the block received last (at first its own), receives from r - 1
//                  linear: begins to send to all and to receive from all
//                  bruck: for k = 0, 1, ... while 2^k < P: sends 2^k blocks, or those that lack, to r - 2^k, receives
//                  from r + 2^k
//                  recursive_doubling: with r xor 2^k exchanges all blocks so far; members without that partner get
//                  its blocks from others
//                  neighbour_exchange: with both neighbours in turn, two blocks at a time; an even P
//   allgatherv     gather_bcast: gatherv to member 0, then bcast from it, each with its own algorithm
//   alltoall(v)    * pairwise: for k = 1 ... P - 1: sends to r + k, receives from r - k
//                  linear: begins to receive from all and to send to all
//                  scattered: the same, 32 members at a time
//   alltoall       pairwise_xor: for k = 1 ... P - 1: with r xor k; P = Q
//                  bruck: for k = 0, 1, ... while 2^k < P: sends to r + 2^k the blocks whose number has bit k
//   reduce_scatter * pairwise, as alltoall: a member is sent its part of each other's data
//                  reduce_then_scatter: reduce of all to member 0, then scatter from it, each with its own algorithm;
//                  shares that differ are scattered by that of scatterv
//                  reduce_then_scatterv: the same, with scatterv for equal shares too
//                  recursive_halving: even members of the first 2 (P - Q) send all to the odd ones, and get their
//                  results back; the others halve their data with members Q / 2, Q / 4, ... away
//                  recursive_doubling: with r xor 2^k exchanges all blocks but those of the own 2^k members; members
//                  without that partner get its data from others
//                  ring: P - 1 times sends a block to r + 1, receives the one before from r - 1, to which it adds
//                  butterfly: as recursive_halving, with members 1, 2, 4, ... away; then blocks go to their members
//   scan, exscan   * recursive_doubling (Hillis & Steele 1986): for k = 0, 1, ... while 2^k < P: sends to r + 2^k,
//                  receives from r - 2^k, if there are such members
//                  linear: begins to receive from all before it and to send to all behind it
//                  chain: receives from r - 1, sends to r + 1
//                  hypercube: with r xor 2^k, if there is such a member
//
// (Thakur, Rabenseifner & Gropp 2005; Rabenseifner 2004; Bruck et al. 1997; Chen, Sun & Bernaschi 2005 for
// neighbour_exchange; Patarasuk & Yuan 2009 for ring; coll/base of Open MPI 4.1 and src/mpi/coll of MPICH 4 for the
// order of messages.) The waits for begun exchanges follow at the end of the algorithm or of its phase: for the sends
// first, since what holds a resource leaves no sooner than its rank waits for it, then for the receives, each in the
// order of their beginning; SMPI waits in the order of arrival. In any other step with both a send and a receive, the
// receive is posted, the message sent, then the receive waited for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulator/collectives/algorithms.hpp"
#include "simulator/collectives/collective.hpp"

namespace warpfront::collectives {

/// Calls `visit` with the exchanges of `member` in order.
void for_each_exchange(const Collective& collective, const Algorithms& algorithms, std::uint32_t member,
                       std::uint32_t members, const std::function<void(const Exchange&)>& visit);

/// Returns an upper limit on the exchanges of one member.
std::uint64_t most_exchanges(const Collective& collective, const Algorithms& algorithms, std::uint32_t members);

/// A readable description of how a collective is performed.
struct Description {
    std::string operation;  // "allreduce"; "bcast in allreduce" for a part of another collective
    std::string algorithm;
    std::string because;
    std::optional<Bytes> bytes;  // Sizes::each
};
/// Describes the collective, and each of its parts, such as those of an allreduce by reduce_bcast.
std::vector<Description> descriptions_of(const Collective& collective, const Algorithms& algorithms,
                                         std::uint32_t members);

}  // namespace warpfront::collectives
