// The context of a result, common to all its forms and engines.
#pragma once

#include <span>

#include "simulator/results/context.hpp"
#include "tools/experiment/experiment.hpp"
#include "tools/prediction/engines.hpp"

namespace warpfront::tools {

/// The size of the experiment, its input files, its scenario, its notes for these engines.
results::Context context_of(const Experiment& prepared, std::span<const Engine> engines);

}  // namespace warpfront::tools
