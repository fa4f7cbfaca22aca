// What a machine is, in words and figures, for `warpfront check --platform`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/machine/topology_metrics.hpp"

namespace warpfront::tools {

/// Lines of a name and what it is. `distances` are those of a scenario's ranks, if there is one; `notes` come last.
std::string description(const machine::Machine& machine, const std::optional<machine::Distances>& distances,
                        const std::vector<std::string>& notes);

}  // namespace warpfront::tools
