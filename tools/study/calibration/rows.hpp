// The measured runs of a calibration's plan, and the predictions of the event engine for them with a calibration.
//
// A row belongs to a problem: the `problem` or the `cells` of its table, or the table itself. All rows of a problem are
// left out together when the calibration is cross-validated.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/scenario/calibration.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/runs/progress.hpp"
#include "tools/study/calibration/plan.hpp"

namespace warpfront::tools {

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

}  // namespace warpfront::tools
