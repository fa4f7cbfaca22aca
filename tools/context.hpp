// The context of a result, common to all its forms and engines.
#pragma once

#include "simulator/results/context.hpp"
#include "tools/experiment.hpp"

namespace warpfront::tools {

/// The size of the experiment, its input files, its scenario, its notes.
results::Context context_of(const Experiment& prepared);

}  // namespace warpfront::tools
