// Comma-separated values with places: a line of column names, then one line per row. Lines that begin with `#` and
// empty lines are passed over; spaces around a cell do not count; there is no quoting, as published tables need none.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "simulator/input/fault.hpp"

namespace warpfront::tools {

struct Cell {
    std::string text;
    input::Place place;
};

inline constexpr std::size_t kMostColumns = 256;
inline constexpr std::size_t kMostRows = 10'000;

struct CsvTable {
    std::vector<Cell> header;              // may be empty: a file without a line
    std::vector<std::vector<Cell>> rows;   // each as long as the header
};

/// Faults: ragged_row for rows longer or shorter than the header (left out of the table), duplicate_column,
/// unknown_column for an empty name, nothing_to_compare for a file without rows, file_too_large beyond these limits.
CsvTable read_csv(const input::SourcePtr& source, input::Faults& faults);

}  // namespace warpfront::tools
