#include "simulator/scenario/scenario.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/file_kind.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"
#include "simulator/scenario/keys.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::scenario {

namespace {

constexpr std::array<std::string_view, 4> kFixedPlatformKeys{"like", "name", "platform", "calibration"};

std::int64_t required_integer(MappingReader& mapping, std::string_view key, std::int64_t most) {
    mapping.require(key);
    return mapping.integer(key, 1, most).value_or(1);
}

/// Reads `columns` and `rows` of a grid, and `planes` if there are several.
void read_extents(MappingReader& mapping, std::int64_t most, Extents& extents) {
    extents.columns = static_cast<std::uint32_t>(required_integer(mapping, "columns", most));
    extents.rows = static_cast<std::uint32_t>(required_integer(mapping, "rows", most));
    extents.planes = static_cast<std::uint32_t>(mapping.integer("planes", 1, most).value_or(1));
}

/// Returns the path of a file that the scenario names relative to its own folder.
std::filesystem::path path_from(const std::filesystem::path& scenario, const std::string& as_written) {
    return (input::folder_of(scenario) / as_written).lexically_normal();
}

std::filesystem::path named_file(MappingReader& top, std::string_view key, const std::filesystem::path& scenario,
                                 std::string& as_written, SourceRange& range) {
    top.require(key);
    as_written = top.text(key).value_or("");
    range = top.range_of(key);
    return path_from(scenario, as_written);
}

machine::HardwareOverrides overrides_in(const YamlNode& platform, const std::filesystem::path& scenario) {
    machine::HardwareOverrides overrides;
    if (platform.kind != YamlNode::Kind::mapping) return overrides;
    overrides.tree = platform;
    remove_key(&overrides.tree, "file");
    overrides.folder = input::folder_of(scenario);
    return overrides;
}

/// Reads `platform`. The other keys of the mapping beside `file` are overrides, which the machine reads.
void read_platform(MappingReader& top, Scenario& scenario, Diagnostics& faults) {
    const YamlNode* node = top.take("platform");
    if (node == nullptr || node->kind != YamlNode::Kind::mapping) {
        scenario.platform =
            named_file(top, "platform", scenario.file, scenario.platform_as_written, scenario.platform_range);
        return;
    }
    MappingReader platform(*node, "`platform`", faults);
    scenario.platform =
        named_file(platform, "file", scenario.file, scenario.platform_as_written, scenario.platform_range);
    scenario.overrides = overrides_in(*node, scenario.file);
    for (const std::string_view key : kFixedPlatformKeys) {
        if (!platform.has(key)) continue;
        faults.add(DiagnosticKind::unknown_key, platform.range_of(key),
                   fmt::format("`{}` of a machine cannot be changed", key),
                   key == "calibration" ? "expected the scenario's own `calibration`" : "expected another `file`");
    }
}

/// Returns the range of the mapping's first value from another source, such as `--set`; else that of the mapping.
SourceRange range_of_override(const YamlNode& mapping) {
    for (const YamlNode::Entry& entry : mapping.entries) {
        if (entry.value.range.source != mapping.range.source) return entry.value.range;
    }
    return mapping.range;
}

/// Adds the paths of keys named `name` below `path`; a list of rows is treated as the keys of its rows.
void paths_below(const YamlNode& tree, const std::string& path, std::string_view name,
                 std::vector<std::string>& found) {
    for (const YamlNode::Entry& entry : tree.entries) {
        const std::string here = fmt::format("{}.{}", path, entry.key);
        if (entry.key == name && std::ranges::find(found, here) == found.end()) found.push_back(here);
        paths_below(entry.value, here, name, found);
    }
    for (const YamlNode& row : tree.items) paths_below(row, path, name, found);
}

/// Suggests, for an unknown key of a scenario, the paths that end in it, among its keys, the parameters of its model,
/// and the keys of its machine; empty if there is none.
std::string longer_paths(const std::string& key, const Scenario& scenario) {
    std::vector<std::string> paths = paths_ending_in(key);
    try {
        if (!scenario.trace) {
            for (const psl::ParameterInfo& each : psl::load(scenario.model).parameters()) {
                if (each.name == key) paths.push_back("parameters." + key);
            }
        }
        YamlNode hardware = machine::read_hardware_tree(scenario.platform).root;
        for (const std::string_view fixed : kFixedPlatformKeys) remove_key(&hardware, fixed);
        paths_below(hardware, "platform", key, paths);
    } catch (const BadInput&) {
        // An error of the model or the machine is reported when it is loaded for the run.
    }
    if (paths.size() == 1) return fmt::format("did you mean `{}`?", paths.front());
    return input::suggestion({}, paths);
}

void read_ranks(MappingReader& top, Scenario& scenario, Diagnostics& faults) {
    const YamlNode* node = top.require("ranks");
    if (node == nullptr) return;
    MappingReader ranks(*node, "`ranks`", faults, "expected columns and rows, such as `{columns: 32, rows: 32}`");
    RankGrid& grid = scenario.bindings.grid;
    read_extents(ranks, kMostScenarioRanks, grid);
    ranks.finish();
    scenario.grid_range = range_of_override(*node);
    if (grid.ranks() > kMostScenarioRanks) {
        faults.add(DiagnosticKind::out_of_range, scenario.grid_range,
                   fmt::format("a process grid of {} has {} ranks", as_text(grid),
                               Wide{grid.columns} * grid.rows * grid.planes),
                   fmt::format("expected at most {} ranks", kMostScenarioRanks));
    }
}

void read_node(MappingReader& top, Scenario& scenario, Diagnostics& faults) {
    scenario.patch_range = scenario.grid_range;
    const YamlNode* node = top.take("node");
    if (node == nullptr) return;
    scenario.has_node = true;
    MappingReader patch(*node, "`node`", faults, "expected columns and rows, such as `{columns: 2, rows: 1}`");
    read_extents(patch, kMostOnNode, scenario.patch);
    scenario.cores = read_cores(patch, scenario.patch, faults);
    patch.finish();
    scenario.patch_range = range_of_override(*node);
}

/// Formats a list in the model's language: "[8B, 16B]".
std::string list_text(const YamlNode& list, Diagnostics& faults) {
    std::vector<std::string> items;
    for (const YamlNode& item : list.items) {
        if (item.kind == YamlNode::Kind::scalar) {
            items.push_back(item.scalar);
        } else {
            faults.add(DiagnosticKind::wrong_yaml_type, item.range, "this item of a list is itself a list or a mapping",
                       "expected a single value");
        }
    }
    return fmt::format("[{}]", fmt::join(items, ", "));
}

/// Adds every entry of `node`, which `reader` reads, to the values for a model: texts, and lists in its language.
void read_bindings(const YamlNode& node, MappingReader& reader, std::map<std::string, psl::Binding>& bindings,
                   Diagnostics& faults) {
    for (const YamlNode::Entry& entry : node.entries) {
        if (entry.value.kind == YamlNode::Kind::sequence) {
            bindings[entry.key] = {list_text(entry.value, faults), entry.value.range};
        } else if (const auto text = reader.text(entry.key)) {
            bindings[entry.key] = {*text, entry.value.range};
        }
    }
}

void read_parameters(MappingReader& top, Scenario& scenario, Diagnostics& faults) {
    const YamlNode* node = top.take("parameters");
    if (node == nullptr) return;
    MappingReader parameters(*node, "`parameters`", faults);
    read_bindings(*node, parameters, scenario.bindings.parameters, faults);
}

/// Reads the cells of one rank. They set the parameters of the whole grid: the one with the role cells_x is x *
/// columns.
void read_cells_per_rank(MappingReader& top, Scenario& scenario, Diagnostics& faults) {
    const YamlNode* node = top.take("cells_per_rank");
    if (node == nullptr) return;
    MappingReader cells(*node, "`cells_per_rank`", faults);
    const RankGrid grid = scenario.bindings.grid;
    const std::array<std::uint32_t, 3> ranks{grid.columns, grid.rows, grid.planes};
    for (std::size_t k = 0; k < kCellAxes.size(); ++k) {
        const auto& [axis, role] = kCellAxes[k];
        const auto share = cells.integer(axis, 1, kMostCellsPerRank);
        if (!share) continue;
        scenario.cells_per_rank.emplace(axis, *share);
        psl::Binding whole{fmt::format("{}", *share * std::int64_t{ranks[k]}), cells.range_of(axis)};
        scenario.bindings.roles.push_back({role, std::move(whole), fmt::format("cells_per_rank.{}", axis)});
    }
    cells.finish();
}

/// Reads `speed`. Without a unit it is a ratio, which a recorded run may have.
TraceSpeed read_speed(MappingReader& top, Diagnostics& faults) {
    TraceSpeed speed;
    const auto text = top.text("speed");
    if (!text) return speed;
    speed.range = top.range_of("speed");
    speed.as_written = *text;
    const std::optional<double> ratio = input::number_of<double>(*text);
    const std::size_t before = faults.count();
    const double value =
        ratio ? *ratio : input::parse_quantity(*text, speed.range, input::Dimension::flop_rate, faults).value;
    if (faults.count() != before) return speed;
    if (!(value > 0.0 && std::isfinite(value))) {
        faults.add(DiagnosticKind::out_of_range, speed.range,
                   fmt::format("a processor cannot have the speed `{}`", *text), "expected a speed above 0");
        return speed;
    }
    speed.is_ratio = ratio.has_value();
    speed.has_unit = !speed.is_ratio;
    (speed.is_ratio ? speed.times_as_fast : speed.rate.per_second) = value;
    return speed;
}

/// Reads `trace`, which excludes a model and its parameters: a trace contains their values.
TraceKey read_trace(MappingReader& top, const std::filesystem::path& scenario, Diagnostics& faults) {
    TraceKey trace;
    trace.list = named_file(top, "trace", scenario, trace.as_written, trace.range);
    trace.speed = read_speed(top, faults);
    if (const auto written = top.text("communicators")) {
        trace.communicators = {(input::folder_of(scenario) / *written).lexically_normal(),
                               top.range_of("communicators"), *written};
    }
    static const std::array<std::string, 2> kArrivals{"first", "recorded"};
    trace.arrivals_recorded = top.choice("arrivals", kArrivals).value_or(0) == 1;
    if (trace.arrivals_recorded) trace.arrivals_range = top.range_of("arrivals");
    for (const char* key : {"model", "iterations", "parameters", "cells_per_rank"}) {
        if (top.take(key) == nullptr) continue;
        faults.add(DiagnosticKind::conflicting_keys, top.range_of(key),
                   fmt::format("both `{}` and `trace` are given", key),
                   "expected only one of the two: a trace replaces a model and its parameters");
    }
    return trace;
}

/// Reads `model`. The other keys of the mapping beside `file` are objects of the model, each a mapping of its defaults.
void read_model_file(MappingReader& top, Scenario& scenario, Diagnostics& faults) {
    const YamlNode* node = top.take("model");
    if (node == nullptr || node->kind != YamlNode::Kind::mapping) {
        scenario.model = named_file(top, "model", scenario.file, scenario.model_as_written, scenario.model_range);
        return;
    }
    MappingReader model(*node, "`model`", faults);
    scenario.model = named_file(model, "file", scenario.file, scenario.model_as_written, scenario.model_range);
    for (const YamlNode::Entry& entry : node->entries) {
        if (entry.key == "file") continue;
        MappingReader object(entry.value, fmt::format("`{}`", entry.key), faults);
        read_bindings(entry.value, object, scenario.bindings.objects[entry.key], faults);
    }
}

void read_model(MappingReader& top, Scenario& scenario, Diagnostics& faults) {
    read_model_file(top, scenario, faults);
    for (const char* key : {"speed", "communicators", "arrivals"}) {
        if (!top.has(key)) continue;
        top.take(key);
        faults.add(DiagnosticKind::conflicting_keys, top.range_of(key),
                   fmt::format("`{}` is given without `trace`", key),
                   "expected `trace` as well: the key describes traces");
    }
    scenario.bindings.iterations = top.integer("iterations", 1, kMostIterations).value_or(1);
    read_parameters(top, scenario, faults);
    read_cells_per_rank(top, scenario, faults);
}

/// Returns true for a time, or a list of times.
bool is_time(const YamlNode& value) {
    if (value.kind == YamlNode::Kind::sequence) {
        return !value.items.empty() && std::ranges::all_of(value.items, is_time);
    }
    Diagnostics others;
    input::parse_time(value.scalar, value.range, others);
    return others.empty();
}

MeasuredKeys read_measured(const ScenarioDocument& document) {
    const YamlNode* file = document.platform.find("file");
    const std::string& platform = file != nullptr ? file->scalar : document.platform.scalar;
    if (platform.empty()) return {};  // the times belong to no machine
    MeasuredKeys measured{path_from(document.file, platform), overrides_in(document.platform, document.file), {}};
    const auto from_file = [&](const YamlNode& value) { return value.range.source == document.source; };
    if (const YamlNode* parameters = document.tree.find("parameters")) {
        for (const YamlNode::Entry& entry : parameters->entries) {
            if (from_file(entry.value) && is_time(entry.value)) measured.names.push_back(entry.key);
        }
    }
    const YamlNode* speed = document.tree.find("speed");
    if (speed != nullptr && from_file(*speed)) measured.names.emplace_back("speed");
    return measured;
}

constexpr std::string_view kExpected = "a scenario (.yaml)";

/// Gives a key of `noise` its current name, and notes its former one, which is read for one version.
void use_current_name(std::string& key, const SourceRange& range, ScenarioDocument& document) {
    if (key != kFormerPeriodic) return;
    key = kPeriodic;
    document.notes.push_back(
        fmt::format("{}: `noise.{}` is now called `noise.{}`; the next version refuses the former name",
                    input::text_of(range), kFormerPeriodic, kPeriodic));
}

void use_current_names(ScenarioDocument& document) {
    const auto noise = std::ranges::find(document.tree.entries, "noise", &YamlNode::Entry::key);
    // Both names in one file are refused when the scenario is read.
    if (noise == document.tree.entries.end() || noise->value.find(kPeriodic) != nullptr) return;
    for (YamlNode::Entry& entry : noise->value.entries) use_current_name(entry.key, entry.key_range, document);
}

ScenarioDocument parse_named(const NamedScenario& named, SourceFilePtr source, std::span<const std::string> sets) {
    ScenarioDocument document{named.file, std::move(source), {}, {}, {}, {}};
    Diagnostics faults;
    document.tree = input::parse_yaml(document.source, faults);
    if (const YamlNode* platform = document.tree.find("platform")) document.platform = *platform;
    use_current_names(document);
    const bool readable = faults.empty();
    for (const Override& change : named.changes) {
        if (readable) apply(named, change, document, faults);
    }
    for (const std::string& argument : sets) {
        const auto given = parse_override(argument, faults);
        if (given && readable) apply(*given, document, faults);
    }
    // The deviations of a plan would be refused as those of a scenario.
    if (const auto kind = input::kind_of_keys(document.tree); kind == input::FileKind::plan) {
        input::refuse_kind(*kind, document.file, document.tree.range, kExpected);
    }
    document.uncertain = take_uncertain(document.tree, faults);
    faults.raise();
    return document;
}

}  // namespace

