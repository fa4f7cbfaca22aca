#include "tools/study/study_plan.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/read_file.hpp"
#include "simulator/input/suggestion.hpp"
#include "simulator/input/yaml.hpp"
#include "tools/option_values.hpp"

namespace warpfront::tools {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::MappingReader;
using input::SourceRange;
using input::YamlNode;

std::vector<std::string> column_names() {
    std::vector<std::string> names;
    for (const ColumnText& each : kColumns) names.emplace_back(each.name);
    return names;
}

/// The items of a list of texts; faults for anything else.
std::vector<YamlNode> read_list(const YamlNode* node, std::string_view key, Diagnostics& faults) {
    if (node == nullptr) return {};
    if (node->kind == YamlNode::Kind::sequence && !node->items.empty()) return node->items;
    faults.add(DiagnosticKind::wrong_yaml_type, node->range, fmt::format("`{}` is no list", key),
               "expected a list: [first, second]");
    return {};
}

ColumnName read_column(const std::string& name, const SourceRange& range, Diagnostics& faults) {
    const std::vector<std::string> names = column_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return kColumns[static_cast<std::size_t>(found - names.begin())].column;
    faults.add(DiagnosticKind::bad_choice, range, fmt::format("unknown column `{}`", name),
               input::suggestion(name, names));
    return ColumnName::time;
}

/// The axis that sets the path which is the value of `key`.
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

std::vector<scenario::Override> read_sets(const YamlNode* node, Diagnostics& faults) {
    std::vector<scenario::Override> sets;
    if (node == nullptr) return sets;
    MappingReader(*node, "`set`", faults);
    for (const YamlNode::Entry& entry : node->entries) {
        scenario::Override made = scenario::scalar_override(entry.key, entry.key_range, "", entry.value.range);
        made.value = entry.value;
        for (const scenario::Override::Key& key : made.path) {
            if (!key.name.empty()) continue;
            faults.add(DiagnosticKind::bad_override, entry.key_range, fmt::format("empty key in `{}`", entry.key),
                       "expected a path such as `parameters.mk`");
        }
        sets.push_back(std::move(made));
    }
    return sets;
}

void read_columns(MappingReader& keys, StudyPlan& plan, Diagnostics& faults) {
    for (const YamlNode& item : read_list(keys.take("derived"), "derived", faults)) {
        const ColumnName column = read_column(item.scalar, item.range, faults);
        plan.derived.push_back(column);
        if (!text_of(column).needs_pool || keys.has("pool")) continue;
        faults.add(DiagnosticKind::missing_key, item.range, fmt::format("`{}` without `pool`", item.scalar),
                   "expected `pool`: the ranks of the machine that jobs share");
    }
    if (const auto pool = keys.integer("pool", 1, std::int64_t{1} << 40)) plan.pool = static_cast<std::uint64_t>(*pool);
    plan.repeats = static_cast<double>(keys.integer("repeats", 1, std::int64_t{1} << 40).value_or(1));
}

BestAlong read_best(const YamlNode& item, const StudyPlan& plan, Diagnostics& faults) {
    MappingReader keys(item, "an entry of `best`", faults);
    BestAlong best;
    if (keys.require("of") != nullptr) {
        best.column = read_column(keys.text("of").value_or(""), keys.range_of("of"), faults);
    }
    if (keys.require("over") != nullptr) {
        best.axis = axis_of(keys.text("over").value_or(""), keys.range_of("over"), plan.axes, faults);
    }
    keys.finish();
    const bool shown = best.column == ColumnName::time ||
                       std::find(plan.derived.begin(), plan.derived.end(), best.column) != plan.derived.end();
    if (!shown) {
        faults.add(DiagnosticKind::missing_key, item.range,
                   fmt::format("`best` of `{}`, which is no column of this study", text_of(best.column).name),
                   "expected `time` or a column that `derived` lists");
    }
    return best;
}

void read_axes_of_columns(MappingReader& keys, StudyPlan& plan, Diagnostics& faults) {
    const auto named = [&](std::string_view key, std::size_t otherwise) {
        const auto path = keys.text(key);
        return path ? axis_of(*path, keys.range_of(key), plan.axes, faults) : otherwise;
    };
    const bool has_over = keys.has("over");
    plan.over = named("over", 0);
    for (const YamlNode& item : read_list(keys.take("best"), "best", faults)) {
        plan.best.push_back(read_best(item, plan, faults));
    }
    const std::size_t last = plan.axes.empty() ? 0 : plan.axes.size() - 1;
    plan.x = named("x", !plan.best.empty() ? plan.best.front().axis : has_over ? plan.over : last);
}

/// Keys of one axis may lie within one another, such as `platform` and `platform.bus`: they are applied in order.
void check_axes(const StudyPlan& plan, Diagnostics& faults) {
    std::size_t points = 1;
    for (std::size_t k = 0; k < plan.axes.size(); ++k) {
        const StudyAxis& axis = plan.axes[k];
        points = axis.size == 0 || points > kMostPoints ? points : points * axis.size;
        for (const AxisKey& key : axis.keys) {
            for (std::size_t before = 0; before < k; ++before) {
                for (const AxisKey& other : plan.axes[before].keys) {
                    if (!overlap(key.path, other.path) || key.path.starts_with("platform")) continue;
                    faults.add(DiagnosticKind::conflicting_keys, key.range,
                               fmt::format("`{}` beside `{}` of another axis", key.path, other.path),
                               "expected each key in one axis");
                }
            }
        }
    }
    if (points <= kMostPoints) return;
    faults.add(DiagnosticKind::out_of_range, plan.axes.front().keys.front().range,
               fmt::format("more than {} points", kMostPoints), "expected fewer values along the axes");
}

void read_keys(const YamlNode& tree, const std::filesystem::path& file, StudyPlan& plan, Diagnostics& faults,
               const std::vector<StudyAxis>& varied) {
    MappingReader keys(tree, "a study", faults);
    plan.question = keys.text("question").value_or("");
    keys.require("scenario");
    plan.scenario = (file.parent_path() / keys.text("scenario").value_or("")).lexically_normal();
    plan.scenario_range = keys.range_of("scenario");
    if (const YamlNode* engines = keys.take("engines")) {
        plan.engines.clear();
        for (const YamlNode& item : read_list(engines, "engines", faults)) {
            plan.engines.push_back(read_engine({item.scalar, item.range}, faults));
        }
    }
    plan.sets = read_sets(keys.take("set"), faults);
    for (const YamlNode& item : read_list(keys.take("axes"), "axes", faults)) {
        plan.axes.push_back(read_axis(item, faults));
    }
    for (const StudyAxis& axis : varied) replace_axis(plan.axes, axis);
    read_columns(keys, plan, faults);
    read_axes_of_columns(keys, plan, faults);
    keys.finish();
}

}  // namespace

