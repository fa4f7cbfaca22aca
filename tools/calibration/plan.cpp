#include "tools/calibration/plan.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/deviation.hpp"
#include "simulator/input/read_file.hpp"

namespace warpfront::tools {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::MappingReader;
using input::NumberWithUnit;
using input::YamlNode;

constexpr std::uint32_t kMostSeedsOfPlan = 1000;
constexpr std::uint64_t kLargest = 1024;

/// `3.85us`: a number and its unit.
NumberWithUnit number_of(std::string_view text, const input::SourceRange& range, Diagnostics& faults) {
    if (auto number = input::number_with_unit(text)) return std::move(*number);
    faults.add(DiagnosticKind::bad_number, range, fmt::format("`{}` is no number", input::trimmed(text)),
               "expected a number with its unit, such as `3.85us`");
    return {};
}

void require_unit(const NumberWithUnit& number, const std::string& unit, const input::SourceRange& range,
                  Diagnostics& faults) {
    if (number.unit == unit) return;
    faults.add(DiagnosticKind::wrong_unit, range, fmt::format("`{}` beside `{}`", number.unit, unit),
               fmt::format("expected the unit of the prior, `{}`", unit));
}

std::vector<std::string> read_texts(const YamlNode* node, std::string_view key, std::string_view expected,
                                    Diagnostics& faults) {
    std::vector<std::string> texts;
    if (node == nullptr) return texts;
    if (node->kind != YamlNode::Kind::sequence) {
        faults.add(DiagnosticKind::wrong_yaml_type, node->range, fmt::format("`{}` is no list", key),
                   fmt::format("expected {}", expected));
    }
    for (const YamlNode& item : node->items) texts.push_back(item.scalar);
    return texts;
}

PlannedTerm read_term(const YamlNode::Entry& entry, Diagnostics& faults) {
    PlannedTerm term;
    term.name = entry.key;
    MappingReader keys(entry.value, fmt::format("`{}`", entry.key), faults);
    for (const char* key : {"prior", "least", "most"}) keys.require(key);
    const std::string prior = keys.text("prior").value_or("0 +- 1");
    const std::string least = keys.text("least").value_or("0");
    const std::string most = keys.text("most").value_or("1");
    term.sets = read_texts(keys.take("sets"), "sets", "paths, such as `[noise.jitter]`", faults);
    if (!keys.has("sets")) term.sets = {entry.key};
    keys.finish();
    if (!faults.empty()) return term;
    const auto parts = input::split_deviation(prior);
    if (!parts) {
        faults.add(DiagnosticKind::bad_number, keys.range_of("prior"), fmt::format("`{}` has no deviation", prior),
                   "expected a value with its standard deviation, such as `3us +- 2us`");
        return term;
    }
    const NumberWithUnit value = number_of(parts->value, keys.range_of("prior"), faults);
    const NumberWithUnit deviation = number_of(parts->deviation, keys.range_of("prior"), faults);
    const NumberWithUnit low = number_of(least, keys.range_of("least"), faults);
    const NumberWithUnit high = number_of(most, keys.range_of("most"), faults);
    term.unit = value.unit;
    require_unit(deviation, term.unit, keys.range_of("prior"), faults);
    require_unit(low, term.unit, keys.range_of("least"), faults);
    require_unit(high, term.unit, keys.range_of("most"), faults);
    term.fitted = {value.value, deviation.value, low.value, high.value};
    if (!(deviation.value > 0.0) || value.value < low.value || value.value > high.value) {
        faults.add(DiagnosticKind::out_of_range, keys.range_of("prior"),
                   fmt::format("the prior `{}` of `{}`", prior, entry.key),
                   "expected a value from `least` to `most` with a deviation above 0");
    }
    return term;
}

/// A fault for a path that a term before sets too.
void check_paths(const PlannedTerm& term, const input::SourceRange& range, const std::vector<PlannedTerm>& before,
                 Diagnostics& faults) {
    for (const PlannedTerm& other : before) {
        for (const std::string& path : term.sets) {
            if (std::find(other.sets.begin(), other.sets.end(), path) == other.sets.end()) continue;
            faults.add(DiagnosticKind::conflicting_keys, range,
                       fmt::format("`{}` and `{}` both set `{}`", other.name, term.name, path),
                       "expected each path in one term");
        }
    }
}

std::uint64_t read_largest(MappingReader& keys, std::uint64_t otherwise) {
    const auto largest = keys.integer("largest", 1, std::numeric_limits<std::uint32_t>::max());
    return largest ? static_cast<std::uint64_t>(*largest) : otherwise;
}

std::vector<PlannedRuns> read_runs(const YamlNode* node, const std::filesystem::path& folder, std::uint64_t largest,
                                   Diagnostics& faults) {
    std::vector<PlannedRuns> all;
    if (node == nullptr) return all;
    if (node->kind != YamlNode::Kind::sequence || node->items.empty()) {
        faults.add(DiagnosticKind::wrong_yaml_type, node->range, "`runs` is no list",
                   "expected a list, such as `[{scenario: lu.yaml, against: measured/xt3.csv}]`");
        return all;
    }
    for (const YamlNode& item : node->items) {
        MappingReader keys(item, "an entry of `runs`", faults);
        keys.require("scenario");
        keys.require("against");
        all.push_back({(folder / keys.text("scenario").value_or("")).lexically_normal(),
                       (folder / keys.text("against").value_or("")).lexically_normal(),
                       read_texts(keys.take("set"), "set", "overrides, such as `[iterations=1]`", faults),
                       read_largest(keys, largest)});
        keys.finish();
    }
    return all;
}

double read_row_error(MappingReader& keys, Diagnostics& faults) {
    constexpr double kDefault = 0.03;
    const auto text = keys.text("row_error");
    if (!text) return kDefault;
    const NumberWithUnit error = number_of(*text, keys.range_of("row_error"), faults);
    if (error.unit == "%" && error.value > 0.0 && error.value <= 100.0) return error.value / 100.0;
    faults.add(DiagnosticKind::out_of_range, keys.range_of("row_error"), fmt::format("`row_error` is `{}`", *text),
               "expected a percentage above 0, such as `3 %`");
    return kDefault;
}

}  // namespace

