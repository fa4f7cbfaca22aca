// The calibration that results from a plan and values for its terms.
#pragma once

#include <span>
#include <string>

#include "simulator/input/yaml.hpp"
#include "simulator/scenario/calibration.hpp"
#include "tools/study/calibration/plan.hpp"
#include "tools/study/calibration/rows.hpp"

namespace warpfront::tools {

/// Returns the calibration of `plan` with these values of its terms. Diagnostics: bad_override for a path that leads
/// through a value, conflicting_keys for a key that only the fit can set (`error`, `fitted`).
input::YamlNode calibration_tree(const CalibrationPlan& plan, std::span<const double> values);

/// Number of levels of a calibration file that are written with one line for each key.
inline constexpr unsigned kOpenLevels = 3;

/// Returns the result of `calibration_tree` in the form that a scenario reads. Throws BadInput with the faults of both
/// steps, at their places in the plan.
scenario::Calibration calibration_of(const CalibrationPlan& plan, std::span<const double> values);

/// Reads the calibration at the priors and at every bound, on the machines of the rows. Throws BadInput with the
/// faults, such as a unit that the path does not have, at their places in the plan. Throws nothing_to_compare for terms
/// on which no fitted row depends: terms of an application that no row runs, and terms of noise if all rows state their
/// own.
void check_terms(const CalibrationPlan& plan, std::span<const MeasuredRow> measured);

}  // namespace warpfront::tools
