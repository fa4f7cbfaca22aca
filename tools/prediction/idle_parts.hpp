// Notes on what the machine of an experiment has and its ranks, or its tasks, do not use.
#pragma once

#include <string>
#include <vector>

#include "tools/experiment/experiment.hpp"

namespace warpfront::tools {

/// Parts, buses, NICs and memories of a node that no rank's core belongs to, with the key that spreads the ranks if
/// that uses more of them; parallel links that no rank chooses; servers of cluster memory without records.
std::vector<std::string> notes_on_idle_parts(const Experiment& prepared);

}  // namespace warpfront::tools
