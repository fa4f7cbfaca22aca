#include <algorithm>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "tools/comparison.hpp"

namespace warpfront::tools {

namespace {

using CellText = std::function<std::string(const ComparisonRow&)>;

constexpr std::string_view kNothing = "-";

struct Column {
    std::string header;
    std::vector<std::string> cells;  // one per row
};

class TextTable {
public:
    explicit TextTable(const Comparison& comparison) : comparison_(comparison) {}

    /// Omits a column that is empty in all rows.
    void add(std::string header, const CellText& text) {
        Column column{std::move(header), {}};
        for (const ComparisonRow& row : comparison_.rows) column.cells.push_back(text(row));
        const auto empty = [](const std::string& cell) { return cell == kNothing; };
        if (!std::all_of(column.cells.begin(), column.cells.end(), empty)) columns_.push_back(std::move(column));
    }

    /// The first column flush left, the others flush right.
    std::string render() const {
        std::string text;
        append_line(text, [](const Column& column) -> const std::string& { return column.header; });
        for (std::size_t at = 0; at < comparison_.rows.size(); ++at) {
            append_line(text, [at](const Column& column) -> const std::string& { return column.cells[at]; });
        }
        return text;
    }

private:
    static std::size_t width(const Column& column) {
        std::size_t widest = column.header.size();
        for (const std::string& cell : column.cells) widest = std::max(widest, cell.size());
        return widest;
    }

    template <typename Cell>
    void append_line(std::string& text, const Cell& cell) const {
        for (const Column& column : columns_) {
            const bool first = &column == &columns_.front();
            text += first ? fmt::format("{:<{}}", cell(column), width(column))
                          : fmt::format("  {:>{}}", cell(column), width(column));
        }
        text += '\n';
    }

    const Comparison& comparison_;
    std::vector<Column> columns_;
};

std::string text_of(WideTime time) { return fmt::format("{:.6g}", seconds(time)); }

std::string text_of(std::optional<Time> time) { return time ? text_of(WideTime(*time)) : std::string(kNothing); }

std::optional<WideTime> waiting_of(const ComparisonRow& row, Engine engine, WideTime Waiting::*part) {
    const EngineTime* time = time_of(row, engine);
    return time == nullptr || !time->waiting ? std::nullopt : std::optional((*time->waiting).*part);
}

/// Empty for a share of zero: the machine does not share the resource.
std::string share_text(std::optional<WideTime> share) {
    return share && share->ps != 0 ? fmt::format("{:.4g}", seconds(*share)) : std::string(kNothing);
}

/// Every (of, to) that occurs, in order of first appearance.
std::vector<Difference> kinds_of_difference(const Comparison& comparison) {
    std::vector<Difference> kinds;
    for (const ComparisonRow& row : comparison.rows) {
        for (Difference& difference : differences(row)) {
            const bool known = std::any_of(kinds.begin(), kinds.end(), [&](const Difference& kind) {
                return kind.of == difference.of && kind.to == difference.to;
            });
            if (!known) kinds.push_back(std::move(difference));
        }
    }
    return kinds;
}

std::string difference_text(const ComparisonRow& row, const Difference& kind) {
    for (const Difference& difference : differences(row)) {
        if (difference.of != kind.of || difference.to != kind.to) continue;
        return fmt::format("{:+.2f} %", difference.percent.value);
    }
    return std::string(kNothing);
}

void add_times(TextTable& table) {
    for (const Engine engine : {Engine::event, Engine::analytic, Engine::simgrid}) {
        table.add(fmt::format("{} s", name_of(engine)), [engine](const ComparisonRow& row) {
            const EngineTime* time = time_of(row, engine);
            return time == nullptr ? std::string(kNothing) : text_of(time->time);
        });
    }
    table.add("pred s", [](const ComparisonRow& row) { return text_of(row.prediction); });
    table.add("exec s", [](const ComparisonRow& row) { return text_of(row.measurement); });
}

/// Waiting for the network explains only differences to SimGrid: the closed form has no such term.
bool has_simgrid(const Comparison& comparison) {
    return std::any_of(comparison.rows.begin(), comparison.rows.end(),
                       [](const ComparisonRow& row) { return time_of(row, Engine::simgrid) != nullptr; });
}

/// The known reasons for differences between engines.
void add_reasons(TextTable& table, const Comparison& comparison) {
    table.add("bus wait s",
              [](const ComparisonRow& row) { return share_text(waiting_of(row, Engine::event, &Waiting::bus)); });
    table.add("contention term s", [](const ComparisonRow& row) {
        const EngineTime* time = time_of(row, Engine::analytic);
        return share_text(time == nullptr ? std::nullopt : time->contention_term);
    });
    if (!has_simgrid(comparison)) return;
    table.add("network wait s",
              [](const ComparisonRow& row) { return share_text(waiting_of(row, Engine::event, &Waiting::network)); });
    table.add("flow wait s",
              [](const ComparisonRow& row) { return share_text(waiting_of(row, Engine::simgrid, &Waiting::network)); });
}

}  // namespace

std::string render(const Comparison& comparison) {
    TextTable table(comparison);
    table.add("case", [](const ComparisonRow& row) { return row.label; });
    table.add("ranks", [](const ComparisonRow& row) {
        return fmt::format("{} = {} x {}", row.grid.ranks(), row.grid.columns, row.grid.rows);
    });
    add_times(table);
    for (const Difference& kind : kinds_of_difference(comparison)) {
        table.add(fmt::format("{}/{}", kind.of, kind.to),
                  [&](const ComparisonRow& row) { return difference_text(row, kind); });
    }
    add_reasons(table, comparison);
    std::string text = table.render();
    for (const std::string& note : comparison.notes) text += fmt::format("note: {}\n", note);
    return text;
}

}  // namespace warpfront::tools
