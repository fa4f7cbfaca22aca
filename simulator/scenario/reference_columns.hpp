// What the columns of a published table mean (reference_data.hpp lists them), and which of them contradict one another.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "simulator/input/diagnostic.hpp"
#include "simulator/scenario/csv.hpp"

namespace warpfront::scenario {

enum class ColumnMeaning : std::uint8_t {
    path,
    seconds,
    ranks,
    tile_height,
    cores_per_node,
    prediction,
    measurement,
    information
};

struct Column {
    std::string name;
    ColumnMeaning meaning = ColumnMeaning::information;
    std::string path;  // the key that a cell sets; empty for a meaning that needs more than the cell
};

/// What a header means. A name that means nothing is a fault (unknown_column) and then information.
Column column_named(const Cell& header, input::Diagnostics& faults);

/// Adds conflicting_keys for each column that sets a key which an earlier column sets too. `columns` are those of
/// `header`, in order.
void refuse_conflicts(std::span<const Column> columns, std::span<const Cell> header, input::Diagnostics& faults);

}  // namespace warpfront::scenario
