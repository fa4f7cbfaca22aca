// The measured runs of a calibration's plan, and what the event engine predicts for them under a calibration.
//
// A row belongs to a problem: the `problem` or the `cells` of its table, or the table itself. All rows of a problem are
// left out together when the calibration is cross-validated.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "simulator/scenario/calibration.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/time.hpp"
#include "tools/calibration/plan.hpp"
#include "tools/runs/progress.hpp"

namespace warpfront::tools {

struct MeasuredRow {
    std::string problem;  // with its table
    std::string table;    // the file
    unsigned line = 0;
    scenario::Scenario scenario;
    Time measured;
    std::uint64_t ranks = 0;
    bool is_fitted = true;  // else it has more ranks than the plan fits
};

struct MeasuredRows {
    std::vector<MeasuredRow> rows;
    std::vector<input::SourceFilePtr> tables;
};

/// The rows of all tables that have a measurement. Throws BadInput with their faults, and if there is none
/// (nothing_to_compare).
MeasuredRows read_measured_rows(const CalibrationPlan& plan);

/// Predictions of the event engine, each the mean over `seeds` seeds from that of its scenario on.
class RowPredictor {
public:
    RowPredictor(std::uint32_t seeds, unsigned threads, ProgressMode mode)
        : seeds_(seeds), threads_(threads), mode_(mode) {}

    /// In seconds, of each of `rows`. Without a calibration, that of the scenario is off. Throws BadInput, RunFailed,
    /// engine::Interrupted.
    std::vector<double> predict(std::span<const MeasuredRow* const> rows,
                                const std::optional<scenario::Calibration>& calibration) const;

private:
    std::uint32_t seeds_;
    unsigned threads_;
    ProgressMode mode_;
};

}  // namespace warpfront::tools
