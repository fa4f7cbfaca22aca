#include "tools/study/outputs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "simulator/results/context.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/results/output.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/rendering/text_table.hpp"

namespace warpfront::tools {

namespace {

constexpr std::size_t kMostNotesShown = 8;
constexpr std::size_t kMostRivalsShown = 3;

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

/// Adds columns 100 * (first engine - other) / other, for each other engine.
void add_differences(const StudyResults& results, TextTable& table) {
    const std::vector<std::string>& engines = results.engines();
    for (std::size_t k = 1; k < engines.size(); ++k) {
        TextColumn column{fmt::format("{}/{}", engines[0], engines[k]), {}};
        for (std::size_t row = 0; row < results.rows(); ++row) {
            const auto one = results.value(ColumnName::time, row, engines[0]);
            const auto other = results.value(ColumnName::time, row, engines[k]);
            const bool is_known = one && other && *other != 0.0;
            column.cells.push_back(is_known ? fmt::format("{:+.2f} %", 100.0 * (*one - *other) / *other)
                                            : std::string(kEmptyCell));
        }
        table.add(std::move(column));
    }
}

/// Formats the axis's value in a row, such as "parameters.mk=4".
std::string along_text(const StudyPlan& plan, std::size_t axis, std::size_t row) {
    std::string text;
    for (const auto& [name, value] : shown_at(plan, axis, row)) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
    }
    return text;
}

/// Formats a value with its unit and, if it has an interval, half of the interval's width.
std::string value_text(double value, const std::optional<results::MeanEstimate>& estimate, const ColumnText& column) {
    const std::string half = estimate ? fmt::format(" +- {}", results::significant(estimate->half, 2)) : "";
    return fmt::format("{}{}{}{}", results::significant(value, 6), half, column.unit.empty() ? "" : " ", column.unit);
}

/// Formats the comparison of the best point with those from which it is not distinguishable or, if there are none, with
/// the next. The text is empty for a single seed, unless other points have exactly the value of the best.
std::string rival_lines(const StudyPlan& plan, const BestFound& best) {
    const auto point_text = [&](const ComparedPoint& point) {
        const std::string where = along_text(plan, best.what.axis, point.row);
        const results::MeanEstimate& difference = point.difference;
        if (difference.half == 0.0) return difference.mean == 0.0 ? where + " (equal)" : where;
        const std::string_view unit = text_of(best.what.column).unit;
        return fmt::format("{} ({:+.3g}{}{}; {:.3g} to {:.3g})", where, difference.mean, unit.empty() ? "" : " ", unit,
                           difference.low(), difference.high());
    };
    const bool has_interval = best.next && best.next->difference.half > 0.0;
    if (best.rivals.empty()) {
        return has_interval ? fmt::format("    better than the next, {}\n", point_text(*best.next)) : "";
    }
    std::vector<std::string> names;
    for (std::size_t k = 0; k < std::min(best.rivals.size(), kMostRivalsShown); ++k) {
        names.push_back(point_text(best.rivals[k]));
    }
    const std::size_t more = best.rivals.size() - names.size();
    return fmt::format("    not distinguishable from {}{}\n", fmt::join(names, ", "),
                       more == 0 ? "" : fmt::format(" and {} more", more));
}

std::string best_lines(const StudyResults& results) {
    std::string text;
    bool is_of_one_seed = false;
    std::string group;
    std::string with_waits;  // engines with waits for eager messages
    for (const BestFound& best : find_best(results)) {
        const StudyPlan& plan = results.plan();
        const ColumnText& column = text_of(best.what.column);
        const std::string heading = fmt::format("{} {} over {}:\n", column.more_is_better ? "highest" : "lowest",
                                                column.name, plan.axes[best.what.axis].name());
        if (heading != group) text += heading;
        group = heading;
        std::string others;
        for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
            if (plan.axes[axis].size == 1 || axis == best.what.axis) continue;
            others += along_text(plan, axis, best.row) + ", ";
        }
        text += fmt::format("  {}{}: {} ({})\n", others, best.engine, along_text(plan, best.what.axis, best.row),
                            value_text(best.value, best.estimate, column));
        text += rival_lines(plan, best);
        is_of_one_seed = is_of_one_seed || best.is_of_one_seed;
        if (best.has_eager_waits) with_waits = best.engine;
    }
    const auto overlapped = name_of(Engine::overlapped());
    if (!with_waits.empty() && std::ranges::find(results.engines(), overlapped) == results.engines().end()) {
        text += results::wrapped(fmt::format("The best of `{}` includes waits for eager messages that do not occur in "
                                             "a full pipeline; `--engines {}` or "
                                             "`--engines event` may have a different best point.",
                                             with_waits, overlapped)) +
                '\n';
    }
    if (is_of_one_seed) {
        text += results::wrapped(
                    "The noise of each point is that of one seed, so with another seed another point may "
                    "be the best; `--seeds N` compares the points over N seeds.") +
                '\n';
    }
    return text;
}

