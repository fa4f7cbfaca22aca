#include "tools/study/axis.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/deviation.hpp"
#include "simulator/scenario/overrides.hpp"
#include "tools/option_values.hpp"

namespace warpfront::tools {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::NumberWithUnit;
using input::SourceRange;
using input::YamlNode;

constexpr std::string_view kEngines = "engines", kLabel = "label", kRanks = "ranks";

bool is_of_ranks(const AxisKey& key) { return overlap(key.path, std::string(kRanks)); }

std::optional<NumberWithUnit> end_of_range(const std::string& text, const SourceRange& range, Diagnostics& faults) {
    auto number = input::number_with_unit(text);
    if (!number) {
        faults.add(DiagnosticKind::bad_number, range, fmt::format("`{}` is no number", text),
                   "expected a number, with its unit if the key has one");
    }
    return number;
}

std::vector<YamlNode> read_range(const YamlNode& node, const std::string& path, Diagnostics& faults) {
    input::MappingReader keys(node, fmt::format("the range of `{}`", path), faults);
    const std::size_t before = faults.count();
    keys.require("from");
    keys.require("to");
    const std::string from = keys.text("from").value_or("");
    const std::string to = keys.text("to").value_or("");
    const auto step = keys.text("step");
    const auto factor = keys.text("factor");
    keys.finish();
    if (step && factor) {
        faults.add(DiagnosticKind::conflicting_keys, keys.range_of("factor"), "`factor` beside `step`",
                   "expected one of the two");
    }
    if (faults.count() != before) return {};
    const auto start = input::number_with_unit(from);
    const std::string one = fmt::format("1{}", start ? start->unit : "");
    return values_in_range({from, to, factor ? *factor : step.value_or(one), factor.has_value(), node.range}, faults);
}

std::vector<YamlNode> read_values(const YamlNode& node, const std::string& path, Diagnostics& faults) {
    if (node.find("from") != nullptr || node.find("to") != nullptr) return read_range(node, path, faults);
    if (node.kind != YamlNode::Kind::sequence) return {node};
    if (node.items.empty()) {
        faults.add(DiagnosticKind::wrong_yaml_type, node.range, fmt::format("`{}` has no value", path),
                   "expected a list of values, or a range such as `{from: 1, to: 8, factor: 2}`");
    }
    return node.items;
}

std::vector<Engine> read_engines_of_value(const YamlNode& value, Diagnostics& faults) {
    std::vector<Engine> engines;
    if (value.kind == YamlNode::Kind::sequence) {
        for (const YamlNode& item : value.items) engines.push_back(read_engine({item.scalar, item.range}, faults));
    } else {
        engines.push_back(read_engine({value.scalar, value.range}, faults));
    }
    return engines;
}

/// `{NAME: [TEXT, ...]}`
std::vector<YamlNode> read_label(const YamlNode& node, AxisLabel& label, Diagnostics& faults) {
    if (node.kind != YamlNode::Kind::mapping || node.entries.size() != 1) {
        faults.add(DiagnosticKind::wrong_yaml_type, node.range, "`label` is no name with texts",
                   "expected one, such as `label: {machine: [small, large]}`");
        return {};
    }
    label.name = node.entries.front().key;
    return read_values(node.entries.front().value, label.name, faults);
}

}  // namespace

YamlNode scalar_value(std::string text, const SourceRange& range) {
    YamlNode value;
    value.scalar = std::move(text);
    value.range = range;
    return value;
}

std::vector<YamlNode> values_in_range(const ValueRange& text, Diagnostics& faults) {
    const auto from = end_of_range(text.from, text.range, faults);
    const auto to = end_of_range(text.to, text.range, faults);
    const auto step = end_of_range(text.step, text.range, faults);
    if (!from || !to || !step) return {};
    if (to->unit != from->unit || step->unit != (text.is_factor ? "" : from->unit)) {
        faults.add(DiagnosticKind::wrong_unit, text.range,
                   fmt::format("a range from `{}` to `{}` by `{}`", text.from, text.to, text.step),
                   "expected one unit throughout, and none for a factor");
        return {};
    }
    const bool grows = text.is_factor ? step->value > 1.0 && from->value > 0.0 : step->value > 0.0;
    constexpr double kRounding = 1e-9;
    const double steps = text.is_factor ? std::log(to->value / from->value) / std::log(step->value)
                                        : (to->value - from->value) / step->value;
    const double last = std::floor(steps + kRounding);
    if (!grows || !(last >= 0.0) || last >= static_cast<double>(kMostPoints)) {
        faults.add(DiagnosticKind::out_of_range, text.range,
                   fmt::format("a range from `{}` to `{}` by `{}`", text.from, text.to, text.step),
                   fmt::format("expected 1 to {} values: a step above 0, or a factor above 1", kMostPoints));
        return {};
    }
    std::vector<YamlNode> values;
    for (double k = 0.0; k <= last; k += 1.0) {
        const double number = text.is_factor ? from->value * std::pow(step->value, k) : from->value + k * step->value;
        values.push_back(scalar_value(fmt::format("{:.12g}{}", number, from->unit), text.range));
    }
    return values;
}

