// The wires between two nodes, in the order in which a message crosses them: injection at the sender's network
// interface (NIC), the links of the route, ejection at the receiver's NIC. A wire limits every message that crosses it,
// even if messages do not wait for it. If the slowest wire has the bandwidth b, S bytes take at least S / b
// (network/packet_pipeline.hpp). Waiting for shared wires is a separate cost.
//
// Engines use the slowest wire between each pair of ranks. Analytic models use the slowest wire of all pairs for all
// messages between nodes: the `wire` of the network's rows.
#pragma once

#include <string>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::machine {

/// Returns the times per byte of a NIC, even if NICs are not shared. They are zero if the machine has no NICs.
NicWires nic_wires(const Machine& machine);

/// Returns the slowest wire between two ranks on different nodes, the first of several equal ones. The machine must
/// contain the route.
Wire slowest_wire(const Machine& machine, Rank from, Rank to);

/// Returns the name of a wire, such as "injection at each NIC" or "link `host 5 up`".
std::string wire_name(const Machine& machine, const Wire& wire);

/// Formats a bandwidth with six digits and a unit prefix, so that at most three digits precede the point: "500 MB/s".
std::string as_text(Bandwidth bandwidth);

/// Returns true if large messages are slower on the wire than by the times per byte of the row.
bool limits(const Wire& wire, const ProfileRow& row);

/// Sets the machine's slowest wire and the `wire` of the network's rows. Notes the wires that limit messages of
/// `sizes`. Without `pairs` all wires of the machine are included, and without `sizes` all rows.
void limit_by_wires(const PairVisitor& pairs, const std::vector<Bytes>& sizes, Machine& machine);

}  // namespace warpfront::machine
