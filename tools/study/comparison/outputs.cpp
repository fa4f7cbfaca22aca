#include "tools/study/comparison/rows.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "simulator/results/context.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/results/output.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/rendering/text_table.hpp"
#include "tools/study/comparison/comparison.hpp"

namespace warpfront::tools {

namespace {

using RowText = std::function<std::string(const ComparisonRow&)>;

class RowTable {
public:
    RowTable(const Comparison& comparison, std::size_t leading) : rows_(comparison.rows), table_(leading) {}

    void add(std::string header, const RowText& text) { table_.add(std::move(header), rows_, text); }
    void add_texts(std::string header, const RowText& text) { table_.add_texts(std::move(header), rows_, text); }
    std::string render() const { return table_.render(); }

private:
    const std::vector<ComparisonRow>& rows_;
    TextTable table_;
};

std::string text_of(WideTime time) { return results::significant(seconds(time), 6); }

std::string text_of(results::Interval interval) {
    return fmt::format("{} to {}", results::significant(interval.low_s, 6), results::significant(interval.high_s, 6));
}

std::optional<WideTime> waiting_of(const ComparisonRow& row, std::string_view engine, WideTime Waiting::*part) {
    const MethodTime* time = time_of(row, engine);
    return time == nullptr || !time->waiting ? std::nullopt : std::optional((*time->waiting).*part);
}

/// Formats a share. The text is empty for zero, which means that the machine does not share the resource.
std::string share_text(std::optional<WideTime> share) {
    return share && share->ps != 0 ? results::significant(seconds(*share), 4) : std::string(kEmptyCell);
}

using Times = std::vector<MethodTime> ComparisonRow::*;

/// Adds a column for every method in `times` of any row, in the order of first appearance.
void add_methods(RowTable& table, const Comparison& comparison, Times times) {
    std::vector<std::string> methods;
    for (const ComparisonRow& row : comparison.rows) {
        for (const MethodTime& time : row.*times) {
            if (std::ranges::find(methods, time.method) != methods.end()) continue;
            methods.push_back(time.method);
        }
    }
    for (const std::string& method : methods) {
        table.add(method + " s", [&method](const ComparisonRow& row) {
            const MethodTime* time = time_of(row, method);
            return time == nullptr ? std::string(kEmptyCell) : text_of(time->time);
        });
        table.add(method + " 95 %", [&method](const ComparisonRow& row) {
            const MethodTime* time = time_of(row, method);
            return time == nullptr || !time->interval ? std::string(kEmptyCell) : text_of(*time->interval);
        });
    }
}

/// Returns every pair (of, to) that occurs, in the order of first appearance.
std::vector<Difference> kinds_of_difference(const Comparison& comparison) {
    std::vector<Difference> kinds;
    for (const ComparisonRow& row : comparison.rows) {
        for (Difference& difference : differences(row)) {
            const bool known = std::ranges::any_of(
                kinds, [&](const Difference& kind) { return kind.of == difference.of && kind.to == difference.to; });
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
    return std::string(kEmptyCell);
}

/// Returns true if SimGrid is compared. Waits for the network explain only differences from SimGrid, because the closed
/// form has no term for them.
bool has_simgrid(const Comparison& comparison) {
    return std::ranges::any_of(comparison.rows,
                               [](const ComparisonRow& row) { return time_of(row, "simgrid") != nullptr; });
}

/// Adds the known reasons for differences between engines.
void add_reasons(RowTable& table, const Comparison& comparison) {
    table.add("bus wait s",
              [](const ComparisonRow& row) { return share_text(waiting_of(row, "event", &Waiting::bus)); });
    table.add("contention term s", [](const ComparisonRow& row) {
        const MethodTime* time = time_of(row, "analytic");
        return share_text(time == nullptr ? std::nullopt : time->contention_term);
    });
    if (!has_simgrid(comparison)) return;
    table.add("network wait s",
              [](const ComparisonRow& row) { return share_text(waiting_of(row, "event", &Waiting::network)); });
    table.add("flow wait s",
              [](const ComparisonRow& row) { return share_text(waiting_of(row, "simgrid", &Waiting::network)); });
}

/// Returns a table with only those columns that identify a row.
RowTable named_rows(const Comparison& comparison) {
    const bool several =
        std::ranges::any_of(comparison.rows, [](const ComparisonRow& row) { return !row.table.empty(); });
    RowTable table(comparison, several ? 3 : 2);
    if (several) table.add_texts("table", [](const ComparisonRow& row) { return row.table; });
    table.add_texts("case", [](const ComparisonRow& row) { return row.label; });
    table.add("ranks",
              [](const ComparisonRow& row) { return fmt::format("{} = {}", row.grid.ranks(), as_text(row.grid)); });
    return table;
}

/// Formats a part as a share of the closed form's time. The text is empty for zero picoseconds.
std::string part_text(const ComparisonRow& row, std::string_view name) {
    if (!row.parts) return std::string(kEmptyCell);
    for (const DifferencePart& part : row.parts->parts) {
        if (part.name != name || part.time == WideTime{}) continue;
        const std::optional<Percent> share = share_of(part.time, row.parts->closed_form);
        return share ? fmt::format("{:+.3f} %", share->value) : std::string(kEmptyCell);
    }
    return std::string(kEmptyCell);
}

/// Formats the parts of event minus analytic. The text is empty if no row has them.
std::string render_parts(const Comparison& comparison) {
    const auto has_parts = [](const ComparisonRow& row) { return row.parts.has_value(); };
    const auto first = std::ranges::find_if(comparison.rows, has_parts);
    if (first == comparison.rows.end()) return {};
    RowTable table = named_rows(comparison);
    table.add("event-analytic", [](const ComparisonRow& row) {
        if (!row.parts) return std::string(kEmptyCell);
        const auto share = share_of(row.parts->event - row.parts->closed_form, row.parts->closed_form);
        return share ? fmt::format("{:+.3f} %", share->value) : std::string(kEmptyCell);
    });
    for (const DifferencePart& part : first->parts->parts) {
        table.add(std::string(part.name), [&part](const ComparisonRow& row) { return part_text(row, part.name); });
    }
    return '\n' + table.render();
}

}  // namespace

std::string render(const Comparison& comparison) {
    RowTable table = named_rows(comparison);
    add_methods(table, comparison, &ComparisonRow::times);
    add_methods(table, comparison, &ComparisonRow::predictions);
    table.add("exec s", [](const ComparisonRow& row) {
        return row.measurement ? text_of(*row.measurement) : std::string(kEmptyCell);
    });
    for (const Difference& kind : kinds_of_difference(comparison)) {
        table.add(fmt::format("{}/{}", kind.of, kind.to),
                  [&](const ComparisonRow& row) { return difference_text(row, kind); });
    }
    add_reasons(table, comparison);
    std::string text = table.render() + render_parts(comparison);
    if (const std::string statistics = render(error_statistics(comparison)); !statistics.empty()) {
        text += '\n' + statistics;
    }
    for (const std::string& note : shown(comparison.notes)) text += fmt::format("note: {}\n", note);
    return text;
}

namespace {

/// Rows of cells by column name. Columns are in the order of first appearance.
class CsvRows {
public:
    void begin_row() { rows_.emplace_back(); }

    void set(std::string_view name, const std::string& text) {
        const auto found = std::ranges::find(names_, name);
        const auto index = static_cast<std::size_t>(found - names_.begin());
        if (found == names_.end()) names_.emplace_back(name);
        std::vector<std::string>& row = rows_.back();
        if (row.size() <= index) row.resize(index + 1);
        row[index] = text;
    }
    void set(std::string_view name, double value) { set(name, fmt::format("{}", value)); }
    /// Adds a column before the columns that only later rows have.
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
    const bool several =
        std::ranges::any_of(comparison.rows, [](const ComparisonRow& row) { return !row.table.empty(); });
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

nlohmann::ordered_json to_json(std::span<const ComparisonRow> rows) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const ComparisonRow& row : rows) {
        nlohmann::ordered_json json;
        if (!row.table.empty()) json["table"] = row.table;
        json["label"] = row.label;
        if (row.line != 0) json["line"] = row.line;
        json["ranks"] = row.grid.ranks();
        json["columns"] = row.grid.columns;
        json["rows"] = row.grid.rows;
        if (row.grid.planes > 1) json["planes"] = row.grid.planes;
        for (const MethodTime& time : row.times) json["time_s"][time.method] = seconds(time.time);
        for (const MethodTime& time : row.times) {
            if (time.interval) json["interval_s"][time.method] = {time.interval->low_s, time.interval->high_s};
        }
        for (const MethodTime& time : row.predictions) json[time.method + "_s"] = seconds(time.time);
        if (row.measurement) json["exec_s"] = seconds(*row.measurement);
        for (const Difference& difference : differences(row)) {
            json["difference_pct"][difference.of + "/" + difference.to] = difference.percent.value;
        }
        for (const MethodTime& time : row.times) {
            if (time.method == "event" && time.waiting) {
                json["bus_wait_s"] = seconds(time.waiting->bus);
                json["network_wait_s"] = seconds(time.waiting->network);
            }
            if (time.method == name_of(Engine::simgrid) && time.waiting)
                json["flow_wait_s"] = seconds(time.waiting->network);
            if (time.contention_term) json["contention_term_s"] = seconds(*time.contention_term);
        }
        if (row.parts) {
            for (const DifferencePart& part : row.parts->parts) json["parts_s"][part.name] = seconds(part.time);
        }
        for (const auto& [name, text] : row.information) json["published"][name] = text;
        if (!row.scenario.is_null()) json["scenario"] = row.scenario;
        all.push_back(std::move(json));
    }
    return all;
}

nlohmann::ordered_json comparison_json(const Comparison& comparison, const ComparisonRequest& request,
                                       const std::optional<Percent>& tolerance) {
    nlohmann::ordered_json json;
    json["schema"] = "warpfront.comparison/1";
    json["engines"] = nlohmann::ordered_json::array();
    for (const Engine engine : request.engines) json["engines"].push_back(std::string(name_of(engine)));
    if (tolerance) json["tolerance_pct"] = tolerance->value;
    if (request.seeds) json["seeds"] = *request.seeds;
    json["rows"] = to_json(comparison.rows);
    const std::vector<ErrorStatistics> statistics = error_statistics(comparison);
    if (!statistics.empty()) json["statistics"] = to_json(statistics);
    json["notes"] = comparison.notes;
    json["context"] = {
        {"version", WARPFRONT_VERSION}, {"inputs", comparison.inputs}, {"host", results::describe_host()}};
    return json;
}

}  // namespace warpfront::tools
