// The meanings of the columns of a published table (listed in reference_data.hpp), and conflicts between columns.
//
// A prediction is the column of a method: `pred` for the closed form that was published with the measurement, `warpp`
// and `pace` for those simulators. Columns whose name ends in `_us` are in microseconds, all others in seconds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "psl/syntax/roles.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/scenario/csv.hpp"

namespace warpfront::scenario {

enum class ColumnMeaning : std::uint8_t {
    path,
    role,
    seconds_of_role,
    ranks,
    stated_ranks,
    tile_height,
    cores_per_node,
    prediction,
    measurement,
    information
};

struct Column {
    std::string name;
    ColumnMeaning meaning = ColumnMeaning::information;
    std::string path{};               // the key that a cell sets; empty if the meaning needs more than the cell
    std::optional<psl::Role> role{};  // of the parameter that a cell sets; the model determines the parameter
    std::string method{};             // of a prediction
    double unit_s = 1.0;              // of a prediction or measurement
};

/// Returns the column of a header. An unknown name is an error (unknown_column); the column is then information.
Column column_named(const Cell& header, input::Diagnostics& faults);

/// Adds conflicting_keys for each column that sets a key of an earlier column. `columns` are those of
/// `header`, in order.
void report_conflicts(std::span<const Column> columns, std::span<const Cell> header, input::Diagnostics& faults);

/// Adds missing_key for a column that gives one side of the process grid if no column gives the other.
void require_both_sides(std::span<const Column> columns, std::span<const Cell> header, input::Diagnostics& faults);

}  // namespace warpfront::scenario
