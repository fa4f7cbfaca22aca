// The rows that `compare` is asked for, each with the scenario that predicts it: the scenario alone, one per row of a
// published table, or those of every table in a list (scenario/comparison_list.hpp).
#pragma once

#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/commands.hpp"
#include "tools/comparison.hpp"

namespace warpfront::tools {

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
ComparisonPoints comparison_points(const CompareOptions& options);

}  // namespace warpfront::tools
