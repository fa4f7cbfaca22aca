// The ranks of one node in the closed forms: a full Cx x Cy patch in the middle of the process grid, and the number of
// extra holds (occupancies) of a bus per tile.
//
// The count gives the published terms (Mudalige 2009, appendix A: 0, 2, 4, 9 and 18 holds for 1, 2 x 1, 2 x 2, 2 x 4
// and 4 x 4 ranks) and extends them to any patch. In the steady state every rank handles its four messages in four
// phases, and neighbours are two phases apart. So the node's x messages fall into two phases and its y messages into
// the other two. Per tile (Cx + 1) * Cy x messages and Cx * (Cy + 1) y messages involve the node, those inside it
// included. In each phase all but the first message collide with an earlier one. A collision costs half a hold, since
// either message is equally likely to come second:
//
//   holds_x = ((Cx + 1) * Cy - 2) / 2        holds_y = (Cx * (Cy + 1) - 2) / 2
//
// If a node has several buses, the patch is that of the ranks on one of them: of 4 x 4 ranks that fill 16 cores on four
// buses in order, each bus has a row of 4 x 1, or 2 x 2 with `core_order: squares`. Ranks that form no rectangle are
// counted in the same way, by the messages that involve any of them; if buses differ, the one with the most holds
// counts.
//
// At most one of the two is not a whole number. Its half is rounded up in the other direction, which has more messages
// (2 x 1: 1.5 becomes 2 holds, both of y); if there is no other direction, in its own.
#pragma once

#include <cstdint>

#include "simulator/machine/machine.hpp"
#include "simulator/machine/placement.hpp"

namespace warpfront::analytic {

/// Returns the patch, no larger than the process grid itself.
machine::Patch occupied_patch(const machine::Placement& placement);

/// Extra holds of the bus per tile in the steady state, by the direction of the message.
struct BusHolds {
    std::int64_t east_west = 0;
    std::int64_t north_south = 0;
    friend constexpr bool operator==(const BusHolds&, const BusHolds&) = default;
};
/// Returns the holds of the bus that has the most; a machine without buses is treated as one bus per node.
BusHolds bus_holds(const machine::Machine& machine);

/// Returns the largest number of ranks of a node on one of its `count` groups of cores: chips, buses, NICs or memories.
std::uint32_t most_ranks_of_group(const machine::Machine& machine, std::uint32_t count);

/// Returns the factor by which all computing slows down if all k ranks that share memory bandwidth compute, for the
/// largest k of a node: max(1, k * per_core / bandwidth), 1 if none share it (machine/memory_law.hpp).
double slowing_of(const machine::Machine& machine);

}  // namespace warpfront::analytic
