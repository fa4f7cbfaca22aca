// The uncertainty of a prediction: seeds of one experiment and samples of uncertain figures, as independent runs of the
// event engine (runs.hpp); of a closed form the deviation that follows from those of the figures.
#pragma once

#include <cstdint>

#include "simulator/engine/engine.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/time.hpp"
#include "tools/experiment/experiment.hpp"
#include "tools/prediction/engines.hpp"
#include "tools/runs/progress.hpp"
#include "tools/runs/runs.hpp"

namespace warpfront::tools {

/// Refuses several seeds of an engine that runs one, and of a run that does not depend on the seed: its equal results
/// would look like certainty. Throws BadInput bad_option, nothing_random.
void require_random(Engine engine, const Experiment& prepared);

/// Refuses samples that would all be the same, or that are seeds at the same time. Throws BadInput nothing_random.
void require_uncertain(Engine engine, bool with_seeds, const Experiment& prepared,
                       const scenario::ScenarioDocument& document);

/// Times by seed.
struct SeedsRun {
    record::Record first;  // of the first seed
    results::Ensemble ensemble;
};

/// Runs `seeds` seeds from that of `options` on, on all threads of `options` together, and reports progress. Throws
/// what run_events throws.
SeedsRun run_seeds(const Experiment& prepared, const engine::Options& options, std::uint32_t seeds, ProgressMode mode);

// Several samples of one scenario by the event engine: each draws the figures that have a deviation
// (simulator/scenario/uncertain.hpp) and takes a seed of its own. As many run at once as there are threads; the times
// do not depend on how many.

/// Sample k of the document has seed `options.seed` + k. Throws what a single run throws (engines.hpp), and BadInput if
/// a drawn figure is at fault.
results::Ensemble run_samples(const scenario::ScenarioDocument& document, const engine::Options& options,
                              std::uint32_t samples, ProgressMode mode);

// The standard deviation of a closed form's time from those of the scenario's figures
// (simulator/scenario/uncertain.hpp), to first order, by central differences:
//
//   sigma^2 = sum over figures x of ( (T(x + sigma_x) - T(x - sigma_x)) / 2 )^2
//
// Figures vary independently; each is one value used throughout. T is the closed form with all other figures at their
// values. simulator/analytic/error_propagation.hpp is the published law for W and Total alone, in which T is linear.

/// The deviation of a closed form; zero without uncertain figures. Throws what a run of it throws, and BadInput if a
/// figure is at fault one deviation away.
WideTime propagated_deviation(const scenario::ScenarioDocument& document, Engine engine);

}  // namespace warpfront::tools
