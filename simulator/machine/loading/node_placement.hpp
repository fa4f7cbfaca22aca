// Where the nodes of a request stand on the very platform: the rule that the scenario asks for (placement.hpp), or its
// rank file (rank_file.hpp), and what follows from it: which hosts need a route, what the user should know.
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

/// The rank file, read; nothing where none is asked for or it has faults.
std::optional<RankFile> rank_file_of(const Request& request, input::Diagnostics& faults);

/// Where each node stands. `listed` is the rank file, if there is one; it has been checked, and there is room.
LaidOut place_nodes(const Request& request, const Placement& placement, std::uint32_t hosts, const Platform& platform,
                    const std::optional<RankFile>& listed);

/// The hosts of all ranks that may exchange messages between nodes, in order, each pair once; nodes have their hosts.
std::vector<HostPair> pairs_to_route(const Request& request, const Placement& placement);

/// Says by which rule nodes stand, how many hosts others have taken, how many nodes have `moved` on from those.
void add_placement_notes(const Request& request, std::uint32_t moved, Machine& machine);

}  // namespace warpfront::machine
