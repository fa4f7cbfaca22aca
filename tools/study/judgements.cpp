#include "tools/study/judgements.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "simulator/results/formatting.hpp"
namespace warpfront::tools {

using Kind = Finding::Kind;

namespace {

/// Returns the points of a selection, in order, with `axis` at its first value.
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

/// The comparison of one engine's results with one statement.
class Judging {
public:
    Judging(const Finding& finding, const StudyResults& results, std::string_view engine)
        : finding_(finding), results_(results), plan_(results.plan()), engine_(engine) {}

    /// Returns the judgement; nothing if the engine has not run at the points of the statement.
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

    /// Returns the value of the column at a row, or its ratio to the value at `relative_to`.
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
        if (std::find(texts_.begin(), texts_.end(), text) == texts_.end()) texts_.push_back(text);
        agrees_ = agrees_ && std::find(finding_.best.begin(), finding_.best.end(), best) != finding_.best.end();
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
            ours.push_back(fmt::format("{}{} {}", each.agrees ? "" : "not ", each.engine, text_of(each)));
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
