// The plan of a calibration: which runs were measured on a machine, and which terms are fitted to them.
// tools/README.md has its keys. File names are relative to the plan's folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "tools/calibration/least_squares.hpp"

namespace warpfront::tools {

struct PlannedTerm {
    std::string name;
    std::vector<std::string> sets;  // paths of the calibration
    FittedTerm fitted;              // in `unit`
    std::string unit;               // of all its numbers; may be empty

    /// The value as the calibration has it, to four digits.
    std::string text(double value) const;
};

struct PlannedRuns {
    std::filesystem::path scenario;
    std::filesystem::path table;
    std::vector<std::string> sets;
    std::uint64_t largest = 0;  // ranks of a row that is fitted
};

struct CalibrationPlan {
    input::SourceFilePtr source;
    std::filesystem::path writes;
    std::vector<PlannedRuns> runs;
    std::uint32_t seeds = 1;
    double row_error = 0.03;
    std::vector<PlannedTerm> terms;
    input::SourceRange terms_range;
    input::YamlNode fixed;  // a mapping

    std::vector<double> priors() const;  // of the terms
};

/// Throws BadInput with every fault of the file.
CalibrationPlan read_calibration_plan(const std::filesystem::path& file);

}  // namespace warpfront::tools