void check_path(const std::string& path, const SourceRange& range, Diagnostics& faults) {
    const bool empty_key = path.empty() || path.front() == '.' || path.back() == '.' || path.find("..") < path.size();
    if (!empty_key) return;
    faults.add(DiagnosticKind::bad_override, range, fmt::format("empty key in the path `{}`", path),
               "expected a path such as `ranks.columns`");
}

bool StudyAxis::has(std::string_view path) const {
    if (label && label->name == path) return true;
    if (path == kRanks && sets_ranks()) return true;
    if (std::find(former.begin(), former.end(), path) != former.end()) return true;
    return std::any_of(keys.begin(), keys.end(), [path](const AxisKey& key) { return key.path == path; });
}

bool StudyAxis::sets_ranks() const { return std::any_of(keys.begin(), keys.end(), is_of_ranks); }

bool StudyAxis::sets_ranks_alone() const { return std::all_of(keys.begin(), keys.end(), is_of_ranks); }

std::string StudyAxis::telling_text(std::size_t index) const {
    if (label) return label->texts[index];
    std::set<std::string> texts;
    for (const YamlNode& value : keys.front().values) texts.insert(text_of(value));
    std::string text = text_of(keys.front().values[index]);
    if (texts.size() == size) return text;
    for (std::size_t k = 1; k < keys.size(); ++k) text += " x " + text_of(keys[k].values[index]);
    return text;
}

bool overlap(const std::string& one, const std::string& other) {
    const std::string& shorter = one.size() < other.size() ? one : other;
    const std::string& longer = one.size() < other.size() ? other : one;
    return longer.starts_with(shorter) && (longer.size() == shorter.size() || longer[shorter.size()] == '.');
}

bool conflict(const std::string& one, const std::string& other) {
    return scenario::canonical_path(one) == scenario::canonical_path(other) ||
           (overlap(one, other) && !one.starts_with("platform"));
}

bool conflict(const StudyAxis& one, const StudyAxis& other) {
    return std::any_of(one.keys.begin(), one.keys.end(), [&](const AxisKey& key) {
        return std::any_of(other.keys.begin(), other.keys.end(),
                           [&](const AxisKey& of_other) { return conflict(key.path, of_other.path); });
    });
}

StudyAxis read_axis(const YamlNode& item, Diagnostics& faults) {
    StudyAxis axis;
    if (item.kind != YamlNode::Kind::mapping || item.entries.empty()) {
        faults.add(DiagnosticKind::wrong_yaml_type, item.range, "an axis is no mapping",
                   "expected paths with their values, such as `parameters.mk: [1, 2, 4]`");
        return axis;
    }
    for (const YamlNode::Entry& entry : item.entries) {
        const std::size_t before = faults.count();
        if (entry.key == kLabel) axis.label = AxisLabel{"", entry.key_range, {}};
        check_path(entry.key, entry.key_range, faults);
        std::vector<YamlNode> values = axis.label && entry.key == kLabel ? read_label(entry.value, *axis.label, faults)
                                                                         : read_values(entry.value, entry.key, faults);
        if (axis.size == 0) axis.size = values.size();
        if (faults.count() == before && values.size() != axis.size) {
            faults.add(
                DiagnosticKind::uneven_axis, entry.key_range,
                fmt::format("`{}` has {} values", entry.key, values.size()),
                fmt::format("expected {}, as many as the key before it: keys of one axis are linked", axis.size));
        }
        if (entry.key == kLabel) {
            for (const YamlNode& value : values) axis.label->texts.push_back(text_of(value));
        } else if (entry.key == kEngines) {
            for (const YamlNode& value : values) axis.engines.push_back(read_engines_of_value(value, faults));
        } else {
            axis.keys.push_back({entry.key, entry.key_range, std::move(values)});
        }
    }
    if (axis.keys.empty()) {
        faults.add(DiagnosticKind::missing_key, item.range, "an axis sets no key",
                   "expected a path of the scenario with its values");
    }
    return axis;
}

void replace_axis(std::vector<StudyAxis>& axes, StudyAxis axis) {
    const auto same =
        std::find_if(axes.begin(), axes.end(), [&](const StudyAxis& other) { return conflict(axis, other); });
    if (same == axes.end()) {
        axes.push_back(std::move(axis));
    } else {
        axis.former = std::move(same->former);
        if (same->label) axis.former.push_back(same->label->name);
        for (const AxisKey& key : same->keys) axis.former.push_back(key.path);
        *same = std::move(axis);
    }
}

std::string text_of(const YamlNode& value) {
    if (value.kind == YamlNode::Kind::scalar) return value.scalar;
    std::string text;
    for (const YamlNode& item : value.items) text += (text.empty() ? "" : ", ") + text_of(item);
    for (const YamlNode::Entry& entry : value.entries) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", entry.key, text_of(entry.value));
    }
    return value.kind == YamlNode::Kind::mapping ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace warpfront::tools
