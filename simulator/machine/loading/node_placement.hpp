// Places the nodes of a request on the hosts of a loaded platform, by the scenario's rule (placement/rules.hpp) or its
// rank file (placement/rank_file.hpp), and derives the pairs of hosts that need a route and the notes for the user.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/platform.hpp"
#include "simulator/machine/loading/request.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/placement/rank_file.hpp"

namespace warpfront::machine {

/// Reads the rank file; nothing if none is requested or it has faults.
std::optional<RankFile> rank_file_of(const MachineRequest& request, input::Diagnostics& faults);

/// The host of each node. `listed` is the rank file if there is one, already checked. The platform has enough free
/// hosts.
NodeHosts place_nodes(const MachineRequest& request, const Placement& placement, std::uint32_t hosts,
                      const Platform& platform, const std::optional<RankFile>& listed);

/// The host pairs between which ranks may exchange messages, ascending, each once. `placement` must have its hosts.
std::vector<HostPair> pairs_to_route(const MachineRequest& request, const Placement& placement);

/// Notes the placement rule, the hosts that other jobs occupy, and the nodes displaced from these.
void add_placement_notes(const MachineRequest& request, std::uint32_t displaced, Machine& machine);

}  // namespace warpfront::machine
