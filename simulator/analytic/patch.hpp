// The ranks of one node as the closed forms see them: a full Cx x Cy patch in the middle of the array, and how many
// extra holds of the node's bus each tile pays there.
//
// Counting, which gives the published terms (Mudalige 2009, appendix A: 0, 2, 4, 9 and 18 holds for 1, 2 x 1, 2 x 2,
// 2 x 4 and 4 x 4 ranks) and extends them to any patch: in the steady state every rank takes its four messages in four
// phases, and neighbours are two phases apart, so the node's x messages fall into two phases and its y messages into
// the other two. Per tile (Cx + 1) * Cy x messages and Cx * (Cy + 1) y messages touch the node, those inside it
// included. In each phase all but the first message collide with one before, and a collision costs half a hold, since
// each of two messages is as likely to come second:
//
//   holds_x = ((Cx + 1) * Cy - 2) / 2        holds_y = (Cx * (Cy + 1) - 2) / 2
//
// At most one of the two is no whole number. Its half is rounded up into the other direction, which has more messages
// (2 x 1: 1.5 becomes 2 holds, both of y); where there is no other direction, it is rounded up in its own.
#pragma once

#include <cstdint>

#include "simulator/machine/placement.hpp"

namespace warpfront::analytic {

/// The patch, no larger than the rank array itself.
machine::Patch occupied_patch(const machine::Placement& placement);

/// Holds of the bus that the steady state pays per tile, by the size of the message that holds it.
struct BusHolds {
    std::int64_t east_west = 0;
    std::int64_t north_south = 0;
    friend constexpr bool operator==(const BusHolds&, const BusHolds&) = default;
};
BusHolds bus_holds(const machine::Placement& placement);

}  // namespace warpfront::analytic
