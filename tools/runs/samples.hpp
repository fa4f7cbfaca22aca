// Several samples of one scenario by the event engine: each draws the figures that have a deviation
// (simulator/scenario/uncertain.hpp) and takes a seed of its own. As many run at once as there are threads; the times do
// not depend on how many.
#pragma once

#include <cstdint>

#include "simulator/engine/engine.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/runs/progress.hpp"

namespace warpfront::tools {

/// Sample k of the document has seed `options.seed` + k. Throws what a single run throws (engines.hpp), and BadInput if a
/// drawn figure is at fault.
results::Ensemble run_samples(const scenario::ScenarioDocument& document, const engine::Options& options,
                              std::uint32_t samples, ProgressMode mode);

}  // namespace warpfront::tools
