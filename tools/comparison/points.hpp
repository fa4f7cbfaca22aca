// The rows that `compare` is asked for, each with the scenario that predicts it: the scenario alone, one per row of a
// published table, or those of every table in a list (scenario/comparison_list.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/comparison/comparison.hpp"
#include "tools/prediction/engines.hpp"

namespace warpfront::tools {

/// What is compared, by which engines, and how often.
struct ComparisonRequest {
    std::filesystem::path scenario{};  // or a list of comparisons
    std::vector<std::string> sets{};   // overrides, in order
    std::vector<Engine> engines{Engine::event, Engine::analytic};
    std::optional<std::filesystem::path> against{};  // a published table
    bool parts = false;  // of the difference between event engine and closed form, which takes further runs
    std::optional<std::uint32_t> seeds{};  // of each row that depends on the seed
    unsigned threads = 1;                  // for rows and seeds side by side
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

}  // namespace warpfront::tools
