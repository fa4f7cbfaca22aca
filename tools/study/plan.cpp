#include "tools/study/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/file_kind.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/results/ensemble.hpp"
#include "tools/answer/prediction/option_values.hpp"
#include "tools/study/axis.hpp"

namespace warpfront::tools {

namespace {

/// Returns the items of a list of texts. Reports any other YAML node.
std::vector<YamlNode> read_list(const YamlNode* node, std::string_view key, Diagnostics& faults) {
    if (node == nullptr) return {};
    if (node->kind == YamlNode::Kind::sequence && !node->items.empty()) return node->items;
    faults.add(DiagnosticKind::wrong_yaml_type, node->range, fmt::format("`{}` is not a list", key),
               "expected a list: [first, second]");
    return {};
}

void read_columns(MappingReader& keys, StudyPlan& plan, Diagnostics& faults) {
    for (const YamlNode& item : read_list(keys.take("derived"), "derived", faults)) {
        const ColumnName column = read_column(item.scalar, item.range, faults);
        plan.derived.push_back(column);
        if (!text_of(column).needs_pool || keys.has("pool")) continue;
        faults.add(DiagnosticKind::missing_key, item.range, fmt::format("`{}` requires `pool`", item.scalar),
                   "expected the key `pool`, the number of ranks of the machine that jobs share");
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
    const bool shown =
        best.column == ColumnName::time || std::ranges::find(plan.derived, best.column) != plan.derived.end();
    if (!shown) {
        faults.add(DiagnosticKind::missing_key, item.range,
                   fmt::format("`best` names `{}`, which is not a column of this study", text_of(best.column).name),
                   "expected `time` or a column that `derived` lists");
    }
    return best;
}

/// Parses `COLUMN:KEY`, or `COLUMN` for the axis `x`. Adds the column to the study if it is missing.
BestAlong parse_best(const std::string& argument, std::size_t x, StudyPlan& plan, Diagnostics& faults) {
    const OptionValue whole = option_value("--best", argument);
    const std::size_t colon = std::min(argument.find(':'), argument.size());
    BestAlong best{read_column(argument.substr(0, colon), {whole.range.source, 0, colon}, faults), x};
    if (colon < argument.size()) {
        const std::size_t start = colon + 1;
        best.axis =
            axis_of(argument.substr(start), {whole.range.source, start, argument.size() - start}, plan.axes, faults);
    }
    if (text_of(best.column).needs_pool && !plan.pool) {
        faults.add(DiagnosticKind::missing_key, whole.range,
                   fmt::format("`{}` requires `pool`", argument.substr(0, colon)),
                   "expected a study with `pool`, the number of ranks of the machine that jobs share");
    }
    const bool derived = std::ranges::find(plan.derived, best.column) != plan.derived.end();
    if (best.column != ColumnName::time && !derived) plan.derived.push_back(best.column);
    return best;
}

/// Adds an item of `best`. Reports an item that occurs twice, and an axis with a single value. The file's own items are
/// not reported if the command line has replaced their axis by a single value.
void add_best(const BestAlong& best, const SourceRange& range, bool is_argument, StudyPlan& plan, Diagnostics& faults) {
    const StudyAxis& axis = plan.axes[best.axis];
    const std::string what = fmt::format("the best {} along `{}`", text_of(best.column).name, axis.name());
    const bool is_known = std::ranges::any_of(
        plan.best, [&](const BestAlong& other) { return other.axis == best.axis && other.column == best.column; });
    if (is_known) {
        faults.add(DiagnosticKind::duplicate_key, range, what + " is requested twice", "expected it once");
    } else if (axis.size == 1 && (is_argument || axis.former.empty())) {
        faults.add(DiagnosticKind::out_of_range, range, what + ", which has one value",
                   "expected an axis of several values");
    }
    plan.best.push_back(best);
}

std::size_t last_that_varies(const std::vector<StudyAxis>& axes) {
    for (std::size_t k = axes.size(); k > 0; --k) {
        if (axes[k - 1].size > 1) return k - 1;
    }
    return axes.empty() ? 0 : axes.size() - 1;
}

/// Chooses the axes of columns, of `best` and of charts. Arguments have priority over the keys of the file, and these
/// over the defaults. `keys` is null if there is no file.
void choose_axes(MappingReader* keys, const StudyArguments& arguments, StudyPlan& plan, Diagnostics& faults) {
    std::optional<std::size_t> over, x;
    const auto read = [&](std::string_view key, std::optional<std::size_t>& axis) {
        const auto path = keys == nullptr ? std::nullopt : keys->text(key);
        if (path) axis = axis_of(*path, keys->range_of(key), plan.axes, faults);
    };
    read("over", over);
    if (over) plan.over = *over;
    const YamlNode* best = keys == nullptr ? nullptr : keys->take("best");
    for (const YamlNode& item : read_list(best, "best", faults)) {
        const BestAlong along = read_best(item, plan, faults);
        if (faults.empty()) add_best(along, item.range, false, plan, faults);
    }
    read("x", x);
    if (arguments.x) {
        const OptionValue whole = option_value("--x", *arguments.x);
        x = axis_of(whole.text, whole.range, plan.axes, faults);
    }
    if (!arguments.best.empty()) plan.best.clear();
    for (const std::string& argument : arguments.best) {
        const BestAlong along = parse_best(argument, x.value_or(last_that_varies(plan.axes)), plan, faults);
        if (faults.empty()) add_best(along, option_value("--best", argument).range, true, plan, faults);
    }
    const std::size_t otherwise = over.value_or(last_that_varies(plan.axes));
    plan.x = x.value_or(plan.best.empty() ? otherwise : plan.best.front().axis);
}

SourceRange range_of(const scenario::Override& given) {
    const SourceRange& first = given.path.front().range;
    const SourceRange& last = given.path.back().range;
    return {first.source, first.offset, last.offset + last.length - first.offset};
}

struct NamedKey {
    std::string path;
    SourceRange range;
};

/// Returns the key of an override that an axis of `path` replaces, since axes are applied last. It may be a key within
/// the override's value. A mapping is not replaced if it sets only other keys than `path`.
std::optional<NamedKey> hidden_key(const scenario::Override& given, const std::string& path) {
    const std::string own = scenario::path_of(given);
    if (const YamlNode::Entry* inner = scenario::entry_setting(given.value, own, path)) {
        return NamedKey{path, inner->key_range};
    }
    if (scenario::lies_within(path, own) || !scenario::conflict(own, path)) return std::nullopt;
    return NamedKey{own, range_of(given)};
}

/// Reports overrides that an axis replaces. An override is kept if some variant does not change its key: it is then a
/// common setting.
void check_hidden(const std::vector<scenario::Override>& sets, const std::vector<StudyAxis>& axes,
                  std::string_view remedy, Diagnostics& faults) {
    for (const scenario::Override& given : sets) {
        for (const StudyAxis& axis : axes) {
            if (axis.follows_shape && scenario::path_of(given) == "ranks") continue;
            for (const AxisKey& key : axis.keys) {
                const auto hidden = key.is_always_set() ? hidden_key(given, key.path) : std::nullopt;
                if (!hidden) continue;
                const std::string_view who = axis.has_variants ? "all variants set" : "an axis sets";
                faults.add(DiagnosticKind::conflicting_keys, hidden->range,
                           fmt::format("`{}` has no effect, since {} `{}`", hidden->path, who, key.path),
                           std::string(remedy));
            }
        }
    }
}

/// Checks the axes. Keys of one axis may be nested, such as `platform` and `platform.bus`, since they are applied in
/// order.
void check_axes(const StudyPlan& plan, Diagnostics& faults) {
    check_conflicts(plan.axes, "axis", faults);
    check_label_names(plan.axes, faults);
    std::size_t points = 1;
    for (const StudyAxis& axis : plan.axes)
        points = axis.size == 0 || points > kMostPoints ? points : points * axis.size;
    if (points * plan.seeds <= kMostPoints) return;
    faults.add(
        DiagnosticKind::out_of_range, plan.axes.front().keys.front().range,
        fmt::format("the study has more than {} {}", kMostPoints, plan.seeds == 1 ? "points" : "points and seeds"),
        fmt::format("expected fewer values along the axes{}", plan.seeds == 1 ? "" : ", or fewer seeds"));
}

/// Reports an axis of `seed` beside several seeds of each point, since points would share seeds.
void check_seeds(const StudyPlan& plan, Diagnostics& faults) {
    if (plan.seeds == 1) return;
    for (const StudyAxis& axis : plan.axes) {
        for (const AxisKey& key : axis.keys) {
            if (key.path != "seed") continue;
            faults.add(DiagnosticKind::conflicting_keys, key.range,
                       fmt::format("an axis of `seed` cannot be combined with {} seeds of each point", plan.seeds),
                       "expected the axis, or several seeds");
        }
    }
}

/// Returns the process grid of the scenario's key `ranks` with overrides. Returns 1 x 1 if the key has an error, which
/// is reported later with the scenario.
Extents shape_of_scenario(const StudyPlan& plan, const std::vector<std::string>& sets) {
    const YamlNode tree = scenario::read_document(plan.scenario, sets).tree;
    const YamlNode* ranks = tree.find("ranks");
    const auto side = [&](std::string_view key) {
        const YamlNode* node = ranks == nullptr ? nullptr : ranks->find(key);
        Diagnostics reported_later;
        const auto number =
            node == nullptr ? 1 : input::parse_integer(node->scalar, node->range, 1, UINT32_MAX, reported_later);
        return static_cast<std::uint32_t>(reported_later.empty() ? number : 1);
    };
    return {side("columns"), side("rows"), side("planes")};
}

/// Reports an axis of planes together with `--ranks`. Its process grids take their planes from the scenario.
void check_planes(const std::vector<StudyAxis>& axes, Diagnostics& faults) {
    for (const StudyAxis& axis : axes) {
        for (const AxisKey& key : axis.keys) {
            if (key.path != "ranks.planes") continue;
            faults.add(DiagnosticKind::conflicting_keys, key.range,
                       "an axis of `ranks.planes` cannot be combined with `--ranks`",
                       "expected `--set ranks.planes=N`, since the process grids of `--ranks` have the planes of the "
                       "scenario");
        }
    }
}

/// Returns the axes of the command line. Each key occurs once.
std::vector<StudyAxis> read_arguments(const StudyArguments& arguments, const StudyPlan& plan, Diagnostics& faults) {
    std::vector<StudyAxis> axes;
    for (const std::string& argument : arguments.vary) axes.push_back(parse_axis(argument, faults));
    if (arguments.ranks && faults.empty()) {  // after an error the scenario may be missing
        axes.push_back(parse_ranks(*arguments.ranks, shape_of_scenario(plan, arguments.sets), faults));
    }
    check_conflicts(axes, "option", faults);
    if (arguments.ranks) {
        check_planes(axes, faults);
        check_planes(plan.axes, faults);
    }
    return axes;
}

void add_axes(std::vector<StudyAxis> varied, const StudyArguments& arguments, StudyPlan& plan, Diagnostics& faults) {
    for (StudyAxis& axis : varied) replace_axis(plan.axes, std::move(axis));
    std::vector<scenario::Override> sets;
    Diagnostics reported_later;  // errors that will be reported with the scenario
    for (const std::string& argument : arguments.sets) {
        if (auto given = scenario::parse_override(argument, reported_later)) sets.push_back(std::move(*given));
    }
    check_hidden(sets, plan.axes, "expected the values by `--vary`, or no `--set` of this key", faults);
}

/// Reads `published`. Does nothing if arguments change the study, since statements are valid only for its own settings.
void read_published(const YamlNode* node, const StudyArguments& arguments, StudyPlan& plan, Diagnostics& faults) {
    const bool changed = !arguments.vary.empty() || arguments.ranks || !arguments.sets.empty();
    for (const YamlNode& item : read_list(node, "published", faults)) {
        if (changed || !faults.empty()) return;  // statements refer to axes and their values
        plan.published.push_back(read_finding(item, plan.axes, faults));
    }
}

void read_keys(const YamlNode& tree, const StudyArguments& arguments, StudyPlan& plan, Diagnostics& faults) {
    MappingReader keys(tree, "a study", faults);
    plan.question = keys.text("question").value_or("");
    plan.scenario = scenario::read_named_scenario(keys, faults);
    if (const YamlNode* engines = keys.take("engines")) {
        plan.engines.clear();
        for (const YamlNode& item : read_list(engines, "engines", faults)) {
            add_engine({item.scalar, item.range}, plan.engines, faults);
        }
    }
    plan.seeds = static_cast<std::uint32_t>(keys.integer("seeds", 1, results::kMostSeeds).value_or(1));
    if (const YamlNode* variants = keys.take("variants")) {
        if (StudyAxis axis = read_variants(*variants, faults); axis.size > 0) plan.axes.push_back(std::move(axis));
    }
    for (const YamlNode& item : read_list(keys.take("axes"), "axes", faults)) {
        plan.axes.push_back(read_axis(item, faults));
    }
    if (faults.empty())
        check_hidden(plan.scenario.changes, plan.axes, "expected the key only in `set` or only in an axis or variant",
                     faults);
    add_axes(read_arguments(arguments, plan, faults), arguments, plan, faults);
    read_columns(keys, plan, faults);
    choose_axes(&keys, arguments, plan, faults);
    plan.source_text = keys.text("source").value_or("");
    read_published(keys.take("published"), arguments, plan, faults);
    keys.finish();
}

}  // namespace

bool StudyPlan::needs_path() const {
    return std::ranges::any_of(derived, [](ColumnName column) { return text_of(column).needs_path; });
}

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

bool is_study(const SourceFilePtr& source) {
    Diagnostics reported_later;
    const YamlNode tree = input::parse_yaml(source, reported_later);
    return tree.find("axes") != nullptr || tree.find("variants") != nullptr;
}

constexpr std::string_view kExpected =
    "a study (.yaml), with a key `axes` or `variants`, or a scenario and `--vary PATH=VALUES` or `--ranks VALUES`";

StudyPlan read_study(const std::filesystem::path& file, const StudyArguments& arguments) {
    Diagnostics faults;
    StudyPlan plan;
    plan.name = file.stem().string();
    const SourceFilePtr source = input::read_file(file);
    const bool has_axes = !arguments.vary.empty() || arguments.ranks;
    input::refuse_other_name(file, kExpected);
    if (is_study(source)) {
        plan.source = source;
        read_keys(input::parse_yaml(source, faults), arguments, plan, faults);
    } else if (!has_axes) {
        input::refuse_other_kind(source, {}, kExpected);
        throw BadInput(DiagnosticKind::unknown_file_kind, {source, 0, 0},
                       fmt::format("`{}` is not a study", file.string()), fmt::format("expected {}", kExpected));
    } else {
        plan.scenario.file = file;
        add_axes(read_arguments(arguments, plan, faults), arguments, plan, faults);
        choose_axes(nullptr, arguments, plan, faults);
    }
    plan.seeds = arguments.seeds.value_or(plan.seeds);
    if (faults.empty()) check_axes(plan, faults);
    if (faults.empty()) check_seeds(plan, faults);
    faults.raise();
    return plan;
}

ColumnName read_column(const std::string& name, const SourceRange& range, Diagnostics& faults) {
    std::vector<std::string> names;
    for (const ColumnText& each : kColumns) names.emplace_back(each.name);
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return kColumns[static_cast<std::size_t>(found - names.begin())].column;
    faults.add(DiagnosticKind::bad_choice, range, fmt::format("unknown column `{}`", name),
               input::suggestion(name, names));
    return ColumnName::time;
}

}  // namespace warpfront::tools
