// The ranks of one node in the closed forms: a full Cx x Cy patch in the middle of the process grid, and the number of
// extra holds of a bus per tile. A hold is the occupancy of the bus by one message.
//
// Mudalige 2009, appendix A, publishes 0, 2, 4, 9 and 18 extra holds for 1, 2 x 1, 2 x 2, 2 x 4 and 4 x 4 ranks. The
// following count gives these numbers, and extends them to any patch. In the steady state every rank handles its four
// messages in four phases, and neighbours are two phases apart. So the node's messages along x fall into two phases,
// and its messages along y into the other two. Per tile the node takes part in (Cx + 1) * Cy messages along x and in
// Cx * (Cy + 1) messages along y, including those inside the node. In each phase every message but the first collides
// with an earlier one. A collision costs half a hold, since either message is equally likely to come second:
//
//   holds_x = ((Cx + 1) * Cy - 2) / 2        holds_y = (Cx * (Cy + 1) - 2) / 2
//
// If a node has several buses, the patch is that of the ranks on one of them: of 4 x 4 ranks that fill 16 cores on four
// buses in order, each bus has a row of 4 x 1, or 2 x 2 with `core_order: squares`. Ranks that form no rectangle are
// counted in the same way, by the messages that involve any of them; if buses differ, the one with the most holds
// counts.
//
// At most one of the two numbers is not whole. It is rounded down, and the number of the other direction, which has
// more messages, is increased by one: for 2 x 1 ranks, 0.5 and 1 become 0 and 2. If there are no messages in the other
// direction, the number is rounded up instead.
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
/// Returns the holds of the bus with the most holds. A machine without buses is treated as having one bus per node.
BusHolds bus_holds(const machine::Machine& machine);

/// Returns the largest number of ranks of a node on one of its `count` groups of cores: chips, buses, NICs or memories.
std::uint32_t most_ranks_of_group(const machine::Machine& machine, std::uint32_t count);

/// Returns the factor by which computing is slower if all k ranks that share memory bandwidth compute, for the largest
/// k of a node: max(1, k * per_core / bandwidth). Returns 1 if no ranks share it (machine/memory_law.hpp).
double slowing_of(const machine::Machine& machine);

}  // namespace warpfront::analytic
