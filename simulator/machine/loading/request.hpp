// The ranks for which a scenario needs a machine.
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

/// The ranks for which a machine is built. Invariant: no side of the grid or of the patch is zero.
struct RankRequest {
    RankGrid grid;
    SourceRange grid_range;  // range of `ranks` in the scenario
    Patch patch;
    SourceRange patch_range;  // range of `node` in the scenario
    CoreRequest cores{};      // how the ranks of a patch are distributed over cores
    PlacementRequest placement;
    /// Visits the pairs of ranks that exchange messages. It is called only to find routes and to check the costs of
    /// messages.
    PairVisitor pairs;
    std::vector<Bytes> sizes{};  // all different sizes of messages, descending
    /// The reason why nodes are needed, for messages to the user, such as "2 jobs need 6 nodes". If it is empty, these
    /// messages name the ranks and their patches.
    std::string needs{};
};

}  // namespace warpfront::machine
