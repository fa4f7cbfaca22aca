#include "simulator/scenario/csv.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/words.hpp"

namespace warpfront::scenario {

namespace {

constexpr std::string_view kBlank = " \t\r";

/// Returns the cell in [start, end) of the source, without the blanks around it.
Cell cell_at(const SourceFilePtr& source, std::size_t start, std::size_t end) {
    const std::string_view raw = source->text().substr(start, end - start);
    const std::string_view text = input::trimmed(raw, kBlank);
    return {std::string(text), {source, start + static_cast<std::size_t>(text.data() - raw.data()), text.size()}};
}

/// Returns the cell whose opening quote is at `open`, on a line that ends at `end`: the text between the quotes, in
/// which two quotes stand for one. Sets `next` to the offset after the closing quote. Returns nothing, and adds an
/// error, if there is no such quote.
std::optional<Cell> quoted_cell(const SourceFilePtr& source, std::size_t open, std::size_t end, std::size_t& next,
                                Diagnostics& faults) {
    const std::string_view line = source->text().substr(0, end);
    std::string text;
    for (std::size_t at = open + 1; at < end; ++at) {
        if (line[at] != '"') {
            text += line[at];
        } else if (line.substr(at).starts_with("\"\"")) {
            text += line[at++];
        } else {
            next = at + 1;
            return Cell{std::move(text), {source, open + 1, at - open - 1}};
        }
    }
    faults.add(DiagnosticKind::csv_quotes, {source, open, end - open}, "a quoted cell does not end on its line",
               "expected a closing `\"`; a quote within a cell is written twice");
    return std::nullopt;
}

/// Returns the cell that begins at `start`; sets `start` to the offset after its comma, or beyond `end` after the last
/// cell.
std::optional<Cell> next_cell(const SourceFilePtr& source, std::size_t& start, std::size_t end, Diagnostics& faults) {
    const std::string_view text = source->text().substr(0, end);
    const std::size_t first = std::min(text.find_first_not_of(kBlank, start), end);
    if (first == end || text[first] != '"') {
        const std::size_t comma = std::min(text.find(',', start), end);
        const Cell cell = cell_at(source, start, comma);
        start = comma + 1;
        return cell;
    }
    std::size_t after = first;
    std::optional<Cell> cell = quoted_cell(source, first, end, after, faults);
    if (!cell) return std::nullopt;
    const std::size_t comma = std::min(text.find_first_not_of(kBlank, after), end);
    if (comma < end && text[comma] != ',') {
        faults.add(DiagnosticKind::csv_quotes, {source, comma, 1}, "a cell has text after its closing quote",
                   "expected `,` or the end of the line; a quote within a cell is written twice");
        return std::nullopt;
    }
    start = comma + 1;
    return cell;
}

/// Returns the cells of a line, at most one more than a table may have; empty, with an error, if a quote is misplaced.
std::vector<Cell> split_line(const SourceFilePtr& source, const SourceRange& line, Diagnostics& faults) {
    std::vector<Cell> cells;
    std::size_t start = line.offset;
    const std::size_t end = line.offset + line.length;
    while (start <= end && cells.size() <= kMostColumns) {
        std::optional<Cell> cell = next_cell(source, start, end, faults);
        if (!cell) return {};
        cells.push_back(std::move(*cell));
    }
    return cells;
}

void check_header(const std::vector<Cell>& header, Diagnostics& faults) {
    if (header.size() > kMostColumns) {
        faults.add(DiagnosticKind::file_too_large, header.back().range,
                   fmt::format("the table has more than {} columns", kMostColumns),
                   fmt::format("expected at most {} columns", kMostColumns));
    }
    std::set<std::string> seen;
    for (const Cell& cell : header) {
        if (cell.text.empty()) {
            faults.add(DiagnosticKind::unknown_column, cell.range, "a column has no name",
                       "expected a name for each column; a comma at the end of the line begins another column");
        } else if (!seen.insert(cell.text).second) {
            faults.add(DiagnosticKind::duplicate_column, cell.range,
                       fmt::format("there is more than one column `{}`", cell.text), "expected each name only once");
        }
    }
}

}  // namespace

CsvRows::CsvRows(const SourceFilePtr& source, Diagnostics& faults) : source_(source), faults_(faults) {
    const std::optional<Cell> line = next_line();
    if (!line) return;
    header_ = split_line(source_, line->range, faults_);
    check_header(header_, faults_);
}

/// Returns the next line that is neither empty nor a comment.
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
        std::vector<Cell> cells = split_line(source_, line->range, faults_);
        if (cells.empty()) continue;
        if (cells.size() == header_.size()) return cells;
        faults_.add(DiagnosticKind::ragged_row, line->range,
                    fmt::format("the row has {}, but the header has {}", input::counted(cells.size(), "cell"),
                                input::counted(header_.size(), "column")),
                    fmt::format("expected {}; a cell that contains a comma needs quotes",
                                input::counted(header_.size(), "cell")));
    }
    return std::nullopt;
}

std::vector<std::optional<std::size_t>> find_columns(const std::vector<Cell>& header, const SourceFilePtr& source,
                                                     std::span<const std::string> names, std::size_t required,
                                                     std::string_view what, const std::string& expected,
                                                     Diagnostics& faults) {
    std::vector<std::optional<std::size_t>> columns(names.size());
    for (std::size_t at = 0; at < header.size(); ++at) {
        const auto name = std::ranges::find(names, header[at].text);
        if (name != names.end()) {
            columns[static_cast<std::size_t>(name - names.begin())] = at;
        } else if (!header[at].text.empty()) {
            faults.add(DiagnosticKind::unknown_column, header[at].range,
                       fmt::format("unknown column `{}`", header[at].text), input::suggestion(header[at].text, names));
        }
    }
    const SourceRange line = header.empty() ? SourceRange{source, 0, 0} : header.front().range;
    for (std::size_t k = 0; k < required; ++k) {
        if (columns[k]) continue;
        faults.add(DiagnosticKind::missing_key, line, fmt::format("{} has no column `{}`", what, names[k]), expected);
    }
    return columns;
}

CsvTable read_csv(const SourceFilePtr& source, Diagnostics& faults) {
    CsvTable table;
    CsvRows rows(source, faults);
    table.header = rows.header();
    while (std::optional<std::vector<Cell>> row = rows.next()) {
        if (table.rows.size() == kMostRows) {
            faults.add(DiagnosticKind::file_too_large, row->front().range,
                       fmt::format("the table has more than {} rows", kMostRows),
                       fmt::format("expected at most {} rows: split the table", kMostRows));
            return table;
        }
        table.rows.push_back(std::move(*row));
    }
    if (table.rows.empty() && faults.empty()) {
        faults.add(DiagnosticKind::nothing_to_compare, {source, 0, 0}, fmt::format("`{}` has no rows", source->name()),
                   "expected a line of column names and at least one row");
    }
    return table;
}

}  // namespace warpfront::scenario
