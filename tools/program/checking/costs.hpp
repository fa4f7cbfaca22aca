// The costs of the work of a scenario's model, as text: `warpfront check --costs`.
#pragma once

#include <string>

#include "psl/specialising/costs.hpp"
#include "tools/answer/experiment/experiment.hpp"

namespace warpfront::tools {

/// Formats the costs. Throws BadInput for a scenario of a trace, which has no model.
std::string costs_text(const Experiment& prepared);

}  // namespace warpfront::tools
