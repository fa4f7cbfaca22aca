// The description of a machine for `warpfront check --platform`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/machine/topology_metrics.hpp"

namespace warpfront::tools {

/// Formats the machine as lines of a name and a value. `distances` are those of the ranks of a scenario, if there is
/// one; `notes` come last.
std::string description(const machine::Machine& machine, const std::optional<machine::Distances>& distances,
                        const std::vector<std::string>& notes);

}  // namespace warpfront::tools
