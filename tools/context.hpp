// What every form of a result says about an experiment, whichever engine ran it.
#pragma once

#include "simulator/results/context.hpp"
#include "tools/experiment.hpp"

namespace warpfront::tools {

/// What every form of a result says about the case: its size, its files, its scenario, what the user should know.
results::Context context_of(const Experiment& prepared);

}  // namespace warpfront::tools
