#include "tools/study/calibration/plan.hpp"

#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/file_kind.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/scenario/calibration.hpp"
#include "simulator/scenario/overrides.hpp"

namespace warpfront::tools {

namespace {

using input::NumberWithUnit;

constexpr std::uint32_t kMostSeedsOfPlan = 1000;
constexpr std::uint64_t kLargest = 1024;
constexpr std::string_view kExpected = "a plan of a calibration (.yaml)";
constexpr std::string_view kPaths = "paths, such as `[noise.jitter]`";

/// Reads a number and its unit, such as `3.85us`.
NumberWithUnit number_of(std::string_view text, const SourceRange& range, Diagnostics& faults) {
    if (auto number = input::number_with_unit(text)) return std::move(*number);
    faults.add(DiagnosticKind::bad_number, range, fmt::format("`{}` is not a number", input::trimmed(text)),
               "expected a number with its unit, such as `3.85us`");
    return {};
}

void require_unit(const NumberWithUnit& number, const std::string& unit, const SourceRange& range,
                  Diagnostics& faults) {
    if (number.unit == unit) return;
    faults.add(DiagnosticKind::wrong_unit, range, fmt::format("the unit is `{}` instead of `{}`", number.unit, unit),
               fmt::format("expected the unit of the prior, `{}`", unit));
}

/// Returns the items of a list. Returns none if the list is absent.
std::vector<YamlNode> read_items(const YamlNode* node, std::string_view key, std::string_view expected,
                                 Diagnostics& faults) {
    if (node == nullptr) return {};
    if (node->kind != YamlNode::Kind::sequence) {
        faults.add(DiagnosticKind::wrong_yaml_type, node->range, fmt::format("`{}` is not a list", key),
                   fmt::format("expected {}", expected));
    }
    return node->items;
}

std::vector<PlannedPath> read_paths(MappingReader& term, const YamlNode::Entry& entry, Diagnostics& faults) {
    const YamlNode* sets = term.take("sets");
    if (sets == nullptr) return {{entry.key, entry.key_range}};
    std::vector<PlannedPath> paths;
    for (const YamlNode& item : read_items(sets, "sets", kPaths, faults)) paths.push_back({item.scalar, item.range});
    if (sets->kind == YamlNode::Kind::sequence && paths.empty()) {
        faults.add(DiagnosticKind::wrong_yaml_type, sets->range, fmt::format("`{}` sets nothing", entry.key),
                   fmt::format("expected {}", kPaths));
    }
    return paths;
}

/// Reports bounds in the wrong order, or otherwise a prior that is not within the bounds.
void check_figures(const std::string& name, const PlannedTerm& term, Diagnostics& faults) {
    const regression::FittedTerm& fitted = term.fitted;
    if (fitted.least > fitted.most) {
        faults.add(DiagnosticKind::out_of_range, term.least_range,
                   fmt::format("`least` of `{}` is {}, but `most` is only {}", name, term.text(fitted.least),
                               term.text(fitted.most)),
                   "expected a lower bound `least` and an upper bound `most`");
    } else if (!(fitted.deviation > 0.0) || fitted.prior < fitted.least || fitted.prior > fitted.most) {
        faults.add(DiagnosticKind::out_of_range, term.prior_range,
                   fmt::format("the prior `{} +- {}` of `{}` {}", term.text(fitted.prior), term.text(fitted.deviation),
                               name, fitted.deviation > 0.0 ? "is outside its bounds" : "has no positive deviation"),
                   "expected a value from `least` to `most` with a deviation above 0");
    }
}

PlannedTerm read_term(const YamlNode::Entry& entry, Diagnostics& faults) {
    PlannedTerm term;
    term.name = entry.key;
    const std::size_t before = faults.count();
    MappingReader keys(entry.value, fmt::format("`{}`", entry.key), faults);
    for (const char* key : {"prior", "least", "most"}) keys.require(key);
    const std::string prior = keys.text("prior").value_or("0 +- 1");
    const std::string least = keys.text("least").value_or("0");
    const std::string most = keys.text("most").value_or("1");
    term.sets = read_paths(keys, entry, faults);
    keys.finish();
    term.prior_range = keys.range_of("prior");
    term.least_range = keys.range_of("least");
    term.most_range = keys.range_of("most");
    if (faults.count() != before) return term;
    const auto parts = input::split_deviation(prior);
    if (!parts) {
        faults.add(DiagnosticKind::bad_number, term.prior_range, fmt::format("`{}` has no deviation", prior),
                   "expected a value with its standard deviation, such as `3us +- 2us`");
        return term;
    }
    const NumberWithUnit value = number_of(parts->value, term.prior_range, faults);
    const NumberWithUnit deviation = number_of(parts->deviation, term.prior_range, faults);
    const NumberWithUnit low = number_of(least, term.least_range, faults);
    const NumberWithUnit high = number_of(most, term.most_range, faults);
    if (faults.count() != before) return term;
    term.unit = value.unit;
    require_unit(deviation, term.unit, term.prior_range, faults);
    require_unit(low, term.unit, term.least_range, faults);
    require_unit(high, term.unit, term.most_range, faults);
    term.fitted = {value.value, deviation.value, low.value, high.value};
    if (faults.count() == before) check_figures(entry.key, term, faults);
    return term;
}

/// Reports paths that another path sets as well: a path of this term, of an earlier term, or of `fixed`.
void check_paths(const PlannedTerm& term, const std::vector<PlannedTerm>& before, const YamlNode& fixed,
                 Diagnostics& faults) {
    for (std::size_t k = 0; k < term.sets.size(); ++k) {
        const PlannedPath& given = term.sets[k];
        const auto report = [&](const std::string& other, const std::string& path) {
            faults.add(DiagnosticKind::conflicting_keys, given.range,
                       fmt::format("`{}` and `{}` both set `{}`", other, term.name, path),
                       "expected each path only once");
        };
        for (const PlannedTerm& other : before) {
            for (const PlannedPath& each : other.sets) {
                if (scenario::overlap(each.path, given.path)) report(other.name, given.path);
            }
        }
        for (std::size_t earlier = 0; earlier < k; ++earlier) {
            if (scenario::overlap(term.sets[earlier].path, given.path)) report(term.name, given.path);
        }
        if (scenario::entry_setting(fixed, "", given.path) != nullptr) report("fixed", given.path);
    }
}

std::uint64_t read_largest(MappingReader& keys, std::uint64_t otherwise) {
    const auto largest = keys.integer("largest", 1, std::numeric_limits<std::uint32_t>::max());
    return largest ? static_cast<std::uint64_t>(*largest) : otherwise;
}

std::vector<PlannedRuns> read_runs(const YamlNode* node, std::uint64_t largest, Diagnostics& faults) {
    std::vector<PlannedRuns> all;
    if (node == nullptr) return all;
    if (node->kind != YamlNode::Kind::sequence || node->items.empty()) {
        faults.add(DiagnosticKind::wrong_yaml_type, node->range, "`runs` is not a list",
                   "expected a list, such as `[{scenario: lu.yaml, against: measured/xt3.csv}]`");
        return all;
    }
    std::set<std::filesystem::path> tables;
    for (const YamlNode& item : node->items) {
        MappingReader keys(item, "an entry of `runs`", faults);
        all.push_back({read_case_table(keys, faults), read_largest(keys, largest)});
        keys.finish();
        if (!keys.has("against") || tables.insert(all.back().file).second) continue;
        faults.add(DiagnosticKind::duplicate_key, all.back().range,
                   fmt::format("`{}` occurs twice in `runs`", all.back().file.string()),
                   "expected each table once, since its rows would count twice");
    }
    return all;
}

double read_percentage(MappingReader& keys, const char* key, double otherwise, Diagnostics& faults) {
    const auto text = keys.text(key);
    if (!text) return otherwise;
    const NumberWithUnit share = number_of(*text, keys.range_of(key), faults);
    if (share.unit == "%" && share.value > 0.0 && share.value <= 100.0) return share.value / 100.0;
    faults.add(DiagnosticKind::out_of_range, keys.range_of(key), fmt::format("`{}` is `{}`", key, *text),
               "expected a percentage above 0, such as `3 %`");
    return otherwise;
}

}  // namespace

std::string PlannedTerm::text(double value) const { return fmt::format("{:.4g}{}", value, unit); }

const SourceRange& PlannedTerm::range_of(double value) const {
    if (value == fitted.prior) return prior_range;
    return value == fitted.least ? least_range : value == fitted.most ? most_range : prior_range;
}

std::vector<double> CalibrationPlan::priors() const {
    std::vector<double> priors;
    for (const PlannedTerm& term : terms) priors.push_back(term.fitted.prior);
    return priors;
}

CalibrationPlan read_calibration_plan(const std::filesystem::path& file) {
    CalibrationPlan plan;
    Diagnostics faults;
    plan.source = input::read_file(file);
    input::refuse_other_name(file, kExpected);
    const YamlNode tree = input::parse_yaml(plan.source, faults);
    input::refuse_other_keys(tree, file, {input::FileKind::plan}, kExpected);
    MappingReader keys(tree, "a plan of a calibration", faults);
    plan.writes = scenario::read_file_name(keys, "writes");
    plan.runs = read_runs(keys.require("runs"), read_largest(keys, kLargest), faults);
    plan.seeds = static_cast<std::uint32_t>(keys.integer("seeds", 1, kMostSeedsOfPlan).value_or(1));
    plan.row_error = read_percentage(keys, "row_error", plan.row_error, faults);
    plan.per_doubling = read_percentage(keys, "per_doubling", plan.per_doubling, faults);
    if (const YamlNode* other = keys.take("other_problems")) {
        plan.other_problems =
            scenario::read_prediction_error(*other, "`other_problems`", scenario::Drift::none, faults);
    }
    plan.fixed.kind = YamlNode::Kind::mapping;
    plan.fixed.range = tree.range;
    if (const YamlNode* fixed = keys.take("fixed")) {
        MappingReader(*fixed, "`fixed`", faults);
        plan.fixed = *fixed;
    }
    if (const YamlNode* terms = keys.require("terms")) {
        plan.terms_range = terms->range;
        MappingReader(*terms, "`terms`", faults);
        for (const YamlNode::Entry& entry : terms->entries) {
            PlannedTerm term = read_term(entry, faults);
            check_paths(term, plan.terms, plan.fixed, faults);
            plan.terms.push_back(std::move(term));
        }
    }
    keys.finish();
    faults.raise();
    return plan;
}

}  // namespace warpfront::tools