/// Explains the numbers of several seeds.
std::string seeds_lines(const StudyResults& results) {
    if (!results.has_seeds()) return "";
    std::string text = fmt::format(
        "Each point with noise is the mean of {} seeds; +- is half of the 95 % interval of this mean. The interval "
        "contains the noise, but not the error of the model.",
        results.plan().seeds);
    if (!results.plan().best.empty()) {
        text += " Differences from the best are of pairs with the same seed; their intervals hold together with 95 %.";
    }
    return results::wrapped(text) + '\n';
}

}  // namespace

std::string header_of(std::string_view engine, ColumnName column, std::string_view end) {
    const ColumnText& text = text_of(column);
    return fmt::format("{} {}{}{}{}", engine, text.name, end, text.unit.empty() ? "" : " ", text.unit);
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
            if (column != ColumnName::time) continue;
            table.add(numbers("+- s", results.rows(), 2, [&](std::size_t row) -> std::optional<double> {
                const auto estimate = results.estimate(column, row, engine);
                return estimate ? std::optional(estimate->half) : std::nullopt;
            }));
        }
        if (column == ColumnName::time) add_differences(results, table);
    }
    text += table.render();
    if (const std::string seeds = seeds_lines(results); !seeds.empty()) text += "\n" + seeds;
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
        if (!value.empty()) json["set"][path] = value;  // empty if a variant does not change the key
    }
    json["ranks"] = point.ranks;
    json["nodes"] = point.nodes;
    json["engines"] = ordered_json::object();
    for (const ColumnName column : columns) {
        const std::string name(text_of(column).name);
        for (const std::string& engine : results.engines()) {
            if (const auto value = results.value(column, row, engine)) json["engines"][engine][name] = *value;
            if (const auto estimate = results.estimate(column, row, engine)) {
                json["engines"][engine]["ci95"][name] = {estimate->low(), estimate->high()};
            }
        }
    }
    return json;
}

/// Returns the difference of a point from the best, with the ends of its interval if there are several seeds.
ordered_json difference_json(const StudyResults& results, const ComparedPoint& other) {
    ordered_json json{{"point", results.points()[other.row]}, {"difference", other.difference.mean}};
    if (other.difference.half > 0.0) json["interval"] = {other.difference.low(), other.difference.high()};
    return json;
}

