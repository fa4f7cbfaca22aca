// What a scenario asks of a machine.
#pragma once

#include <filesystem>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/loading/overrides.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/placement/rules.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::machine {

/// No side of grid or patch is zero.
struct Request {
    std::filesystem::path hardware_file;
    input::SourceRange mentioned_at;  // where the scenario names the hardware file
    HardwareOverrides changes;        // that the scenario makes to it
    RankGrid grid;
    input::SourceRange grid_range;  // of `ranks:` in the scenario
    Patch patch;
    input::SourceRange patch_range;  // of `node:`
    PlacementRequest placement;
    /// Asked only where routes must be tabulated, and then in a child process, so it may read anything and change
    /// nothing.
    PairVisitor pairs;
    std::vector<Bytes> sizes{};  // of the messages, without repeats, the largest first
};

}  // namespace warpfront::machine
