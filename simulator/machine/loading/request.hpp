// The ranks that a scenario requests a machine for.
#pragma once

#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/placement/cores.hpp"
#include "simulator/machine/placement/rules.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::machine {

/// The ranks for which a machine is requested. Invariant: no side of grid or patch is zero.
struct RankRequest {
    RankGrid grid;
    input::SourceRange grid_range;  // of `ranks:` in the scenario
    Patch patch;
    input::SourceRange patch_range;  // of `node:`
    CoreRequest cores{};             // of the patch's ranks
    PlacementRequest placement;
    /// Visits the pairs of ranks that exchange messages. Called only to tabulate routes and to check the costs of
    /// messages.
    PairVisitor pairs;
    std::vector<Bytes> sizes{};  // of the messages, each once, descending
    /// The reason for the number of nodes, for faults: "2 jobs need 6 nodes"; empty: the ranks in their patches.
    std::string needs{};
};

}  // namespace warpfront::machine
