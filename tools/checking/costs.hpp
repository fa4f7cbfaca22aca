// What the work of a scenario's model costs, as text: `warpfront check --costs`.
#pragma once

#include <string>

#include "psl/specialising/costs.hpp"
#include "tools/experiment/experiment.hpp"

namespace warpfront::tools {

/// Throws BadInput for a scenario of a trace, which has no model.
std::string costs_text(const Experiment& prepared);

}  // namespace warpfront::tools
