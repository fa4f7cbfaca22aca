#include "tools/comparison/csv.hpp"
#include "simulator/results/answer.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace warpfront::tools {

namespace {

/// Cells by the name of their column, the columns in order of first appearance.
class CsvRows {
public:
    void begin_row() { rows_.emplace_back(); }

    void set(std::string_view name, const std::string& text) {
        const auto found = std::find(names_.begin(), names_.end(), name);
        const auto index = static_cast<std::size_t>(found - names_.begin());
        if (found == names_.end()) names_.emplace_back(name);
        std::vector<std::string>& row = rows_.back();
        if (row.size() <= index) row.resize(index + 1);
        row[index] = text;
    }
    void set(std::string_view name, double value) { set(name, fmt::format("{}", value)); }
    /// A column that stands before those that only later rows have.
    void declare(std::string name) { names_.push_back(std::move(name)); }

    std::string text() const {
        std::string text;
        append_line(text, names_);
        for (const std::vector<std::string>& row : rows_) append_line(text, row);
        return text;
    }

private:
    void append_line(std::string& text, const std::vector<std::string>& cells) const {
        for (std::size_t k = 0; k < names_.size(); ++k) {
            if (k > 0) text += ',';
            if (k < cells.size()) text += results::csv_cell(cells[k]);
        }
        text += '\n';
    }

    std::vector<std::string> names_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace

std::string comparison_csv(const Comparison& comparison) {
    CsvRows csv;
    const bool several = std::any_of(comparison.rows.begin(), comparison.rows.end(),
                                     [](const ComparisonRow& row) { return !row.table.empty(); });
    if (several) csv.declare("table");
    for (const char* name : {"case", "line", "ranks", "columns", "rows"}) csv.declare(name);
    for (const ComparisonRow& row : comparison.rows) {
        csv.begin_row();
        if (several) csv.set("table", row.table);
        csv.set("case", row.label);
        csv.set("line", row.line == 0 ? "" : fmt::format("{}", row.line));
        csv.set("ranks", fmt::format("{}", row.grid.ranks()));
        csv.set("columns", fmt::format("{}", row.grid.columns));
        csv.set("rows", fmt::format("{}", row.grid.rows));
        if (row.grid.planes > 1) csv.set("planes", fmt::format("{}", row.grid.planes));
        for (const MethodTime& time : row.times) {
            csv.set(time.method + "_s", seconds(time.time));
            if (!time.interval) continue;
            csv.set(time.method + "_low_s", time.interval->low_s);
            csv.set(time.method + "_high_s", time.interval->high_s);
        }
        for (const MethodTime& time : row.predictions) csv.set(time.method + "_s", seconds(time.time));
        if (row.measurement) csv.set("exec_s", seconds(*row.measurement));
        for (const Difference& difference : differences(row)) {
            csv.set(fmt::format("{}/{}_pct", difference.of, difference.to), difference.percent.value);
        }
        if (!row.parts) continue;
        for (const DifferencePart& part : row.parts->parts) {
            csv.set(fmt::format("part_{}_s", part.name), seconds(part.time));
        }
    }
    return csv.text();
}

}  // namespace warpfront::tools
