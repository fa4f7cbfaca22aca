// The calibration that a plan makes of the values of its terms.
#pragma once

#include <span>
#include <string>

#include "simulator/input/yaml.hpp"
#include "simulator/scenario/calibration.hpp"
#include "tools/calibration/plan.hpp"
#include "tools/calibration/rows.hpp"

namespace warpfront::tools {

/// The calibration of `plan` with these values of its terms. Diagnostics: bad_override for a path that leads through a
/// value, conflicting_keys for a key that only the fit can know (`error`, `fitted`).
input::YamlNode calibration_tree(const CalibrationPlan& plan, std::span<const double> values);

/// Levels of a calibration file that have a line for each key.
inline constexpr unsigned kOpenLevels = 3;

/// The calibration of `calibration_tree`, as a scenario reads it. Throws BadInput with the faults of both, at their
/// places in the plan.
scenario::Calibration calibration_of(const CalibrationPlan& plan, std::span<const double> values);

/// Reads the calibrations that the fit begins with and those of every bound, on the machines of the rows. Throws
/// BadInput with their faults, at their places in the plan, such as a unit that the path does not have;
/// nothing_to_compare for terms that no fitted row depends on: those of an application that none runs, and of noise
/// where all state their own.
void check_terms(const CalibrationPlan& plan, const MeasuredRows& measured);

}  // namespace warpfront::tools
