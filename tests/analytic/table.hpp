// Published values from a CSV file of the project: `#` lines are skipped, the first other line names the columns.
#pragma once

#include "tests/preamble.hpp"

namespace warpfront::test {

class TableRow {
public:
    explicit TableRow(std::map<std::string, std::string> cells) : cells_(std::move(cells)) {}
    bool has(const std::string& column) const { return !cells_.at(column).empty(); }
    const std::string& text(const std::string& column) const { return cells_.at(column); }
    double real(const std::string& column) const { return std::stod(cells_.at(column)); }
    std::int64_t integer(const std::string& column) const { return std::stoll(cells_.at(column)); }
    std::uint32_t count(const std::string& column) const { return static_cast<std::uint32_t>(integer(column)); }

private:
    std::map<std::string, std::string> cells_;
};

inline std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    return cells;
}

/// Reads the table; `path` is relative to the project's root.
inline std::vector<TableRow> read_table(const std::string& path) {
    std::ifstream file(std::string(WARPFRONT_SOURCE_DIR) + "/" + path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::vector<std::string> columns;
    std::vector<TableRow> rows;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.front() == '#') continue;
        const std::vector<std::string> cells = cells_of(line);
        if (columns.empty()) {
            columns = cells;
            continue;
        }
        std::map<std::string, std::string> row;
        for (std::size_t k = 0; k < columns.size(); ++k) row[columns[k]] = k < cells.size() ? cells[k] : "";
        rows.emplace_back(std::move(row));
    }
    return rows;
}

}  // namespace warpfront::test