ScenarioDocument read_document(const std::filesystem::path& file, std::span<const std::string> sets) {
    return read_document(NamedScenario{.file = file}, sets);
}

ScenarioDocument parse_document(const std::filesystem::path& file, SourceFilePtr source,
                                std::span<const std::string> sets) {
    return parse_named({.file = file}, std::move(source), sets);
}

std::filesystem::path read_file_name(MappingReader& keys, std::string_view key) {
    keys.require(key);
    return path_from(keys.range_of(key).source->name(), keys.text(key).value_or(""));
}

NamedScenario read_named_scenario(MappingReader& keys, Diagnostics& faults) {
    NamedScenario named{.file = read_file_name(keys, "scenario"), .range = keys.range_of("scenario")};
    named.changes = read_changes(keys.take("set"), faults);
    return named;
}

void apply(const NamedScenario& named, Override change, ScenarioDocument& document, Diagnostics& faults) {
    if (named.range.source && change.value.range.source == named.range.source) {
        rebase_files(change, input::folder_of(named.range.source->name()), input::folder_of(document.file));
    }
    apply(change, document, faults);
}

ScenarioDocument read_document(const NamedScenario& named, std::span<const std::string> sets) {
    SourceFilePtr source = input::read_file(named.file, named.range);
    input::refuse_other_name(named.file, kExpected, named.range);
    return parse_named(named, std::move(source), sets);
}

