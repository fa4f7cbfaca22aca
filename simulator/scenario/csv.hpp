// Comma-separated values with source ranges: a line of column names, then one line per row. Lines that begin with `#`,
// empty lines and spaces around a cell are ignored. A cell may be enclosed in double quotes: within them a comma is
// text, and a quote is written twice. A cell ends on its line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::scenario {

struct Cell {
    std::string text;
    input::SourceRange range;
};

inline constexpr std::size_t kMostColumns = 256;
inline constexpr std::size_t kMostRows = 10'000;

struct CsvTable {
    std::vector<Cell> header;             // may be empty: the file has no line
    std::vector<std::vector<Cell>> rows;  // each as long as the header
};

/// Reads row by row, for files too large to store. Diagnostics: ragged_row for rows longer or shorter than the header
/// and csv_quotes for a quote that is not closed or is followed by text (such rows are skipped), duplicate_column,
/// unknown_column for an empty name, file_too_large beyond kMostColumns.
class CsvRows {
public:
    /// Reads the header; `source` and `faults` must outlive this.
    CsvRows(const input::SourceFilePtr& source, input::Diagnostics& faults);

    const std::vector<Cell>& header() const { return header_; }
    /// Returns the next row, as long as the header; nothing after the last.
    std::optional<std::vector<Cell>> next();

private:
    std::optional<Cell> next_line();

    const input::SourceFilePtr& source_;
    input::Diagnostics& faults_;
    std::size_t start_ = 0;
    std::vector<Cell> header_;
};

/// Reads the whole table. Diagnostics: those of CsvRows, nothing_to_compare for a file without rows, file_too_large
/// beyond kMostRows.
CsvTable read_csv(const input::SourceFilePtr& source, input::Diagnostics& faults);

}  // namespace warpfront::scenario
