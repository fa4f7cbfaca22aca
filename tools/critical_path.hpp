// Where a critical path can be had.
#pragma once

#include "tools/experiment.hpp"

namespace warpfront::tools {

/// Throws BadInput (no_critical_path) on a machine whose waits the path does not follow.
void require_critical_path(const Experiment& prepared);

}  // namespace warpfront::tools
