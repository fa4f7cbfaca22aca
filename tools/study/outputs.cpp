#include "tools/study/outputs.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "simulator/results/context.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/results/output.hpp"
#include "simulator/scenario/echo.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/rendering/text_table.hpp"
#include "tools/study/judgements.hpp"

namespace warpfront::tools {

namespace {

constexpr std::size_t kMostNotesShown = 8;

using CellOf = std::function<std::optional<double>(std::size_t row)>;

std::string number_cell(std::optional<double> value, int digits) {
    return value ? results::significant(*value, digits) : std::string(kEmptyCell);
}

TextColumn numbers(std::string header, std::size_t rows, int digits, const CellOf& cell) {
    TextColumn column{std::move(header), {}};
    for (std::size_t row = 0; row < rows; ++row) column.cells.push_back(number_cell(cell(row), digits));
    return column;
}

/// Returns the values of all axes that are shown in a row.
NamedTexts shown_at_row(const StudyResults& results, std::size_t row) {
    NamedTexts all;
    for (std::size_t axis = 0; axis < results.plan().axes.size(); ++axis) {
        const NamedTexts some = shown_at(results.plan(), axis, results.points()[row]);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

void add_values(const StudyResults& results, TextTable& table) {
    std::vector<TextColumn> columns;
    for (std::size_t row = 0; row < results.rows(); ++row) {
        const NamedTexts values = shown_at_row(results, row);
        columns.resize(values.size());
        for (std::size_t k = 0; k < values.size(); ++k) {
            columns[k].header = values[k].first;
            columns[k].cells.push_back(values[k].second);
        }
    }
    for (TextColumn& column : columns) table.add(std::move(column));
}

void add_ranks(const StudyResults& results, TextTable& table) {
    TextColumn column{"ranks", {}};
    bool varies = false;
    for (std::size_t row = 0; row < results.rows(); ++row) {
        column.cells.push_back(results::grouped(results.at(row).ranks));
        varies = varies || results.at(row).ranks != results.at(0).ranks;
    }
    if (varies) table.add(std::move(column));
}

/// Adds 100 * (first engine - other) / other, for the first engine and every other.
void add_differences(const StudyResults& results, TextTable& table) {
    const std::vector<std::string>& engines = results.engines();
    for (std::size_t k = 1; k < engines.size(); ++k) {
        table.add(numbers(fmt::format("{}/{} %", engines[0], engines[k]), results.rows(), 3,
                          [&](std::size_t row) -> std::optional<double> {
                              const auto one = results.value(ColumnName::time, row, engines[0]);
                              const auto other = results.value(ColumnName::time, row, engines[k]);
                              if (!one || !other || *other == 0.0) return std::nullopt;
                              return 100.0 * (*one - *other) / *other;
                          }));
    }
}

std::string best_lines(const StudyResults& results) {
    std::string text;
    std::string group;
    std::string with_waits;  // engines
    for (const BestFound& best : find_best(results)) {
        const StudyPlan& plan = results.plan();
        const ColumnText& column = text_of(best.what.column);
        const std::string heading = fmt::format("{} {} over {}:\n", column.more_is_better ? "most" : "least",
                                                column.name, plan.axes[best.what.axis].name());
        if (heading != group) text += heading;
        group = heading;
        std::string others, chosen;
        for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
            if (plan.axes[axis].size == 1) continue;
            for (const auto& [name, value] : shown_at(plan, axis, best.row)) {
                std::string& into = axis == best.what.axis ? chosen : others;
                into += fmt::format("{}{}={}", into.empty() ? "" : ", ", name, value);
            }
        }
        text += fmt::format("  {}{}{}: {} ({}{}{})\n", others, others.empty() ? "" : ", ", best.engine, chosen,
                            results::significant(best.value, 6), column.unit.empty() ? "" : " ", column.unit);
        if (best.has_eager_waits) with_waits = best.engine;
    }
    const auto overlapped = name_of(Engine::overlapped());
    if (!with_waits.empty() && std::ranges::find(results.engines(), overlapped) == results.engines().end()) {
        text += results::wrapped(fmt::format("The best of `{}` includes waits for eager messages that do not occur in "
                                             "a full pipeline; `--engines {}` or "
                                             "`--engines event` may have another best.",
                                             with_waits, overlapped)) +
                '\n';
    }
    return text;
}

}  // namespace

std::string header_of(std::string_view engine, ColumnName column) {
    const ColumnText& text = text_of(column);
    return fmt::format("{} {}{}{}", engine, text.name, text.unit.empty() ? "" : " ", text.unit);
}

std::string study_findings(const StudyResults& results) {
    std::string text;
    for (const std::string& part : {best_lines(results), findings_text(results)}) {
        if (!part.empty()) text += (text.empty() ? "" : "\n") + part;
    }
    return text;
}

std::string study_table(const StudyResults& results) {
    std::string text;
    if (!results.plan().question.empty()) text += results.plan().question + "\n\n";
    TextTable table(shown_at_row(results, 0).size());
    add_values(results, table);
    add_ranks(results, table);
    for (const ColumnName column : results.columns()) {
        for (const std::string& engine : results.engines()) {
            table.add(numbers(header_of(engine, column), results.rows(), column == ColumnName::time ? 6 : 4,
                              [&](std::size_t row) { return results.value(column, row, engine); }));
        }
        if (column == ColumnName::time) add_differences(results, table);
    }
    text += table.render();
    if (const std::string findings = study_findings(results); !findings.empty()) text += "\n" + findings;
    const std::vector<std::string> notes = shown(results.notes());
    if (!notes.empty()) text += "\n";
    for (std::size_t k = 0; k < std::min(notes.size(), kMostNotesShown); ++k)
        text += fmt::format("note: {}\n", notes[k]);
    if (notes.size() > kMostNotesShown) {
        text += fmt::format("{} more notes are in the JSON\n", notes.size() - kMostNotesShown);
    }
    return text;
}

namespace {

using nlohmann::ordered_json;

ordered_json axes_json(const StudyPlan& plan) {
    ordered_json axes = ordered_json::array();
    for (const StudyAxis& axis : plan.axes) {
        ordered_json keys = ordered_json::object();
        if (axis.label) keys[axis.label->name] = axis.label->texts;
        for (const AxisKey& key : axis.keys) {
            ordered_json values = ordered_json::array();
            for (const auto& value : key.values) {
                values.push_back(value ? ordered_json(text_of(*value)) : ordered_json());
            }
            keys[key.path] = std::move(values);
        }
        axes.push_back(std::move(keys));
    }
    return axes;
}

ordered_json point_json(const StudyResults& results, std::size_t row, const std::vector<ColumnName>& columns) {
    const PointResult& point = results.at(row);
    ordered_json json{{"point", results.points()[row]}, {"set", ordered_json::object()}};
    for (const auto& [path, value] : values_at(results.plan(), results.points()[row])) {
        if (!value.empty()) json["set"][path] = value;  // empty if a variant leaves the key as it is
    }
    json["ranks"] = point.ranks;
    json["nodes"] = point.nodes;
    json["engines"] = ordered_json::object();
    for (const ColumnName column : columns) {
        const std::string name(text_of(column).name);
        for (const std::string& engine : results.engines()) {
            if (const auto value = results.value(column, row, engine)) json["engines"][engine][name] = *value;
        }
    }
    return json;
}

}  // namespace

std::string study_csv(const StudyResults& results) {
    const std::vector<ColumnName> columns = results.columns();
    std::string text = "point";
    for (const StudyAxis& axis : results.plan().axes) {
        if (axis.label) text += ',' + results::csv_cell(axis.label->name);
        for (const AxisKey& key : axis.keys) text += ',' + results::csv_cell(key.path);
    }
    text += ",ranks,nodes";
    for (const ColumnName column : columns) {
        for (const std::string& engine : results.engines()) text += ',' + header_of(engine, column);
    }
    text += '\n';
    for (std::size_t row = 0; row < results.rows(); ++row) {
        text += fmt::format("{}", results.points()[row]);
        for (const auto& [path, value] : values_at(results.plan(), results.points()[row]))
            text += ',' + results::csv_cell(value);
        text += fmt::format(",{},{}", results.at(row).ranks, results.at(row).nodes);
        for (const ColumnName column : columns) {
            for (const std::string& engine : results.engines()) {
                const auto value = results.value(column, row, engine);
                text += value ? fmt::format(",{}", *value) : ",";
            }
        }
        text += '\n';
    }
    return text;
}

ordered_json study_json(const StudyResults& results) {
    const StudyPlan& plan = results.plan();
    const std::vector<ColumnName> columns = results.columns();
    ordered_json json{{"schema", "warpfront.study/1"}, {"study", plan.name}};
    if (!plan.question.empty()) json["question"] = plan.question;
    if (!plan.source_text.empty()) json["source"] = plan.source_text;
    json["axes"] = axes_json(plan);
    json["labels"] = ordered_json::array();
    for (const StudyAxis& axis : plan.axes) {
        if (axis.label) json["labels"].push_back(axis.label->name);
    }
    if (!plan.axes.empty()) {
        json["x"] = plan.axes[plan.x].name();
        json["over"] = plan.axes[plan.over].name();
    }
    if (const auto scaling = results.scaling()) json["scaling"] = *scaling == Scaling::strong ? "strong" : "weak";
    json["engines"] = results.engines();
    json["units"] = ordered_json::object();
    for (const ColumnName column : columns) json["units"][std::string(text_of(column).name)] = text_of(column).unit;
    json["points"] = ordered_json::array();
    for (std::size_t row = 0; row < results.rows(); ++row) json["points"].push_back(point_json(results, row, columns));
    for (std::size_t row = 0; row < results.rows(); ++row) {
        for (const EngineFailure& failure : results.at(row).failures) {
            json["failed"].push_back(
                {{"point", results.points()[row]}, {"engine", failure.engine}, {"fault", failure.fault}});
        }
    }
    json["best"] = ordered_json::array();
    for (const BestFound& best : find_best(results)) {
        json["best"].push_back({{"of", text_of(best.what.column).name},
                                {"over", plan.axes[best.what.axis].name()},
                                {"engine", best.engine},
                                {"point", results.points()[best.row]},
                                {"value", best.value}});
        if (best.has_eager_waits) json["best"].back()["eager_waits"] = true;
    }
    if (!plan.published.empty()) json["published"] = findings_json(results);
    json["notes"] = results.notes();
    return json;
}

ordered_json study_json(const StudyResults& results, const scenario::ScenarioDocument& base) {
    const StudyPlan& plan = results.plan();
    ordered_json json = study_json(results);
    ordered_json hashes = ordered_json::object();
    const auto add = [&hashes](const std::vector<results::InputHash>& inputs) {
        for (const results::InputHash& input : inputs) hashes[input.path] = input.sha256;
    };
    if (plan.source) add(results::hash_inputs(std::vector{plan.source}));
    add(results::hash_inputs(std::vector{base.source}));
    for (std::size_t row = 0; row < results.rows(); ++row) add(results.at(row).inputs);
    json["context"] = {{"version", WARPFRONT_VERSION},
                       {"inputs", std::move(hashes)},
                       {"scenario", echo(scenario_at(plan, base, results.points().front()))}};
    return json;
}

}  // namespace warpfront::tools
