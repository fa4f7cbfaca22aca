// The wires between two nodes, in the order in which a message crosses them: injection at the sender's network
// interface (NIC), the links of the route, ejection at the receiver's NIC. A wire limits every message that crosses it,
// even if messages do not wait for it: S bytes over wires of which the slowest has the bandwidth b take at least S / b
// (network/packet_pipeline.hpp). The waits for shared wires are charged separately.
//
// Each pair of ranks has a slowest wire, by which the engines charge its messages. Analytic models charge all messages
// between nodes by the slowest wire of all pairs: the `wire` of the network's rows.
#pragma once

#include <string>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::machine {

/// Returns the times per byte of each NIC, shared or not. Without NICs they are zero.
NicWires nic_wires(const Machine& machine);

/// Returns the slowest wire between two ranks on different nodes, the first of several equal ones. The machine must
/// contain their route.
Wire slowest_wire(const Machine& machine, Rank from, Rank to);

/// Returns a name such as "injection at each NIC", "link `host 5 up`".
std::string wire_name(const Machine& machine, const Wire& wire);

/// Formats a bandwidth with six digits and a prefix for at most three digits before the point: "500 MB/s".
std::string as_text(Bandwidth bandwidth);

/// Returns true if the wire makes large messages slower than the times per byte of the row do.
bool limits(const Wire& wire, const ProfileRow& row);

/// Sets the machine's slowest wire and the `wire` of the network's rows, and notes the wires that limit messages of
/// `sizes`. Without `pairs` all wires of the machine are included; without `sizes` all rows.
void limit_by_wires(const PairVisitor& pairs, const std::vector<Bytes>& sizes, Machine& machine);

}  // namespace warpfront::machine
