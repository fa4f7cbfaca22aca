// The plan of a calibration: which runs were measured on a machine, and which terms are fitted to them.
//
//   writes: ../../platforms/xt4-calibration.yaml    the calibration (simulator/scenario/calibration.hpp)
//   runs:                                           tables of measured runs, and the scenarios that their rows change
//     - {scenario: ../chimaera/chimaera.yaml, against: ../chimaera/measured/xt4.csv, set: [iterations=1]}
//   largest: 1024                                   rows of more ranks are predicted, not fitted; default 1024; an entry
//                                                   of `runs` may have its own
//   seeds: 2                                        a prediction is the mean of so many; default 1
//   row_error: 3 %                                  standard deviation expected of a row; default 3 %
//   terms:                                          paths of the calibration, or names of terms with several
//     noise.jitter: {prior: 3us +- 2us, least: 0us, most: 20us}
//     overhead: {sets: [platform.layers.network.o_send, platform.layers.network.o_recv], prior: 4us +- 1us, ...}
//   fixed:                                          the part of the calibration that is not fitted
//     noise: {redrawn: off}
//
// File names are relative to the plan's folder. `prior` is a value with its standard deviation; it says where a term
// stays that the rows do not determine.
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
};

/// Throws BadInput with every fault of the file.
CalibrationPlan read_calibration_plan(const std::filesystem::path& file);

}  // namespace warpfront::tools