namespace {

/// Returns the parameters of the whole grid in the document's model; the usual names if it has no readable model.
CellParameters cell_parameters(const ScenarioDocument& document) {
    CellParameters names = usual_cell_parameters();
    const YamlNode* model = document.tree.find("model");
    if (model != nullptr && model->kind == YamlNode::Kind::mapping) model = model->find("file");
    if (model == nullptr || model->kind != YamlNode::Kind::scalar) return names;
    try {
        const psl::Model loaded = psl::load(path_from(document.file, model->scalar));
        for (std::size_t k = 0; k < kCellAxes.size(); ++k) {
            if (const auto name = loaded.parameter_with(kCellAxes[k].role)) names[k] = *name;
        }
    } catch (const BadInput&) {
        // reported when the scenario is read
    }
    return names;
}

/// Returns the number of nodes with ranks, and the largest number of ranks on one of them.
std::pair<std::uint32_t, std::uint32_t> nodes_and_cores(const Scenario& scenario) {
    const RankGrid& grid = scenario.bindings.grid;
    const machine::PlacementRequest& placement = scenario.placement.request;
    if (placement.distribution) {
        return {static_cast<std::uint32_t>(machine::nodes_of(*placement.distribution, grid.ranks())),
                placement.distribution->ranks_per_node};
    }
    if (placement.listed.empty()) return {machine::cut(grid, scenario.patch).nodes(), scenario.patch.ranks()};
    std::map<std::uint32_t, std::int64_t> ranks_on;
    for (const machine::ListedRanks& each : placement.listed) ranks_on[each.host] += each.ranks.count();
    const auto most = std::ranges::max_element(ranks_on, {}, [](const auto& host) { return host.second; });
    return {static_cast<std::uint32_t>(ranks_on.size()), static_cast<std::uint32_t>(most->second)};
}

}  // namespace

