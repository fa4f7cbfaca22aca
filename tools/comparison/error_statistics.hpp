// How far each method is from the measurements, over the rows that have both, for every table and over all of them.
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

#include "tools/comparison/comparison.hpp"

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

/// By table, in the order of rows, and last over all; a single table is given only over all. Within each the engines in
/// their order, then the published predictions. A method without a measured row has none.
std::vector<ErrorStatistics> error_statistics(const Comparison& comparison);

/// The table for a terminal; empty if there are no statistics.
std::string render(const std::vector<ErrorStatistics>& statistics);

/// The value of `statistics` in `warpfront.comparison/1`.
nlohmann::ordered_json to_json(const std::vector<ErrorStatistics>& statistics);

}  // namespace warpfront::tools