ordered_json best_json(const StudyResults& results, const BestFound& best) {
    ordered_json json{{"of", text_of(best.what.column).name},
                      {"over", results.plan().axes[best.what.axis].name()},
                      {"engine", best.engine},
                      {"point", results.points()[best.row]},
                      {"value", best.value}};
    if (best.estimate) json["ci95"] = {best.estimate->low(), best.estimate->high()};
    if (best.next) json["next"] = difference_json(results, *best.next);
    for (const ComparedPoint& rival : best.rivals) {
        json["not_distinguishable"].push_back(difference_json(results, rival));
    }
    if (best.is_of_one_seed) json["one_seed"] = true;
    if (best.has_eager_waits) json["eager_waits"] = true;
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
        for (const std::string& engine : results.engines()) {
            text += ',' + header_of(engine, column);
            if (!results.has_seeds()) continue;
            text += ',' + header_of(engine, column, " low") + ',' + header_of(engine, column, " high");
        }
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
                if (!results.has_seeds()) continue;
                const auto estimate = results.estimate(column, row, engine);
                text += estimate ? fmt::format(",{},{}", estimate->low(), estimate->high()) : ",,";
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
    if (plan.seeds > 1) json["seeds"] = plan.seeds;
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
        json["best"].push_back(best_json(results, best));
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

using Kind = Finding::Kind;

namespace {

/// Returns the selected points in order. `axis` has its first value in all of them.
std::vector<std::size_t> points_of(const Selection& at, std::optional<std::size_t> axis, const StudyPlan& plan) {
    std::vector<std::size_t> points;
    for (std::size_t point = 0; point < plan.points(); ++point) {
        bool selected = true;
        for (std::size_t k = 0; k < at.size(); ++k) {
            const std::size_t index = plan.index(point, k);
            selected = selected && (k == axis ? index == 0 : !at[k] || *at[k] == index);
        }
        if (selected) points.push_back(point);
    }
    return points;
}

/// Compares one engine's results with one statement.
class Judging {
public:
    Judging(const Finding& finding, const StudyResults& results, std::string_view engine)
        : finding_(finding), results_(results), plan_(results.plan()), engine_(engine) {}

    /// Returns the judgement. Returns nothing if the engine has not run at the points of the statement.
    std::optional<Judgement> judge() {
        for (const std::size_t first : points_of(finding_.at, finding_.along, plan_)) {
            const bool known = finding_.kind == Kind::best    ? judge_best(first)
                               : finding_.kind == Kind::value ? judge_values(first)
                                                              : judge_order(first);
            if (!known) return std::nullopt;
        }
        return Judgement{std::string(engine_), text(), difference_, agrees_};
    }

private:
    std::size_t size() const { return finding_.along ? plan_.axes[*finding_.along].size : 1; }
    std::size_t row(std::size_t first, std::size_t index) const {
        return finding_.along ? first + index * plan_.stride(*finding_.along) : first;
    }

    /// Returns the value of the column in a row, or its ratio to the value at `relative_to`.
    std::optional<double> value(std::size_t row) const {
        const auto here = results_.value(finding_.column, row, engine_);
        if (!here || !finding_.relative_to) return here;
        std::size_t base = row;
        for (std::size_t k = 0; k < plan_.axes.size(); ++k) {
            const auto index = (*finding_.relative_to)[k];
            if (index) base = base + *index * plan_.stride(k) - plan_.index(row, k) * plan_.stride(k);
        }
        const auto there = results_.value(finding_.column, base, engine_);
        return there && *there != 0.0 ? std::optional(*here / *there) : std::nullopt;
    }

    bool judge_best(std::size_t first) {
        const bool most = text_of(finding_.column).more_is_better;
        std::size_t best = 0;
        std::optional<double> best_value;
        for (std::size_t k = 0; k < size(); ++k) {
            const auto here = value(row(first, k));
            if (!here) return false;
            if (!best_value || (most ? *here > *best_value : *here < *best_value)) {
                best = k;
                best_value = here;
            }
        }
        const std::string text = plan_.axes[*finding_.along].text_as(finding_.along_name, best);
        if (std::ranges::find(texts_, text) == texts_.end()) texts_.push_back(text);
        agrees_ = agrees_ && std::ranges::find(finding_.best, best) != finding_.best.end();
        return true;
    }

    bool judge_values(std::size_t first) {
        bool any = false;
        for (std::size_t k = 0; k < size(); ++k) {
            const std::optional<Stated>& stated = finding_.numbers[k];
            const auto here = stated ? value(row(first, k)) : std::nullopt;
            if (!here) continue;
            any = true;
            least_ = std::min(least_.value_or(*here), *here);
            most_ = std::max(most_.value_or(*here), *here);
            const Percent difference = stated->difference(*here);
            agrees_ = agrees_ && std::abs(difference.value) <= stated->within.value;
            if (difference_ && std::abs(difference.value) <= std::abs(difference_->value)) continue;
            difference_ = difference;
            if (finding_.along) worst_at_ = plan_.axes[*finding_.along].text_as(finding_.along_name, k);
        }
        return any;
    }

    bool judge_order(std::size_t first) {
        std::vector<double> values;
        for (std::size_t k = 0; k < size(); ++k) {
            if (const auto here = value(row(first, k))) values.push_back(*here);
        }
        for (std::size_t k = 1; k < values.size(); ++k) {
            const bool in_order = finding_.kind == Kind::grows ? values[k] > values[k - 1] : values[k] < values[k - 1];
            agrees_ = agrees_ && in_order;
        }
        std::vector<std::string> texts;
        for (const double each : values) texts.push_back(results::significant(each, 3));
        texts_.push_back(fmt::format("{}", fmt::join(texts, ", ")));
        return values.size() > 1;
    }

    std::string text() const {
        if (!texts_.empty()) return fmt::format("{}", fmt::join(texts_, finding_.kind == Kind::best ? " or " : "; "));
        if (!worst_at_.empty()) return fmt::format("worst at {}", worst_at_);
        const std::string least = results::significant(*least_, 4);
        return least_ == most_ ? least : fmt::format("{} to {}", least, results::significant(*most_, 4));
    }

    const Finding& finding_;
    const StudyResults& results_;
    const StudyPlan& plan_;
    std::string_view engine_;
    bool agrees_ = true;
    std::vector<std::string> texts_;
    std::optional<double> least_, most_;
    std::optional<Percent> difference_;
    std::string worst_at_;
};

}  // namespace

Statement judge(const Finding& finding, const StudyResults& results) {
    Statement statement = finding;
    if (!results.complete()) return statement;
    for (const std::string& engine : results.engines()) {
        if (finding.engine && tools::name_of(*finding.engine) != engine) continue;
        if (auto judgement = Judging(finding, results, engine).judge()) statement.ours.push_back(std::move(*judgement));
    }
    return statement;
}

std::string findings_text(const StudyResults& results) {
    std::string text;
    for (const Finding& finding : results.plan().published) {
        const Statement statement = judge(finding, results);
        std::vector<std::string> ours;
        for (const Judgement& each : statement.ours) {
            ours.push_back(fmt::format("{} {}{}", each.engine, text_of(each), each.agrees ? "" : " (differs)"));
        }
        text += fmt::format("  {}: {}; {}\n", statement.states, statement.expected, fmt::join(ours, "; "));
        if (statement.agrees()) continue;
        if (!statement.reason.empty()) text += fmt::format("    reason: {}\n", statement.reason);
        if (!statement.tested_by.empty()) text += fmt::format("    tested by: {}\n", statement.tested_by);
    }
    const std::string& source = results.plan().source_text;
    return text.empty() ? text : fmt::format("published{}{}:\n{}", source.empty() ? "" : ", ", source, text);
}

nlohmann::ordered_json findings_json(const StudyResults& results) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Finding& finding : results.plan().published) {
        nlohmann::ordered_json json{{"states", finding.states},
                                    {"kind", name_of(finding.kind)},
                                    {"of", text_of(finding.column).name},
                                    {"expected", finding.expected}};
        if (finding.kind == Kind::value && !finding.relative_to) {
            json["stated"] = nlohmann::ordered_json::array();
            for (const std::size_t first : points_of(finding.at, finding.along, results.plan())) {
                for (std::size_t k = 0; k < finding.numbers.size(); ++k) {
                    const std::optional<Stated>& stated = finding.numbers[k];
                    if (!stated || stated->from != stated->to) continue;
                    const std::size_t point = first + (finding.along ? k * results.plan().stride(*finding.along) : 0);
                    json["stated"].push_back({{"point", point}, {"value", stated->from}});
                }
            }
        }
        judge(finding, results).add_to(json);
        all.push_back(std::move(json));
    }
    return all;
}

}  // namespace warpfront::tools
