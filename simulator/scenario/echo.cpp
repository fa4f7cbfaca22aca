// A scenario written back in the form of its file.
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/scenario/scenario.hpp"

namespace warpfront::scenario {

namespace {

/// Whole numbers become numbers; other values, such as those with a unit, stay text.
nlohmann::ordered_json as_json(const std::string& text) {
    if (const auto number = input::number_of<std::int64_t>(text)) return *number;
    return text;
}

/// In the form of a scenario file, with the values as written.
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

}  // namespace

nlohmann::ordered_json echo(const Scenario& scenario) {
    const psl::Bindings& bindings = scenario.bindings;
    nlohmann::ordered_json json;
    if (scenario.trace) {
        json["trace"] = scenario.trace->as_written;
        json["speed"] = fmt::format("{}flops", scenario.trace->speed.per_second);
        if (scenario.trace->communicators) json["communicators"] = scenario.trace->communicators->as_written;
    } else {
        json["model"] = echo_model(scenario);
    }
    json["platform"] = echo_platform(scenario);
    json["ranks"] = as_json(bindings.grid);
    json["node"] = as_json(scenario.patch);
    json["placement"] = echo(scenario.placement);
    if (!scenario.trace) json["iterations"] = bindings.iterations;
    json["calibration"] = scenario.calibration.as_written;
    echo(scenario.noise_configuration, json);
    for (const auto& [axis, cells] : scenario.cells_per_rank) json["cells_per_rank"][axis] = cells;
    if (scenario.trace) return json;
    json["parameters"] = nlohmann::ordered_json::object();
    for (const auto& [name, binding] : bindings.parameters) {
        json["parameters"][name] = as_json(binding.text);
    }
    return json;
}

}  // namespace warpfront::scenario
