// The uncertainty of a prediction. For the event engine it follows from independent runs (runs.hpp): several seeds of
// one experiment, or several samples of uncertain values. For a closed form it is the deviation that follows from the
// deviations of the values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/answer/runs/progress.hpp"
#include "tools/answer/runs/runs.hpp"

namespace warpfront::tools {

/// Throws BadInput (bad_option, nothing_random) if several seeds are requested, but the engine runs only one seed or
/// the run does not depend on the seed. Equal results would suggest that the prediction is certain.
void require_random(Engine engine, const Experiment& prepared);

/// Throws BadInput (nothing_random) if samples are requested that would all be equal, or that are combined with seeds.
void require_uncertain(Engine engine, bool with_seeds, const Experiment& prepared,
                       const scenario::ScenarioDocument& document);

/// Returns a note if the document has values with deviations, for results that contain only the values themselves.
std::vector<std::string> notes_on_deviations(const scenario::ScenarioDocument& document);

/// The times of several seeds.
struct SeedsRun {
    record::Record first;  // the run with the first seed
    results::Ensemble ensemble;
};

/// Runs `seeds` seeds, beginning with the seed of `options`, and reports progress. All runs together use the threads of
/// `options`. Throws the exceptions of RunPool.
SeedsRun run_seeds(const Experiment& prepared, const engine::Options& options, std::uint32_t seeds, ProgressMode mode);

// Several samples of one scenario with the event engine. Each sample draws the values that have a deviation
// (simulator/scenario/uncertain.hpp), and has its own seed. There are as many parallel runs as threads; the times do
// not depend on this number.

/// Runs samples. Sample k of the document has the seed `options.seed` + k. Throws the exceptions of a single run
/// (engines.hpp), and BadInput if a drawn value is invalid.
results::Ensemble run_samples(const scenario::ScenarioDocument& document, const engine::Options& options,
                              std::uint32_t samples, ProgressMode mode);

// The standard deviation of a closed form's time, which follows from the deviations of the scenario's values
// (simulator/scenario/uncertain.hpp). It is computed to first order, by central differences:
//
//   sigma^2 = sum over values x of ( (T(x + sigma_x) - T(x - sigma_x)) / 2 )^2
//
// Values vary independently of each other, and each is constant during a run. T is the time of the closed form if all
// other values are unchanged. If only W has a deviation and T is linear in W, sigma is that of Mudalige 2009, appendix
// E.

/// Returns the deviation of a closed form, which is zero without uncertain values. Throws the exceptions of its run,
/// and BadInput if a value is invalid when it is changed by one deviation.
WideTime propagated_deviation(const scenario::ScenarioDocument& document, Engine engine);

}  // namespace warpfront::tools
