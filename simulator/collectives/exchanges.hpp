// Collectives as messages, for the algorithms that a hardware file selects (algorithms.hpp). * marks the default. Each
// member r of P members performs the steps in the order of the text. Numbers of members are modulo P. Q is the largest
// power of two not above P. A position is the number of a member counted from the root. A vector is divided into blocks
// whose sizes differ by one element at most (blocks.hpp). "Begins to" means a nonblocking message.
//
//   barrier        * dissemination: for k = 0, 1, ... while 2^k < P: sends 0 B to r + 2^k, receives from r - 2^k
//                  recursive_doubling: like allreduce, with 0 B
//                  linear: all send 0 B to member 0, which then sends 0 B to all
//                  binomial: reduce to member 0, then bcast from it, both of 0 B
//   bcast          * binomial: a tree from the root, in which the parent of position p is p without its lowest bit; a
//                  member receives once, then sends to its children, the most distant one first
//                  linear: the root begins to send to all
//                  binomial_doubling: a tree, in which the parent of p is p without its highest bit; members begin to
//                  send to all their children, as in the next three trees
//                  knomial: a tree, in which the parent of p is p without its lowest digit in base 4
//                  binary: a tree, in which p on level l has the children p + 2^l and p + 2^(l + 1)
//                  chain: a tree, in which the parent of p is p - 1
//                  split_binary: each side of the binary tree gets one half of the message; then members of opposite
//                  sides exchange their halves
//                  scatter_allgather, scatter_ring: scatter of P blocks by a binomial tree, then allgather by
//                  recursive_doubling or ring
//   reduce         * binomial, binary, chain: the same trees, from all members to the root
//                  linear: all send to the root, which begins to receive from all
//                  sequential: all send to the root, which receives from one after another, the last member first
//                  in_order_binary: a binary tree with member P - 1 at its top that keeps the order of operands; then
//                  member P - 1 sends the result to the root
//                  rabenseifner, halving_doubling: as allreduce, with a gather to the root at the end
//   allreduce      * recursive_doubling (recursive_doubling.hpp)
//                  reduce_bcast: reduce to member 0, then bcast from it, each with its own algorithm
//                  linear: the same, with both parts linear
//                  ring: reduce_scatter by ring, then allgather by ring
//                  rabenseifner: first P - Q members leave. For that, the first 2 (P - Q) members form pairs; a pair
//                  exchanges halves of its vectors, and the odd member sends its result to the even one. Then the
//                  vector of Q blocks is halved with r xor 1, r xor 2, ..., and put together in the opposite order
//                  halving_doubling: like rabenseifner, but even members leave, and send their whole vector to the odd
//                  ones (in a reduce, odd members leave)
//   gather(v)      * linear, sequential (first member first): like reduce
//   gather         binomial: like reduce; a member sends the shares of its whole subtree
//                  linear_sync: the root requests the shares one after another by messages of 0 B; after its share, a
//                  member sends another message of 0 B
//   scatter(v)     linear: the root begins to send to all
//                  sequential: the root sends to one after another
//   scatter        * binomial: like bcast; a member receives the shares of its whole subtree
//   allgather(v)   * ring: P - 1 times sends to r + 1 the block received last (at first its own), receives from r - 1
//                  linear: begins to send to all and to receive from all
//                  bruck: for k = 0, 1, ... while 2^k < P: sends 2^k blocks to r - 2^k, receives from r + 2^k; the
//                  last step sends only the missing blocks
//                  recursive_doubling: exchanges all blocks that it has with r xor 2^k; if there is no such member,
//                  receives the blocks of its group from others
//                  neighbour_exchange: exchanges two blocks at a time with both neighbours in turn; needs an even P
//   allgatherv     gather_bcast: gatherv to member 0, then bcast from it, each with its own algorithm
//   alltoall(v)    * pairwise: for k = 1 ... P - 1: sends to r + k, receives from r - k
//                  linear: begins to receive from all and to send to all
//                  scattered: the same, 32 members at a time
//   alltoall       pairwise_xor: for k = 1 ... P - 1: exchanges with r xor k; needs P = Q
//                  bruck: for k = 0, 1, ... while 2^k < P: sends to r + 2^k the blocks whose number has bit k
//   reduce_scatter * pairwise: like alltoall; a member receives its part of the data of each other member
//                  reduce_then_scatter: reduce of the whole vector to member 0, then scatter from it, each with its own
//                  algorithm; different shares need a scatterv
//                  reduce_then_scatterv: the same, with scatterv for equal shares too
//                  recursive_halving: even members of the first 2 (P - Q) send their vector to the odd ones, and
//                  receive their results at the end; the others halve their data with members Q / 2, Q / 4, ... away
//                  recursive_doubling: sends all blocks except those of its own 2^k members to r xor 2^k; if there is
//                  no such member, receives the data from others
//                  ring: P - 1 times sends a block to r + 1, receives the previous block from r - 1, and adds its own
//                  data to that block
//                  butterfly: like recursive_halving, with members 1, 2, 4, ... away; then each block is sent to the
//                  member to which it belongs
//   scan, exscan   * recursive_doubling (Hillis & Steele 1986): for k = 0, 1, ... while 2^k < P: sends to r + 2^k,
//                  receives from r - 2^k, if there are such members
//                  linear: begins to receive from all members before it and to send to all members after it
//                  chain: receives from r - 1, sends to r + 1
//                  hypercube: exchanges with r xor 2^k, if there is such a member
//
// Sources: Thakur, Rabenseifner & Gropp 2005; Rabenseifner 2004; Bruck et al. 1997; Chen, Sun & Bernaschi 2005 for
// neighbour_exchange; Patarasuk & Yuan 2009 for ring; coll/base of Open MPI 4.1 and src/mpi/coll of MPICH 4 for the
// order of messages.
//
// At the end of an algorithm, or of its phase, a member waits for its nonblocking messages in the order in which they
// began: first for the sends, then for the receives. Sends come first because a message that needs a resource leaves
// only when its rank waits for it. (SMPI waits in the order of arrival.) In any other step with a send and a receive,
// the receive is posted, then the message is sent, then the receive is waited for.
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

/// A description of how a collective is performed, for users.
struct Description {
    std::string operation;  // "allreduce"; "bcast in allreduce" for a part of an allreduce
    std::string algorithm;
    std::string because;
    std::optional<Bytes> bytes;  // Sizes::each
};
/// Describes the collective. If it combines others, such as an allreduce by reduce_bcast, each of them is described.
std::vector<Description> descriptions_of(const Collective& collective, const Algorithms& algorithms,
                                         std::uint32_t members);

}  // namespace warpfront::collectives
