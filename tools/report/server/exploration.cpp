#include "tools/report/server/exploration.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/sha256.hpp"
#include "simulator/results/output.hpp"
#include "simulator/scenario/keys.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/answer/prediction/engines.hpp"

namespace warpfront::tools {

namespace {

/// Returns the bandwidth of the first link; if the platform has none, 6 GB/s, the link of the XT4 (platforms/xt4.xml).
Bandwidth link_bandwidth_of(const machine::Machine& machine) {
    constexpr Bandwidth kWithoutLinks{6e9};
    if (machine.routes.link_count() == 0) return kWithoutLinks;
    const double gap = machine.routes.gap({0}).seconds_per_byte;
    return gap > 0 ? Bandwidth{1 / gap} : kWithoutLinks;
}

}  // namespace

Exploration::Exploration(std::filesystem::path file, SourceFilePtr source, std::vector<std::string> sets)
    : file_(std::move(file)), source_(std::move(source)), sets_(std::move(sets)) {
    const Experiment experiment = build_experiment(read({}));
    knobs_ = knobs_of([this](const auto& further) { return read(further); }, experiment.machine.cores);
    link_bandwidth_ = link_bandwidth_of(experiment.machine);
    cores_ = experiment.machine.cores;
}

scenario::Scenario Exploration::read(const std::vector<std::string>& sets) const {
    std::vector<std::string> all = sets_;
    all.insert(all.end(), sets.begin(), sets.end());
    return scenario::read_scenario(scenario::parse_document(file_, source_, all));
}

Position Exploration::start() const {
    Position at;
    for (const Knob& knob : knobs_) at.choices.push_back(knob.start);
    return at;
}

bool Exploration::is_position(const nlohmann::json& json) const {
    if (!json.is_array() || json.size() != knobs_.size()) return false;
    for (std::size_t k = 0; k < knobs_.size(); ++k) {
        if (!json[k].is_number_unsigned() || json[k].get<std::uint64_t>() >= knobs_[k].choices.size()) return false;
    }
    return true;
}

std::vector<Position> Exploration::along(const Position& at, std::size_t knob) const {
    std::vector<Position> line(knobs_[knob].choices.size(), at);
    for (std::size_t choice = 0; choice < line.size(); ++choice) line[choice].choices[knob] = choice;
    return line;
}

std::vector<std::string> Exploration::sets_at(const Position& at) const {
    std::vector<std::string> sets;
    std::optional<TopologyKind> topology;
    for (std::size_t k = 0; k < knobs_.size(); ++k) {
        const Choice& choice = knobs_[k].choices[at.choices[k]];
        sets.insert(sets.end(), choice.sets.begin(), choice.sets.end());
        if (choice.topology) topology = choice.topology;
    }
    if (!topology) return sets;
    const scenario::Scenario sized = read(sets);
    const auto& distribution = sized.placement.request.distribution;
    const std::uint64_t per_node = distribution ? distribution->ranks_per_node : sized.patch.count();
    const std::uint64_t nodes = (sized.bindings.grid.ranks() + per_node - 1) / per_node;
    sets.push_back("platform.topology=" + topology_for(*topology, nodes, link_bandwidth_));
    // A platform with a topology by rule does not state the number of cores.
    sets.push_back(fmt::format("platform.cores={}", std::max<std::uint64_t>(cores_, per_node)));
    return sets;
}

Experiment Exploration::experiment(const Position& at) const { return build_experiment(read(sets_at(at))); }

std::string Exploration::words_of(const Position& at) const {
    std::vector<std::string> moved;
    for (std::size_t k = 0; k < knobs_.size(); ++k) {
        if (at.choices[k] == knobs_[k].start) continue;
        moved.push_back(fmt::format("{} {}", knobs_[k].label, knobs_[k].choices[at.choices[k]].label));
    }
    return fmt::format("{}", fmt::join(moved, ", "));
}

namespace {

using nlohmann::ordered_json;

/// Makes file names of the scenario relative to `folder`. Values that are not file names, such as `calibration: on`,
/// are not changed.
void lead_from(const std::filesystem::path& folder, const std::filesystem::path& scenario, ordered_json& json) {
    for (std::string path : scenario::paths_of_files()) {
        std::replace(path.begin(), path.end(), '.', '/');
        const ordered_json::json_pointer key("/" + path);
        if (!json.contains(key) || !json[key].is_string()) continue;
        const std::filesystem::path file = input::folder_of(scenario) / json[key].get<std::string>();
        if (!std::filesystem::exists(file)) continue;
        json[key] = std::filesystem::relative(file, folder).generic_string();
    }
}

/// Formats JSON, which is valid YAML, with a line for each key of a mapping.
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
    std::error_code ignored;  // reported when the file is written
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
