// The machine that a scenario requests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/placement/cores.hpp"
#include "simulator/machine/placement/rules.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::machine {

/// The request of a machine. Invariant: no side of grid or patch is zero.
struct MachineRequest {
    std::filesystem::path hardware_file;
    input::SourceRange mentioned_at;  // in the scenario, at the name of the hardware file
    HardwareOverrides overrides;      // of the hardware file, by the scenario
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
