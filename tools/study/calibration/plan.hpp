// The plan of a calibration: the measured runs of a machine, and the terms that are fitted to these runs. With values
// for the terms, a plan gives a calibration.
//
// README.md describes the keys. File names are relative to the plan's folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/scenario/calibration.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/prediction_error.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/runs/progress.hpp"
#include "tools/study/cases/tables.hpp"
#include "tools/study/regression/least_squares.hpp"

namespace warpfront::tools {

/// A path that a term sets in the calibration.
struct PlannedPath {
    std::string path;
    SourceRange range;
};

struct PlannedTerm {
    std::string name;
    std::vector<PlannedPath> sets;
    regression::FittedTerm fitted;  // the term, in `unit`
    std::string unit;               // unit of all numbers of the term; may be empty
    SourceRange prior_range, least_range, most_range;

    /// Formats the value for the calibration, with four digits.
    std::string text(double value) const;
    /// Returns the range of the value in the plan: that of `least` or `most` if the value is this bound, otherwise that
    /// of the prior.
    const SourceRange& range_of(double value) const;
};

struct PlannedRuns : CaseTable {
    std::uint64_t largest = 0;  // the largest number of ranks of a fitted row
};

struct CalibrationPlan {
    SourceFilePtr source;
    std::filesystem::path writes;
    std::vector<PlannedRuns> runs;
    std::uint32_t seeds = 1;
    double row_error = 0.03;
    double per_doubling = 0.0;                      // growth of errors per doubling of ranks, beyond the fitted ranks
    std::optional<PredictionError> other_problems;  // the error for other problems, used if all runs are of one problem
    std::vector<PlannedTerm> terms;
    SourceRange terms_range;
    YamlNode fixed;  // a mapping

    std::vector<double> priors() const;  // returns the prior of each term
};

/// Reads a plan. Throws BadInput with all errors that the file alone shows: errors of YAML and quantities; wrong_unit
/// and out_of_range for numbers of a term that do not match; conflicting_keys for a path that two terms set, or a term
/// and `fixed`; duplicate_key for a table that occurs twice in `runs`. `check_terms` checks the meaning of terms and
/// paths.
CalibrationPlan read_calibration_plan(const std::filesystem::path& file);

// The measured runs of a plan, and their predictions by the event engine with a given calibration.
//
// A row belongs to a problem: the `problem` or the `cells` of its table, or the table itself. In the cross-validation
// of a calibration, all rows of a problem are left out together.

struct MeasuredRow {
    std::string problem;  // name of the table, followed by the problem within it
    unsigned line = 0;
    scenario::Scenario scenario;
    Time measured;
    std::uint64_t ranks = 0;
    bool is_fitted = true;  // false if the row has more ranks than the plan fits
};

/// Reads the rows with a measurement from all tables. Throws BadInput with the errors of the tables, or
/// nothing_to_compare if no row has a measurement.
std::vector<MeasuredRow> read_measured_rows(const CalibrationPlan& plan);

/// Predicts rows with the event engine. A prediction is the mean over `seeds` seeds, beginning with the seed of the
/// scenario.
struct RowPredictor {
    std::uint32_t seeds = 1;
    unsigned threads = 1;
    ProgressMode mode = ProgressMode::nothing;

    /// Returns the predicted time of each row in seconds. Without a calibration, the scenario's own calibration is
    /// switched off. Throws BadInput, RunFailed or engine::Interrupted.
    std::vector<double> predict(std::span<const MeasuredRow* const> rows,
                                const std::optional<scenario::Calibration>& calibration) const;
};

/// Returns the calibration of `plan` with these values of its terms. Diagnostics: bad_override for a path that
/// continues below a value, conflicting_keys for a key that only the fit can set (`error`, `fitted`).
YamlNode calibration_tree(const CalibrationPlan& plan, std::span<const double> values);

/// The number of levels in a calibration file that are written with one key per line.
inline constexpr unsigned kOpenLevels = 3;

/// Returns the calibration as a scenario reads it. Throws BadInput with the errors of both steps, at their ranges in
/// the plan.
scenario::Calibration calibration_of(const CalibrationPlan& plan, std::span<const double> values);

/// Reads the calibration with the priors and with every bound, on the machines of the rows. Throws BadInput with the
/// errors, such as a unit that does not fit the path, at their ranges in the plan. Throws nothing_to_compare for terms
/// on which no fitted row depends: terms of an application that no row runs, and terms of noise if all rows state their
/// own noise.
void check_terms(const CalibrationPlan& plan, std::span<const MeasuredRow> measured);

}  // namespace warpfront::tools