void apply(const Override& given, ScenarioDocument& document, Diagnostics& faults) {
    Override current = given;
    if (current.path.size() > 1 && current.path[0].name == "noise") {
        use_current_name(current.path[1].name, current.path[1].range, document);
    }
    apply(current, document.tree, faults);
    use_current_names(document);
    const bool has_both =
        document.tree.find("cells_per_rank") != nullptr && document.tree.find("parameters") != nullptr;
    if (has_both) remove_equivalents(given, cell_parameters(document), document.tree);
}

Scenario read_scenario(const ScenarioDocument& document) {
    input::refuse_other_keys(document.tree, document.file, {input::FileKind::scenario}, kExpected);
    Diagnostics faults;
    Scenario scenario;
    scenario.file = document.file;
    scenario.source = document.source;
    scenario.notes = document.notes;
    scenario.bindings.range = document.tree.range;

    MappingReader top(document.tree, "a scenario", faults);
    read_platform(top, scenario, faults);
    read_ranks(top, scenario, faults);
    read_node(top, scenario, faults);
    scenario.placement = read_placement(top, document.file, faults);
    if (scenario.placement.places_ranks() && scenario.has_node) {
        faults.add(DiagnosticKind::conflicting_keys, scenario.patch_range,
                   "both `node` and a placement of ranks are given",
                   "expected only one of the two: this `placement` gives every rank its node");
    }
    scenario.calibration = read_calibration_key(top, document.file);
    scenario.noise_configuration = read_noise_configuration(top, document.file, faults);
    const auto [nodes, cores] = nodes_and_cores(scenario);
    scenario.workers = read_workers(top, document.file, nodes, cores, faults);
    if (top.take("trace") != nullptr) {
        scenario.trace = read_trace(top, document.file, faults);
    } else {
        read_model(top, scenario, faults);
    }
    top.finish([&](const std::string& key) { return longer_paths(key, scenario); });
    faults.raise();
    scenario.measured = read_measured(document);
    return scenario;
}

