// The rows that `compare` is asked for, each with the scenario that predicts it: the scenario alone, one per row of a
// published table, or those of every table in a list (scenario/comparison_list.hpp); and their runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/comparison/comparison.hpp"
#include "tools/experiment/experiment.hpp"
#include "tools/prediction/engines.hpp"

namespace warpfront::tools {

/// What is compared, by which engines, and how often.
struct ComparisonRequest {
    std::filesystem::path scenario{};  // or a list of comparisons
    std::vector<std::string> sets{};   // overrides, in order
    std::vector<Engine> engines{Engine::event, Engine::analytic};
    std::optional<std::filesystem::path> against{};  // a published table
    bool parts = false;  // of the difference between event engine and closed form, which takes further runs
    std::optional<std::uint32_t> seeds{};          // of each row that depends on the seed
    unsigned threads = 1;                          // for rows and seeds side by side
    std::optional<std::uint64_t> most_messages{};  // leaves out runs of the event engine that step more
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

/// Throws BadInput with the faults of all rows of all tables.
ComparisonPoints comparison_points(const ComparisonRequest& request);

// The runs of a comparison: every row by every engine that is asked for, the event engine's rows and seeds side by
// side.
//
// With `--seeds N` a row whose time depends on the seed is the mean of N seeds, from that of its scenario on, rounded
// down to the picosecond. Its interval is that of results/ensemble.hpp, of one further run; a calibrated row has one
// with one seed, too.

struct PreparedRow {
    ComparisonPoint point;
    Experiment experiment;
    std::vector<std::string> notes{};  // of engines, on differences
};

/// The experiment of every point. Throws BadInput with the faults of all of them.
std::vector<PreparedRow> prepare_rows(std::vector<ComparisonPoint> points);

/// Fills in times, intervals and parts. Throws what the engines throw, and BadInput: nothing_random if several seeds
/// are asked for and no row depends on the seed, bad_option if parts are of a model with regions that are not stepped.
void run_rows(std::vector<PreparedRow>& rows, const ComparisonRequest& request);

/// The rows side by side, with `notes` and those of their experiments and engines, each once.
Comparison comparison_of(std::vector<PreparedRow> rows, std::vector<std::string> notes,
                         const ComparisonRequest& request);

}  // namespace warpfront::tools
