// The standard deviation of a closed form's time from those of the scenario's figures (simulator/scenario/uncertain.hpp),
// to first order, by central differences:
//
//   sigma^2 = sum over figures x of ( (T(x + sigma_x) - T(x - sigma_x)) / 2 )^2
//
// Figures vary independently; each is one value used throughout. T is the closed form with all other figures at their
// values. simulator/analytic/error_propagation.hpp is the published law for W and Total alone, in which T is linear.
#pragma once

#include "simulator/scenario/scenario.hpp"
#include "simulator/units/time.hpp"
#include "tools/prediction/engines.hpp"

namespace warpfront::tools {

/// The deviation of a closed form; zero without uncertain figures. Throws what a run of it throws, and BadInput if a
/// figure is at fault one deviation away.
WideTime propagated_deviation(const scenario::ScenarioDocument& document, Engine engine);

}  // namespace warpfront::tools
