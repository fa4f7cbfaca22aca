// The calibration that a plan makes of the values of its terms.
#pragma once

#include <span>
#include <string>

#include "simulator/input/yaml.hpp"
#include "simulator/scenario/calibration.hpp"
#include "tools/calibration/plan.hpp"

namespace warpfront::tools {

/// The calibration of `plan` with these values of its terms. Diagnostics: bad_override for a path that leads through a
/// value, conflicting_keys for a key that only the fit can know (`error`, `fitted`).
input::YamlNode calibration_tree(const CalibrationPlan& plan, std::span<const double> values);

/// Levels of a calibration file that have a line for each key.
inline constexpr unsigned kOpenLevels = 3;

/// The calibration of `calibration_tree`, as a scenario reads it. Throws BadInput with the faults of both.
scenario::Calibration calibration_of(const CalibrationPlan& plan, std::span<const double> values);

}  // namespace warpfront::tools