namespace {

/// Converts whole numbers to numbers; other values, such as those with a unit, stay text.
nlohmann::ordered_json as_json(const std::string& text) {
    if (const auto number = input::number_of<std::int64_t>(text)) return *number;
    return text;
}

/// Converts a node to the form of a scenario file, with the values as written.
nlohmann::ordered_json as_json(const YamlNode& node) {
    nlohmann::ordered_json json;
    if (node.kind == YamlNode::Kind::scalar) return as_json(node.scalar);
    if (node.kind == YamlNode::Kind::sequence) {
        json = nlohmann::ordered_json::array();
        for (const YamlNode& item : node.items) json.push_back(as_json(item));
    } else {
        json = nlohmann::ordered_json::object();
        for (const YamlNode::Entry& entry : node.entries) json[entry.key] = as_json(entry.value);
    }
    return json;
}

nlohmann::ordered_json as_json(const Extents& extents) {
    nlohmann::ordered_json json{{"columns", extents.columns}, {"rows", extents.rows}};
    if (extents.planes > 1) json["planes"] = extents.planes;
    return json;
}

nlohmann::ordered_json echo_platform(const Scenario& scenario) {
    if (scenario.overrides.tree.entries.empty()) return scenario.platform_as_written;
    nlohmann::ordered_json json;
    json["file"] = scenario.platform_as_written;
    for (const YamlNode::Entry& entry : scenario.overrides.tree.entries) json[entry.key] = as_json(entry.value);
    return json;
}

nlohmann::ordered_json echo_model(const Scenario& scenario) {
    if (scenario.bindings.objects.empty()) return scenario.model_as_written;
    nlohmann::ordered_json json;
    json["file"] = scenario.model_as_written;
    for (const auto& [object, bindings] : scenario.bindings.objects) {
        for (const auto& [name, binding] : bindings) json[object][name] = as_json(binding.text);
    }
    return json;
}

/// Echoes the key `node`; by default the ranks fill the cores in order.
nlohmann::ordered_json echo_node(const Scenario& scenario) {
    nlohmann::ordered_json json = as_json(scenario.patch);
    const CoresKey& cores = scenario.cores;
    if (cores.request.fill != machine::NodeFill::pack) json["fill"] = name_of(cores.request.fill);
    if (!cores.as_written.items.empty()) json["cores"] = as_json(cores.as_written);
    return json;
}

/// Echoes the key `placement` in its shortest form.
nlohmann::ordered_json echo_placement(const PlacementKey& placement) {
    const machine::PlacementRequest& request = placement.request;
    if (!placement.list_as_written.empty()) return placement.list_as_written;
    if (placement.rankfile) return {{"rankfile", placement.file_as_written}};
    if (request.rule == machine::PlacementRule::file) return {{"file", placement.file_as_written}};
    const std::string& rule = name_of(request.rule);
    if (request.distribution) {
        nlohmann::ordered_json json{{"ranks_per_node", request.distribution->ranks_per_node},
                                    {"distribution", text_of(*request.distribution)}};
        if (request.rule != machine::PlacementRule::block) json["rule"] = rule;
        if (request.seed.value != 0) json["seed"] = request.seed.value;
        if (request.fragmentation != machine::Share{}) json["fragmentation"] = request.fragmentation.of_one;
        return json;
    }
    if (request.fragmentation != machine::Share{}) {
        return {{"rule", rule}, {"seed", request.seed.value}, {"fragmentation", request.fragmentation.of_one}};
    }
    if (request.rule == machine::PlacementRule::random) return fmt::format("random({})", request.seed.value);
    return rule;
}

/// Formats a time in the largest unit in which it is a whole number.
std::string exact(Time time) {
    constexpr std::array<std::pair<std::int64_t, std::string_view>, 4> units{
        {{1'000'000'000'000, "s"}, {1'000'000'000, "ms"}, {1'000'000, "us"}, {1'000, "ns"}}};
    for (const auto& [unit, name] : units) {
        if (time.ps % unit == 0) return fmt::format("{}{}", time.ps / unit, name);
    }
    return fmt::format("{}ps", time.ps);
}

nlohmann::ordered_json echo_noise(const variation::Noise& noise) {
    if (!noise.draws() && !noise.periodic && !noise.interruptions) return "off";
    nlohmann::ordered_json json;
    if (noise.varies() || !noise.interruptions) json["cv"] = noise.cv;
    if (noise.jitter.ps > 0) json["jitter"] = exact(noise.jitter);
    if (noise.repeats_after == variation::kWhenEnough) json["redrawn"] = "off";
    if (noise.repeats_after > 0) json["repeats_after"] = noise.repeats_after;
    if (noise.periodic) {
        json["periodic"] = {{"period", exact(noise.periodic->period)},
                            {"length", exact(noise.periodic->length)},
                            {"aligned", noise.periodic->aligned ? "on" : "off"}};
    }
    if (noise.interruptions) {
        json["interruptions"] = {{"per_second", noise.interruptions->per_second},
                                 {"length", exact(noise.interruptions->length)},
                                 {"absorbed_by", noise.interruptions->absorbed_by_idle_core ? "idle_core" : "nothing"}};
    }
    return json;
}

nlohmann::ordered_json echo_heterogeneity(const NoiseConfiguration& configuration) {
    if (configuration.noise.classes.empty() && !configuration.map) return "off";
    nlohmann::ordered_json json;
    for (const variation::SpeedClass& each : configuration.noise.classes) {
        json["classes"].push_back({{"share", each.share}, {"speed", each.speed}});
    }
    if (configuration.map) json["map"] = configuration.map->as_written;
    return json;
}

nlohmann::ordered_json echo_workers(const WorkersKey& key) {
    const variation::Availability& availability = key.availability;
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (!key.schedule_as_written.empty()) json["schedule"] = key.schedule_as_written;
    if (availability.drawn) {
        json["drawn"] = {{"least", availability.drawn->least},
                         {"most", availability.drawn->most},
                         {"every", exact(availability.drawn->every)}};
    }
    json["joining"] = availability.by_turn ? "by_turn" : "at_once";
    for (const variation::LostNode& each : availability.lost) {
        nlohmann::ordered_json lost = {{"node", each.node.index}, {"at", exact(each.at)}};
        if (each.repaired) lost["repaired"] = exact(*each.repaired);
        json["lost"].push_back(std::move(lost));
    }
    return json;
}

}  // namespace

