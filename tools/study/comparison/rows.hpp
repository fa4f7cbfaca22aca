// The rows of a comparison, each with the scenario that predicts it: the scenario alone, one per row of a published
// table, or those of every table in a list (scenario/comparison_list.hpp); and their runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/study/comparison/comparison.hpp"

namespace warpfront::tools {

/// The inputs of a comparison, its engines and its repetitions.
struct ComparisonRequest {
    std::filesystem::path scenario{};  // or a list of comparisons
    std::vector<std::string> sets{};   // overrides, in order
    std::vector<Engine> engines{Engine::event, Engine::analytic};
    std::optional<std::filesystem::path> against{};  // a published table
    bool parts = false;                    // of the difference between event engine and closed form; needs further runs
    std::optional<std::uint32_t> seeds{};  // of each row that depends on the seed
    unsigned threads = 1;                  // for rows and seeds side by side
    std::optional<std::uint64_t> most_messages{};  // leaves out runs of the event engine with more messages
};

struct ComparisonPoint {
    ComparisonRow row;  // no engine has run yet
    scenario::Scenario scenario;
    std::vector<input::SourceFilePtr> sources;  // the published table and the list
};

struct ComparisonPoints {
    std::vector<ComparisonPoint> points;
    std::vector<std::string> notes;
    std::vector<std::string> warnings{};  // of rows that are skipped, with their table
    bool published = false;               // rows are those of tables
};

/// Reads the rows. Throws BadInput with the faults of all rows of all tables.
ComparisonPoints comparison_points(const ComparisonRequest& request);

// The runs of a comparison: every row with every requested engine. The event engine's rows and seeds run side by side.
//
// With `--seeds N`, the time of a row that depends on the seed is the mean of N seeds, beginning with that of its
// scenario, rounded down to the picosecond. Its interval is that of one further run (results/ensemble.hpp). A
// calibrated row has an interval even with one seed.

struct PreparedRow {
    ComparisonPoint point;
    Experiment experiment;
    std::vector<std::string> notes{};  // of engines, on differences
};

/// Builds the experiment of every point. Throws BadInput with the faults of all of them.
std::vector<PreparedRow> prepare_rows(std::vector<ComparisonPoint> points);

/// Fills in times, intervals and parts. Throws what the engines throw, and BadInput: nothing_random if several seeds
/// are requested and no row depends on the seed, bad_option if parts are requested for a model with regions that are
/// not simulated.
void run_rows(std::vector<PreparedRow>& rows, const ComparisonRequest& request);

/// Arranges the rows side by side, with `notes` and those of their experiments and engines, each once.
Comparison comparison_of(std::vector<PreparedRow> rows, std::vector<std::string> notes,
                         const ComparisonRequest& request);

}  // namespace warpfront::tools
