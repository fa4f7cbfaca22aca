// The calibration that results from a plan and values for its terms.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/input/yaml.hpp"
#include "simulator/scenario/calibration.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/runs/progress.hpp"
#include "tools/study/calibration/plan.hpp"

namespace warpfront::tools {

// The measured runs of a calibration's plan, and the predictions of the event engine for them with a calibration.
//
// A row belongs to a problem: the `problem` or the `cells` of its table, or the table itself. All rows of a problem are
// left out together when the calibration is cross-validated.

struct MeasuredRow {
    std::string problem;  // name of the problem, with its table
    unsigned line = 0;
    scenario::Scenario scenario;
    Time measured;
    std::uint64_t ranks = 0;
    bool is_fitted = true;  // else it has more ranks than the plan fits
};

/// Reads the rows of all tables that have a measurement. Throws BadInput with their faults, or nothing_to_compare if no
/// row has a measurement.
std::vector<MeasuredRow> read_measured_rows(const CalibrationPlan& plan);

/// Predictor of rows with the event engine. Each prediction is the mean over `seeds` seeds, beginning with that of its
/// scenario.
struct RowPredictor {
    std::uint32_t seeds = 1;
    unsigned threads = 1;
    ProgressMode mode = ProgressMode::nothing;

    /// Returns the predicted time of each of `rows` in seconds. Without a calibration, that of the scenario is off.
    /// Throws BadInput, RunFailed, engine::Interrupted.
    std::vector<double> predict(std::span<const MeasuredRow* const> rows,
                                const std::optional<scenario::Calibration>& calibration) const;
};

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
