// Making room: a platform that is one regular cluster, or a topology of the hardware file, grows until its free hosts
// suffice for a placement.
//   torus       as torus_folding.hpp says
//   flat        by hosts
//   fat tree    by subtrees of its top switches, the last of `children`: the levels below, and the links up from each
//               subtree, stay
//   dragonfly   by groups, as many as a chassis has blades; where these do not suffice, by chassis per group
//   HyperX      its shortest dimension, of several the last, by one, again and again
//   random      by switches, drawn anew with the same degree and seed
// What a file of edges describes does not grow.
#pragma once

#include <cstdint>

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/platform.hpp"
#include "simulator/machine/loading/request.hpp"
#include "simulator/machine/machine.hpp"

namespace warpfront::machine {

/// False, and a fault, where the ranks need more nodes than node numbers are made for.
bool countable(std::uint64_t nodes, const Request& request, input::Diagnostics& faults);

/// Whether the placement's nodes find free hosts on the platform as it is.
bool has_room(const Placement& placement, std::uint32_t hosts, const PlacementRequest& request);

/// Makes room for the machine's placement where there is none, in `platform` and `machine`, with a note; or says why
/// not (too_few_hosts, cannot_grow, too_many_nodes).
void make_room(const HardwareFile& file, const Request& request, Platform& platform, Machine& machine,
               input::Diagnostics& faults);

}  // namespace warpfront::machine