std::size_t StudyPlan::points() const {
    std::size_t product = 1;
    for (const StudyAxis& axis : axes) product *= axis.size;
    return product;
}

std::size_t StudyPlan::stride(std::size_t axis) const {
    std::size_t product = 1;
    for (std::size_t k = axis + 1; k < axes.size(); ++k) product *= axes[k].size;
    return product;
}

std::size_t StudyPlan::index(std::size_t point, std::size_t axis) const {
    return axes.empty() ? 0 : point / stride(axis) % axes[axis].size;
}

bool is_study(const input::SourceFilePtr& source) {
    Diagnostics reported_later;
    return input::parse_yaml(source, reported_later).find("axes") != nullptr;
}

StudyPlan read_study(const std::filesystem::path& file, const std::vector<std::string>& vary) {
    Diagnostics faults;
    StudyPlan plan;
    plan.name = file.stem().string();
    std::vector<StudyAxis> varied;
    for (const std::string& argument : vary) varied.push_back(parse_axis(argument, faults));
    const input::SourceFilePtr source = input::read_file(file);
    if (is_study(source)) {
        plan.source = source;
        read_keys(input::parse_yaml(source, faults), file, plan, faults, varied);
    } else if (vary.empty()) {
        throw input::BadInput(DiagnosticKind::unknown_file_kind, {source, 0, 0},
                              fmt::format("`{}` is no study", file.string()),
                              "expected a key `axes`, or a scenario and `--vary PATH=VALUES`");
    } else {
        plan.scenario = file;
        for (StudyAxis& axis : varied) replace_axis(plan.axes, std::move(axis));
        plan.x = plan.axes.size() - 1;
    }
    if (faults.empty()) check_axes(plan, faults);
    faults.raise();
    return plan;
}

}  // namespace warpfront::tools