std::string PlannedTerm::text(double value) const { return fmt::format("{:.4g}{}", value, unit); }

std::vector<double> CalibrationPlan::priors() const {
    std::vector<double> priors;
    for (const PlannedTerm& term : terms) priors.push_back(term.fitted.prior);
    return priors;
}

CalibrationPlan read_calibration_plan(const std::filesystem::path& file) {
    CalibrationPlan plan;
    Diagnostics faults;
    plan.source = input::read_file(file);
    const YamlNode tree = input::parse_yaml(plan.source, faults);
    MappingReader keys(tree, "a plan of a calibration", faults);
    keys.require("writes");
    plan.writes = (file.parent_path() / keys.text("writes").value_or("")).lexically_normal();
    plan.runs = read_runs(keys.require("runs"), file.parent_path(), read_largest(keys, kLargest), faults);
    plan.seeds = static_cast<std::uint32_t>(keys.integer("seeds", 1, kMostSeedsOfPlan).value_or(1));
    plan.row_error = read_row_error(keys, faults);
    if (const YamlNode* terms = keys.require("terms")) {
        plan.terms_range = terms->range;
        MappingReader(*terms, "`terms`", faults);
        for (const YamlNode::Entry& entry : terms->entries) {
            PlannedTerm term = read_term(entry, faults);
            check_paths(term, entry.key_range, plan.terms, faults);
            plan.terms.push_back(std::move(term));
        }
    }
    plan.fixed.kind = YamlNode::Kind::mapping;
    plan.fixed.range = tree.range;
    if (const YamlNode* fixed = keys.take("fixed")) {
        MappingReader(*fixed, "`fixed`", faults);
        plan.fixed = *fixed;
    }
    keys.finish();
    faults.raise();
    return plan;
}

}  // namespace warpfront::tools
