// The uncertainty of a prediction: seeds of one experiment and samples of uncertain values, as independent runs of the
// event engine (runs.hpp); for a closed form, the deviation that follows from those of the values.
#pragma once

#include <cstdint>

#include "simulator/engine/engine.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/answer/runs/progress.hpp"
#include "tools/answer/runs/runs.hpp"

namespace warpfront::tools {

/// Refuses several seeds for an engine that runs only one, and for a run that does not depend on the seed: equal
/// results would suggest a certain prediction. Throws BadInput bad_option, nothing_random.
void require_random(Engine engine, const Experiment& prepared);

/// Refuses samples that would all be the same, or that are combined with seeds. Throws BadInput nothing_random.
void require_uncertain(Engine engine, bool with_seeds, const Experiment& prepared,
                       const scenario::ScenarioDocument& document);

/// Times by seed.
struct SeedsRun {
    record::Record first;  // record of the first seed
    results::Ensemble ensemble;
};

/// Runs `seeds` seeds, beginning with that of `options`, on all threads of `options` together, and reports progress.
/// Throws the exceptions of RunPool.
SeedsRun run_seeds(const Experiment& prepared, const engine::Options& options, std::uint32_t seeds, ProgressMode mode);

// Several samples of one scenario with the event engine: each draws the values that have a deviation
// (simulator/scenario/uncertain.hpp) and has its own seed. As many run at once as there are threads; the times do not
// depend on this number.

/// Runs samples. Sample k of the document has seed `options.seed` + k. Throws the exceptions of a single run
/// (engines.hpp), and BadInput if a drawn value is at fault.
results::Ensemble run_samples(const scenario::ScenarioDocument& document, const engine::Options& options,
                              std::uint32_t samples, ProgressMode mode);

// The standard deviation of a closed form's time that follows from the deviations of the scenario's values
// (simulator/scenario/uncertain.hpp), to first order, by central differences:
//
//   sigma^2 = sum over values x of ( (T(x + sigma_x) - T(x - sigma_x)) / 2 )^2
//
// Values vary independently; each is the same throughout a run. T is the closed form with all other values unchanged.
// If only W has a deviation and T is linear in W, sigma is that of Mudalige 2009, appendix E.

/// Returns the deviation of a closed form; zero without uncertain values. Throws the exceptions of its run, and
/// BadInput if a value is at fault one deviation away.
WideTime propagated_deviation(const scenario::ScenarioDocument& document, Engine engine);

}  // namespace warpfront::tools
