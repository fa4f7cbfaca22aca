#include "tools/server/saved_scenario.hpp"

#include <array>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/sha256.hpp"
#include "simulator/results/output.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/prediction/engines.hpp"

namespace warpfront::tools {

namespace {

using nlohmann::ordered_json;

/// The keys of a scenario that name files.
constexpr std::array kNames{"/model",
                            "/model/file",
                            "/platform",
                            "/platform/file",
                            "/platform/topology/file",
                            "/platform/calibration",
                            "/trace",
                            "/calibration",
                            "/placement/file",
                            "/heterogeneity/map"};

/// From the folder of the scenario to `folder`; what names no file there, such as `calibration: on`, stays.
void lead_from(const std::filesystem::path& folder, const std::filesystem::path& scenario, ordered_json& json) {
    for (const char* name : kNames) {
        const ordered_json::json_pointer key(name);
        if (!json.contains(key) || !json[key].is_string()) continue;
        const std::filesystem::path file = scenario.parent_path() / json[key].get<std::string>();
        if (!std::filesystem::exists(file)) continue;
        json[key] = std::filesystem::relative(file, folder).generic_string();
    }
}

/// JSON is YAML; a key of a mapping has a line of its own.
std::string yaml(const ordered_json& json) {
    std::string text;
    for (const auto& [key, value] : json.items()) {
        if (!value.is_object() || value.empty()) {
            text += fmt::format("{}: {}\n", key, value.dump());
            continue;
        }
        text += fmt::format("{}:\n", key);
        for (const auto& [name, each] : value.items()) text += fmt::format("  {}: {}\n", name, each.dump());
    }
    return text;
}

}  // namespace

std::filesystem::path save_scenario(const Exploration& exploration, const Position& at,
                                    const std::filesystem::path& folder) {
    const Experiment experiment = exploration.experiment(at);
    std::error_code ignored;  // the file itself will say why it cannot be written
    std::filesystem::create_directories(folder, ignored);
    ordered_json json = echo(experiment.scenario);
    lead_from(folder, exploration.file(), json);
    const std::string moved = exploration.words_of(at);
    const std::string text = fmt::format("# `warpfront serve` saved this from {}{}{}\n{}", exploration.file().string(),
                                         moved.empty() ? "" : ": ", moved, yaml(json));
    const std::string name =
        fmt::format("{}-{}.yaml", exploration.file().stem().string(), input::sha256_hex(text).substr(0, 8));
    results::Output((folder / name).string()).write(text);
    build_experiment(scenario::read_scenario(scenario::read_document(folder / name, {})));
    return folder / name;
}

}  // namespace warpfront::tools
