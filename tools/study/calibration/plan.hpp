// The plan of a calibration: the measured runs of a machine, and the terms that are fitted to them.
// README.md describes its keys. File names are relative to the plan's folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/units/prediction_error.hpp"
#include "tools/study/cases/tables.hpp"
#include "tools/study/regression/least_squares.hpp"

namespace warpfront::tools {

/// A path of the calibration.
struct PlannedPath {
    std::string path;
    input::SourceRange range;
};

struct PlannedTerm {
    std::string name;
    std::vector<PlannedPath> sets;
    regression::FittedTerm fitted;  // the term, in `unit`
    std::string unit;               // unit of all numbers of the term; may be empty
    input::SourceRange prior_range, least_range, most_range;

    /// Formats the value for the calibration, with four digits.
    std::string text(double value) const;
    /// Returns the place of the value in the plan: that of `least` or `most` if it is one of these bounds, else that of
    /// the prior.
    const input::SourceRange& range_of(double value) const;
};

struct PlannedRuns : CaseTable {
    std::uint64_t largest = 0;  // most ranks of a row that is fitted
};

struct CalibrationPlan {
    input::SourceFilePtr source;
    std::filesystem::path writes;
    std::vector<PlannedRuns> runs;
    std::uint32_t seeds = 1;
    double row_error = 0.03;
    double per_doubling = 0.0;                      // how far errors drift per doubling of ranks beyond those fitted
    std::optional<PredictionError> other_problems;  // if all runs are of one problem: how far others may differ
    std::vector<PlannedTerm> terms;
    input::SourceRange terms_range;
    input::YamlNode fixed;  // a mapping

    std::vector<double> priors() const;  // the prior of each term
};

/// Reads a plan. Throws BadInput with every fault of the file alone: faults of YAML and quantities; wrong_unit and
/// out_of_range for numbers of a term that do not match; conflicting_keys for a path that is set by two terms, or by a
/// term and `fixed`; duplicate_key for a table that stands twice in `runs`. The meaning of its terms and paths is
/// checked with the runs (calibrated_file.hpp).
CalibrationPlan read_calibration_plan(const std::filesystem::path& file);

}  // namespace warpfront::tools
