#include "simulator/scenario/echo.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::scenario {

namespace {

/// Converts whole numbers to numbers; other values, such as those with a unit, stay text.
nlohmann::ordered_json as_json(const std::string& text) {
    if (const auto number = input::number_of<std::int64_t>(text)) return *number;
    return text;
}

/// Converts a node to the form of a scenario file, with the values as written.
nlohmann::ordered_json as_json(const input::YamlNode& node) {
    nlohmann::ordered_json json;
    if (node.kind == input::YamlNode::Kind::scalar) return as_json(node.scalar);
    if (node.kind == input::YamlNode::Kind::sequence) {
        json = nlohmann::ordered_json::array();
        for (const input::YamlNode& item : node.items) json.push_back(as_json(item));
    } else {
        json = nlohmann::ordered_json::object();
        for (const input::YamlNode::Entry& entry : node.entries) json[entry.key] = as_json(entry.value);
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
    for (const input::YamlNode::Entry& entry : scenario.overrides.tree.entries) json[entry.key] = as_json(entry.value);
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
    if (!noise.redrawn) json["redrawn"] = "off";
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
