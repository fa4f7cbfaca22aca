#include "tools/study/axis.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/scenario/overrides.hpp"
#include "tools/answer/prediction/option_values.hpp"

namespace warpfront::tools {

namespace {

using input::NumberWithUnit;

constexpr std::string_view kEngines = "engines", kLabel = "label", kRanks = "ranks";

bool is_of_ranks(const AxisKey& key) { return scenario::overlap(key.path, kRanks); }

std::optional<NumberWithUnit> end_of_range(const std::string& text, const SourceRange& range, Diagnostics& faults) {
    auto number = input::number_with_unit(text);
    if (!number) {
        faults.add(DiagnosticKind::bad_number, range, fmt::format("`{}` is not a number", text),
                   "expected a number, with its unit if the key has one");
    }
    return number;
}

std::vector<YamlNode> read_range(const YamlNode& node, const std::string& path, Diagnostics& faults) {
    MappingReader keys(node, fmt::format("the range of `{}`", path), faults);
    const std::size_t before = faults.count();
    keys.require("from");
    keys.require("to");
    const std::string from = keys.text("from").value_or("");
    const std::string to = keys.text("to").value_or("");
    const auto step = keys.text("step");
    const auto factor = keys.text("factor");
    keys.finish();
    if (step && factor) {
        faults.add(DiagnosticKind::conflicting_keys, keys.range_of("factor"), "a range has both `factor` and `step`",
                   "expected only one of them");
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
        for (const YamlNode& item : value.items) add_engine({item.scalar, item.range}, engines, faults);
    } else {
        engines.push_back(read_engine({value.scalar, value.range}, faults));
    }
    return engines;
}

/// Reads a label: a mapping from its name to its texts. Returns the texts.
std::vector<YamlNode> read_label(const YamlNode& node, AxisLabel& label, Diagnostics& faults) {
    if (node.kind != YamlNode::Kind::mapping || node.entries.size() != 1) {
        faults.add(DiagnosticKind::wrong_yaml_type, node.range, "`label` is not a name with a list of texts",
                   "expected a mapping such as `label: {machine: [small, large]}`");
        return {};
    }
    label.name = node.entries.front().key;
    return read_values(node.entries.front().value, label.name, faults);
}

/// Reports a path with an empty key.
void check_path(const std::string& path, const SourceRange& range, Diagnostics& faults) {
    const bool empty_key = path.empty() || path.front() == '.' || path.back() == '.' || path.find("..") < path.size();
    if (!empty_key) return;
    faults.add(DiagnosticKind::bad_override, range, fmt::format("empty key in the path `{}`", path),
               "expected a path such as `ranks.columns`");
}

/// Adds a text to a label. Reports a text that another value of the axis has already.
void add_text(const YamlNode& value, AxisLabel& label, Diagnostics& faults) {
    label.texts.push_back(text_of(value));
    if (std::find(label.texts.begin(), label.texts.end() - 1, label.texts.back()) == label.texts.end() - 1) return;
    faults.add(DiagnosticKind::duplicate_key, value.range,
               fmt::format("two values have the label `{}`", label.texts.back()),
               "expected a different text for each value");
}

/// Returns a text that is the same for all scalars with one meaning: `1024B` and `1KiB`, `4` and `4.0`, `on` and
/// `true`.
std::string canonical_scalar(const std::string& text) {
    if (const auto truth = input::truth_of(text)) return *truth ? "on" : "off";
    const auto number = input::number_with_unit(text);
    if (!number) return text;
    if (const input::Unit* unit = input::find_unit(number->unit)) {
        return fmt::format("{:.14g} {}", number->value * unit->factor, input::dimension_name(unit->dimension));
    }
    constexpr double kExactlyWhole = 9007199254740992.0;  // 2^53: above, several seeds may be equal as doubles
    return std::abs(number->value) < kExactlyWhole ? fmt::format("{:.17g}{}", number->value, number->unit) : text;
}

/// Formats the values of linked keys like an argument of `--vary`.
std::string linked_text(const StudyAxis& axis, std::size_t index) {
    std::string text;
    for (const AxisKey& key : axis.keys) text += (text.empty() ? "" : ":") + text_of(key.values[index]);
    return text;
}

}  // namespace

std::string canonical_text(const YamlNode& value) {
    if (value.kind == YamlNode::Kind::scalar) return canonical_scalar(value.scalar);
    if (value.kind == YamlNode::Kind::sequence) {
        std::string items;
        for (const YamlNode& item : value.items) items += canonical_text(item) + ',';
        return '[' + items + ']';
    }
    std::map<std::string, std::string> sorted;
    for (const YamlNode::Entry& entry : value.entries) sorted[entry.key] = canonical_text(entry.value);
    return fmt::format("{}", sorted);
}

bool AxisKey::is_always_set() const {
    return std::ranges::all_of(values, [](const std::optional<YamlNode>& value) { return value.has_value(); });
}

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
        faults.add(
            DiagnosticKind::wrong_unit, text.range,
            fmt::format("the range from `{}` to `{}` by `{}` has different units", text.from, text.to, text.step),
            "expected the same unit for both ends and the step; a factor has no unit");
        return {};
    }
    const bool grows = text.is_factor ? step->value > 1.0 && from->value > 0.0 : step->value > 0.0;
    constexpr double kRounding = 1e-9;
    const double steps = text.is_factor ? std::log(to->value / from->value) / std::log(step->value)
                                        : (to->value - from->value) / step->value;
    const double last = std::floor(steps + kRounding);
    if (!grows || !(last >= 0.0) || last >= static_cast<double>(kMostPoints)) {
        faults.add(DiagnosticKind::out_of_range, text.range,
                   fmt::format("the range from `{}` to `{}` by `{}` has {}", text.from, text.to, text.step,
                               grows && last >= 0.0 ? "too many values" : "no values"),
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

bool StudyAxis::has(std::string_view path) const {
    if (label && label->name == path) return true;
    if (path == kRanks && sets_ranks()) return true;
    if (std::ranges::find(former, path) != former.end()) return true;
    const std::string wanted = scenario::canonical_path(path);
    return std::ranges::any_of(keys, [&](const AxisKey& key) { return scenario::canonical_path(key.path) == wanted; });
}

bool StudyAxis::sets_ranks() const { return std::ranges::any_of(keys, is_of_ranks); }

bool StudyAxis::sets_ranks_alone() const { return std::ranges::all_of(keys, is_of_ranks); }

std::string StudyAxis::telling_text(std::size_t index) const {
    if (label) return label->texts[index];
    std::set<std::string> texts;
    for (const auto& value : keys.front().values) texts.insert(text_of(value));
    std::string text = text_of(keys.front().values[index]);
    if (texts.size() == size) return text;
    for (std::size_t k = 1; k < keys.size(); ++k) text += " x " + text_of(keys[k].values[index]);
    return text;
}

namespace {

/// Returns the number of ranks that a value of the axis sets. Returns nothing if the axis sets fewer than two sides of
/// the process grid.
std::optional<std::int64_t> ranks_at(const StudyAxis& axis, std::size_t index) {
    std::int64_t ranks = 1;
    std::size_t sides = 0;
    for (const AxisKey& key : axis.keys) {
        if (!key.path.starts_with("ranks.") || !key.values[index]) continue;
        Diagnostics reported_later;
        ranks *= input::parse_integer(key.values[index]->scalar, key.range, 1, UINT16_MAX, reported_later);
        ++sides;
    }
    return sides < 2 ? std::nullopt : std::optional(ranks);
}

}  // namespace

std::string StudyAxis::text_as(std::string_view path, std::size_t index) const {
    const auto ranks = path == kRanks && !label ? ranks_at(*this, index) : std::nullopt;
    return ranks ? fmt::format("{}", *ranks) : telling_text(index);
}

std::optional<std::size_t> StudyAxis::find(std::string_view path, std::string_view text) const {
    std::optional<std::size_t> found;
    for (std::size_t k = 0; k < size; ++k) {
        bool is = label && label->texts[k] == text;
        for (const AxisKey& key : keys) {
            is = is || (key.path == path && key.values[k] && text_of(*key.values[k]) == text);
        }
        is = is || (path == kRanks && ranks_at(*this, k) && fmt::format("{}", *ranks_at(*this, k)) == text);
        if (is && found) return std::nullopt;
        if (is) found = k;
    }
    return found;
}

std::size_t axis_of(const std::string& path, const SourceRange& range, const std::vector<StudyAxis>& axes,
                    Diagnostics& faults) {
    std::vector<std::string> paths;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        if (axes[k].has(path)) return k;
        if (axes[k].label) paths.push_back(axes[k].label->name);
        for (const AxisKey& key : axes[k].keys) paths.push_back(key.path);
    }
    faults.add(DiagnosticKind::bad_choice, range, fmt::format("no axis sets `{}`", path),
               input::suggestion(path, paths));
    return 0;
}

bool conflict(const StudyAxis& one, const StudyAxis& other) {
    return std::ranges::any_of(one.keys, [&](const AxisKey& key) {
        return std::ranges::any_of(
            other.keys, [&](const AxisKey& of_other) { return scenario::conflict(key.path, of_other.path); });
    });
}

void add_key(StudyAxis& axis, AxisKey key, Diagnostics& faults) {
    check_path(key.path, key.range, faults);
    const std::string path = scenario::canonical_path(key.path);
    for (const AxisKey& other : axis.keys) {
        if (scenario::canonical_path(other.path) != path) continue;
        faults.add(DiagnosticKind::duplicate_key, key.range,
                   key.path == other.path ? fmt::format("the key `{}` occurs twice", key.path)
                                          : fmt::format("`{}` sets the same key as `{}`", key.path, other.path),
                   "expected each key once");
    }
    axis.keys.push_back(std::move(key));
}

void check_values(const StudyAxis& axis, Diagnostics& faults) {
    std::map<std::string, std::size_t> first_of;
    for (std::size_t k = 0; k < axis.size; ++k) {
        std::string value;
        for (const AxisKey& key : axis.keys) value += canonical_text(*key.values[k]) + '\n';
        const auto [first, is_new] = first_of.try_emplace(std::move(value), k);
        if (is_new) continue;
        faults.add(
            DiagnosticKind::duplicate_key, axis.keys.front().values[k]->range,
            fmt::format("`{}` is the same value as `{}`", linked_text(axis, k), linked_text(axis, first->second)),
            "expected each value of an axis once");
    }
}

StudyAxis read_axis(const YamlNode& item, Diagnostics& faults) {
    StudyAxis axis;
    const std::size_t before = faults.count();
    if (item.kind != YamlNode::Kind::mapping || item.entries.empty()) {
        faults.add(DiagnosticKind::wrong_yaml_type, item.range, "an axis is not a mapping",
                   "expected paths with their values, such as `parameters.mk: [1, 2, 4]`");
        return axis;
    }
    for (const YamlNode::Entry& entry : item.entries) {
        const std::size_t before_entry = faults.count();
        if (entry.key == kLabel) axis.label = AxisLabel{"", entry.key_range, {}};
        std::vector<YamlNode> values = axis.label && entry.key == kLabel ? read_label(entry.value, *axis.label, faults)
                                                                         : read_values(entry.value, entry.key, faults);
        if (axis.size == 0) axis.size = values.size();
        if (faults.count() == before_entry && values.size() != axis.size) {
            faults.add(DiagnosticKind::uneven_axis, entry.key_range,
                       fmt::format("`{}` has {}", entry.key, results::counted(values.size(), "value")),
                       fmt::format("expected {} as for the previous key, since the keys of an axis are linked",
                                   results::counted(axis.size, "value")));
        }
        if (entry.key == kLabel) {
            for (const YamlNode& value : values) add_text(value, *axis.label, faults);
        } else if (entry.key == kEngines) {
            for (const YamlNode& value : values) axis.engines.push_back(read_engines_of_value(value, faults));
        } else {
            add_key(axis, {entry.key, entry.key_range, {values.begin(), values.end()}}, faults);
        }
    }
    if (axis.keys.empty()) {
        faults.add(DiagnosticKind::missing_key, item.range, "an axis sets no key",
                   "expected a path of the scenario with its values");
    }
    if (faults.count() == before) check_values(axis, faults);
    return axis;
}

void check_conflicts(const std::vector<StudyAxis>& axes, std::string_view of_another, Diagnostics& faults) {
    for (std::size_t k = 0; k < axes.size(); ++k) {
        for (const AxisKey& key : axes[k].keys) {
            for (std::size_t before = 0; before < k; ++before) {
                for (const AxisKey& other : axes[before].keys) {
                    if (!scenario::conflict(key.path, other.path)) continue;
                    if (axes[before].has_variants) {
                        faults.add(DiagnosticKind::conflicting_keys, other.range,
                                   fmt::format("a variant sets `{}`, and an axis sets `{}`", other.path, key.path),
                                   "expected each key only in the variants or only in an axis");
                        continue;
                    }
                    faults.add(DiagnosticKind::conflicting_keys, key.range,
                               fmt::format("`{}` conflicts with `{}` of another {}", key.path, other.path, of_another),
                               "expected each key in only one axis");
                }
            }
        }
    }
}

void check_label_names(const std::vector<StudyAxis>& axes, Diagnostics& faults) {
    std::set<std::string> names;
    for (const StudyAxis& axis : axes) {
        for (const AxisKey& key : axis.keys) names.insert(key.path);
    }
    for (const StudyAxis& axis : axes) {
        if (!axis.label || names.insert(axis.label->name).second) continue;
        faults.add(DiagnosticKind::duplicate_key, axis.label->range,
                   fmt::format("the label `{}` has the name of another label or of a key", axis.label->name),
                   "expected a name that no other label or key has");
    }
}

void replace_axis(std::vector<StudyAxis>& axes, StudyAxis axis) {
    const auto same = std::ranges::find_if(
        axes, [&](const StudyAxis& other) { return !other.has_variants && conflict(axis, other); });
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

std::string text_of(const std::optional<YamlNode>& value) { return value ? text_of(*value) : std::string(); }

}  // namespace warpfront::tools
