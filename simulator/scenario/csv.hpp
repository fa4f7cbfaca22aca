// Comma-separated values with source ranges: a line of column names, then one line per row. Lines that begin with `#`,
// empty lines and spaces around a cell are ignored. A cell may be enclosed in double quotes: within them a comma is
// text, and a quote is written twice. A cell ends on its line.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::scenario {

struct Cell {
    std::string text;
    SourceRange range;
};

inline constexpr std::size_t kMostColumns = 256;
inline constexpr std::size_t kMostRows = 10'000;

struct CsvTable {
    std::vector<Cell> header;             // names of the columns; empty if the file has no line
    std::vector<std::vector<Cell>> rows;  // rows, each as long as the header
};

/// Reads row by row, for files too large to store. Diagnostics: ragged_row for rows longer or shorter than the header
/// and csv_quotes for a quote that is not closed or is followed by text (such rows are skipped), duplicate_column,
/// unknown_column for an empty name, file_too_large beyond kMostColumns.
class CsvRows {
public:
    /// Reads the header; `source` and `faults` must outlive the object.
    CsvRows(const SourceFilePtr& source, Diagnostics& faults);

    const std::vector<Cell>& header() const { return header_; }
    /// Returns the next row, as long as the header; nothing after the last.
    std::optional<std::vector<Cell>> next();

private:
    std::optional<Cell> next_line();

    const SourceFilePtr& source_;
    Diagnostics& faults_;
    std::size_t start_ = 0;
    std::vector<Cell> header_;
};

/// Returns the column number of each of `names` in the header; the first `required` of the names are mandatory. `what`
/// names the table in messages, and `expected` is the remedy. Diagnostics: unknown_column, missing_key.
std::vector<std::optional<std::size_t>> find_columns(const std::vector<Cell>& header, const SourceFilePtr& source,
                                                     std::span<const std::string> names, std::size_t required,
                                                     std::string_view what, const std::string& expected,
                                                     Diagnostics& faults);

/// Reads the whole table. Diagnostics: those of CsvRows, nothing_to_compare for a file without rows, file_too_large
/// beyond kMostRows.
CsvTable read_csv(const SourceFilePtr& source, Diagnostics& faults);

}  // namespace warpfront::scenario