nlohmann::ordered_json echo(const Scenario& scenario) {
    const psl::Bindings& bindings = scenario.bindings;
    nlohmann::ordered_json json;
    if (scenario.trace) {
        json["trace"] = scenario.trace->as_written;
        const TraceSpeed& speed = scenario.trace->speed;
        json["speed"] = scenario.trace->recorded ? fmt::format("{}", speed.times_as_fast)
                                                 : fmt::format("{}flops", speed.rate.per_second);
        if (scenario.trace->communicators) json["communicators"] = scenario.trace->communicators->as_written;
        if (scenario.trace->arrivals_recorded) json["arrivals"] = "recorded";
    } else {
        json["model"] = echo_model(scenario);
    }
    json["platform"] = echo_platform(scenario);
    json["ranks"] = as_json(bindings.grid);
    if (!scenario.placement.places_ranks()) json["node"] = echo_node(scenario);
    json["placement"] = echo_placement(scenario.placement);
    if (!scenario.trace) json["iterations"] = bindings.iterations;
    json["calibration"] = scenario.calibration.as_written;
    json["seed"] = scenario.noise_configuration.seed.value;
    json["noise"] = echo_noise(scenario.noise_configuration.noise);
    json["heterogeneity"] = echo_heterogeneity(scenario.noise_configuration);
    if (scenario.workers.given) json["workers"] = echo_workers(scenario.workers);
    for (const auto& [axis, cells] : scenario.cells_per_rank) json["cells_per_rank"][axis] = cells;
    if (scenario.trace) return json;
    json["parameters"] = nlohmann::ordered_json::object();
    for (const auto& [name, binding] : bindings.parameters) {
        json["parameters"][name] = as_json(binding.text);
    }
    return json;
}

}  // namespace warpfront::scenario
