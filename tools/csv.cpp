#include "tools/csv.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

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
std::vector<Cell> split_line(const SourcePtr& source, const input::Place& line) {
    std::vector<Cell> cells;
    std::size_t start = line.offset;
    const std::size_t end = line.offset + line.length;
    const std::string_view text = source->text().substr(0, end);
    while (start <= end && cells.size() <= kMostColumns) {
        const std::size_t comma = std::min(text.find(',', start), end);
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

CsvRows::CsvRows(const SourcePtr& source, Faults& faults) : source_(source), faults_(faults) {
    const std::optional<Cell> line = next_line();
    if (!line) return;
    header_ = split_line(source_, line->place);
    check_header(header_, faults_);
}

/// The next line that is neither empty nor a comment.
std::optional<Cell> CsvRows::next_line() {
    const std::string_view text = source_->text();
    while (start_ < text.size()) {
        const std::size_t end = std::min(text.find('\n', start_), text.size());
        Cell line = cell_at(source_, start_, end);
        start_ = end + 1;
        if (!line.text.empty() && line.text.front() != '#') return line;
    }
    return std::nullopt;
}

std::optional<std::vector<Cell>> CsvRows::next() {
    while (const std::optional<Cell> line = next_line()) {
        std::vector<Cell> cells = split_line(source_, line->place);
        if (cells.size() == header_.size()) return cells;
        faults_.add(FaultKind::ragged_row, line->place,
                    fmt::format("{} cells under {} columns", cells.size(), header_.size()),
                    fmt::format("expected {}", header_.size()));
    }
    return std::nullopt;
}

CsvTable read_csv(const SourcePtr& source, Faults& faults) {
    CsvTable table;
    CsvRows rows(source, faults);
    table.header = rows.header();
    while (std::optional<std::vector<Cell>> row = rows.next()) {
        if (table.rows.size() == kMostRows) {
            faults.add(FaultKind::file_too_large, row->front().place, fmt::format("more than {} rows", kMostRows));
            return table;
        }
        table.rows.push_back(std::move(*row));
    }
    if (table.rows.empty() && faults.empty()) {
        faults.add(FaultKind::nothing_to_compare, {source, 0, 0}, fmt::format("no rows in `{}`", source->name()),
                   "expected a line of column names and at least one row");
    }
    return table;
}

}  // namespace warpfront::tools
