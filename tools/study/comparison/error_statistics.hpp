// The error of each method against the measurements, over the rows that have both, for every table and over all tables.
//
//   error(row)     = 100 * (prediction - exec) / exec, in percent
//   mean absolute  = mean of |error|
//   bias           = mean of error: negative where the method predicts too little
//   coverage       = share of the rows with a 95 % interval whose measurement lies within it
//   worst          = the error of the largest size; of equal ones the first
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/study/comparison/comparison.hpp"

namespace warpfront::tools {

struct ErrorStatistics {
    std::string table{};  // empty over all rows
    std::string method{};
    std::size_t rows = 0;
    Percent mean_absolute{};
    Percent bias{};
    Percent worst{};
    std::string worst_row{};            // its name (comparison.hpp)
    std::optional<Percent> coverage{};  // nothing if no row has an interval
};

/// Returns the statistics by table, in the order of rows, and last over all; a single table is given only over all. For
/// each table the engines come first, in their order, then the published predictions. Methods without a measured row
/// are omitted.
std::vector<ErrorStatistics> error_statistics(const Comparison& comparison);

/// Formats the table for a terminal; empty if there are no statistics.
std::string render(const std::vector<ErrorStatistics>& statistics);

/// Returns the value of `statistics` in `warpfront.comparison/1`.
nlohmann::ordered_json to_json(const std::vector<ErrorStatistics>& statistics);

}  // namespace warpfront::tools
