// Conversion of a scenario back to the form of its file.
#pragma once

#include <nlohmann/json.hpp>

#include "simulator/scenario/scenario.hpp"

namespace warpfront::scenario {

/// Returns the scenario as it was read, defaults included.
nlohmann::ordered_json echo(const Scenario& scenario);

}  // namespace warpfront::scenario
