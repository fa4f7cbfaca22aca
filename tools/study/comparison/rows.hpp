// The rows of a comparison: cases with the times of engines. The cases are the scenario alone, one per row of a
// published table, or those of every table in a list (tools/study/cases/tables.hpp).
//
// With `--seeds N`, the time of a row that depends on the seed is the mean of N seeds, beginning with that of its
// scenario, rounded down to the picosecond. Its interval is that of one further run (results/ensemble.hpp). A
// calibrated row has an interval even with one seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/study/cases/tables.hpp"
#include "tools/study/comparison/comparison.hpp"

namespace warpfront::tools {

/// The inputs of a comparison, its engines and its repetitions.
struct ComparisonRequest {
    std::filesystem::path scenario{};  // or a list of comparisons
    std::vector<std::string> sets{};   // overrides, in order
    std::vector<Engine> engines{Engine::event, Engine::analytic};
    std::optional<std::filesystem::path> against{};  // a published table
    bool parts = false;                              // computes the parts of event minus analytic, by further runs
    std::optional<std::uint32_t> seeds{};            // number of seeds of each row that depends on the seed
    unsigned threads = 1;                            // number for rows and seeds at the same time
    std::optional<std::uint64_t> most_messages{};    // limit beyond which a run of the event engine is left out
};

/// Reads the cases. Throws BadInput with the faults of all rows of all tables, and for values of `--set` that every row
/// replaces.
Cases comparison_cases(const ComparisonRequest& request);

struct PreparedRow {
    ComparisonRow row;            // no engine has run yet
    scenario::Scenario scenario;  // the scenario as read; that of the experiment is scaled to the machine
    std::shared_ptr<const Experiment> experiment;
};

/// Builds the experiment of every case. Throws BadInput with the faults of all of them.
std::vector<PreparedRow> prepare_rows(std::vector<Case> cases);

/// Runs the cases, and arranges them side by side with the notes of the tables, experiments and engines, each once.
/// Throws what the engines throw, and BadInput: nothing_random if several seeds are requested and no row depends on the
/// seed, bad_option if parts are requested for a model with regions that are not simulated.
Comparison run_comparison(Cases cases, const ComparisonRequest& request);

}  // namespace warpfront::tools
