// Growth (`size: fit`): a platform that is a single regular cluster, or a topology of the hardware file, grows until
// its free hosts suffice for a placement.
//   torus       torus_folding.hpp
//   flat        more hosts
//   fat tree    more subtrees of the top switches (the last of `children`); the levels below, and the links up from
//   each
//               subtree, stay
//   dragonfly   more groups, up to the blades of a chassis; if these do not suffice, more chassis per group. With
//               `global`: more groups, up to one more than the global ports of a group; if these do not suffice, one
//               chassis more per group, and so on
//   HyperX      its shortest dimension, the last one of several, by one, repeatedly
//   random      more switches, drawn anew with the same degree and seed
// A graph from an edge file does not grow.
#pragma once

#include <cstdint>

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/platform.hpp"
#include "simulator/machine/loading/request.hpp"
#include "simulator/machine/machine.hpp"

namespace warpfront::machine {

/// Returns false, and adds an error, if the ranks need more than kMostNodes nodes.
bool check_node_count(std::uint64_t nodes, const RankRequest& request, input::Diagnostics& faults);

/// Returns true if `hosts` hosts have enough free ones for the placement.
bool fits(const Placement& placement, std::uint32_t hosts, const PlacementRequest& request);

/// Grows `platform` and `machine`, with a note, if the machine's placement does not fit. Diagnostics: too_few_hosts,
/// cannot_grow, too_many_nodes, bad_topology, platform_limits.
void grow_to_fit(const HardwareFile& file, const RankRequest& request, Platform& platform, Machine& machine,
                 input::Diagnostics& faults);

}  // namespace warpfront::machine
