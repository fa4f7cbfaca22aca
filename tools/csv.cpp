#include "tools/csv.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace warpfront::tools {

using input::FaultKind;
using input::Faults;
using input::SourcePtr;

namespace {

constexpr std::string_view kBlank = " \t\r";

/// The cell in [start, end) of the source, without the blanks around it.
Cell cell_at(const SourcePtr& source, std::size_t start, std::size_t end) {
    const std::string_view raw = source->text().substr(start, end - start);
    const std::size_t first = std::min(raw.find_first_not_of(kBlank), raw.size());
    const std::size_t last = raw.find_last_not_of(kBlank);
    const std::size_t length = last == std::string_view::npos ? 0 : last + 1 - first;
    return {std::string(raw.substr(first, length)), {source, start + first, length}};
}

/// Stops one cell beyond what a table may have.
std::vector<Cell> split_line(const SourcePtr& source, std::size_t start, std::size_t end) {
    std::vector<Cell> cells;
    while (start <= end && cells.size() <= kMostColumns) {
        const std::size_t comma = std::min(source->text().find(',', start), end);
        cells.push_back(cell_at(source, start, comma));
        start = comma + 1;
    }
    return cells;
}

void check_header(const std::vector<Cell>& header, Faults& faults) {
    if (header.size() > kMostColumns) {
        faults.add(FaultKind::file_too_large, header.back().place, fmt::format("more than {} columns", kMostColumns));
    }
    std::set<std::string> seen;
    for (const Cell& cell : header) {
        if (cell.text.empty()) {
            faults.add(FaultKind::unknown_column, cell.place, "column without a name");
        } else if (!seen.insert(cell.text).second) {
            faults.add(FaultKind::duplicate_column, cell.place, fmt::format("column `{}` stands twice", cell.text));
        }
    }
}

}  // namespace

CsvTable read_csv(const SourcePtr& source, Faults& faults) {
    CsvTable table;
    const std::string_view text = source->text();
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const Cell line = cell_at(source, start, end);
        if (!line.text.empty() && line.text.front() != '#') {
            std::vector<Cell> cells = split_line(source, start, end);
            if (table.header.empty()) {
                table.header = std::move(cells);
                check_header(table.header, faults);
            } else if (table.rows.size() == kMostRows) {
                faults.add(FaultKind::file_too_large, line.place, fmt::format("more than {} rows", kMostRows));
                return table;
            } else if (cells.size() == table.header.size()) {
                table.rows.push_back(std::move(cells));
            } else {
                faults.add(FaultKind::ragged_row, line.place,
                           fmt::format("{} cells under {} columns", cells.size(), table.header.size()),
                           fmt::format("expected {}", table.header.size()));
            }
        }
        start = end + 1;
    }
    if (table.rows.empty() && faults.empty()) {
        faults.add(FaultKind::nothing_to_compare, {source, 0, 0}, fmt::format("no rows in `{}`", source->name()),
                   "expected a line of column names and at least one row");
    }
    return table;
}

}  // namespace warpfront::tools
