#include "tools/report/server/knobs.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "psl/psl.hpp"
#include "simulator/input/decimal.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/hardware_overrides.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"
#include "tools/answer/experiment/experiment.hpp"

namespace warpfront::tools {

namespace {

using scenario::Scenario;

constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 18;

std::string yaml(const Extents& extents) {
    const std::string plane = fmt::format("columns: {}, rows: {}", extents.columns, extents.rows);
    return extents.planes == 1 ? fmt::format("{{{}}}", plane)
                               : fmt::format("{{{}, planes: {}}}", plane, extents.planes);
}

/// Formats the key `node`. Ranks on listed cores fill the cores of another patch in order.
std::string node(const machine::Patch& patch, machine::NodeFill fill) {
    std::string text = yaml(patch);
    if (fill != machine::NodeFill::pack) text.insert(text.size() - 1, ", fill: " + scenario::name_of(fill));
    return text;
}

Knob ranks(const Scenario& scenario) {
    const RankGrid grid = scenario.bindings.grid;
    const machine::Patch patch = scenario.patch;
    const auto halves = [](std::uint32_t side, std::uint32_t of_patch) {
        return side % 2 == 0 && side / 2 >= of_patch;
    };
    const bool planes = grid.planes > 1;
    RankGrid least = grid;
    while (halves(least.columns, patch.columns) && halves(least.rows, patch.rows) &&
           (!planes || halves(least.planes, patch.planes))) {
        least = {least.columns / 2, least.rows / 2, planes ? least.planes / 2 : 1};
    }
    Knob knob{"ranks",
              "Ranks",
              planes ? "columns, rows and planes of the process grid, doubled and halved together"
                     : "columns and rows of the process grid, doubled and halved together",
              {}};
    for (RankGrid each = least; each.ranks() <= std::max(kMostRanks, grid.ranks());
         each = {each.columns * 2, each.rows * 2, planes ? each.planes * 2 : 1}) {
        if (each == grid) knob.start = knob.choices.size();
        Choice choice{as_text(each)};
        if (!(each == grid)) choice.sets = {"ranks=" + yaml(each)};
        knob.choices.push_back(std::move(choice));
    }
    return knob;
}

bool can_be_built(const ReadScenario& read, const std::vector<std::string>& sets) {
    try {
        build_experiment(read(sets));
        return true;
    } catch (const BadInput&) {
        return false;
    }
}

/// Returns the knob of patches of ranks that the machine's nodes can hold.
Knob cores(const ReadScenario& read, const Scenario& scenario, std::uint32_t cores_of_machine) {
    std::vector<machine::Patch> patches{{1, 1}, {2, 1}, {2, 2}, {2, 4}, {4, 4}};
    if (scenario.bindings.grid.planes > 1) patches = {{1, 1}, {2, 1}, {2, 2}, {2, 2, 2}, {4, 2, 2}};
    const machine::Patch own = scenario.patch;
    if (std::ranges::find(patches, own) == patches.end()) {
        const auto more = [&own](machine::Patch each) { return each.count() > own.count(); };
        patches.insert(std::ranges::find_if(patches, more), own);
    }
    Knob knob{"cores", "Cores per node", "the patch of ranks on each node", {}};
    if (!scenario.cores.request.listed.empty()) {
        knob.what +=
            fmt::format("; a patch of {} has the cores of `node.cores`, any other patch the first ones", as_text(own));
    }
    const bool places_ranks = scenario.placement.places_ranks();
    for (const machine::Patch each : patches) {
        Choice choice{places_ranks && each == own ? "as placed" : as_text(each)};
        if (!(each == own)) {
            choice.sets = {fmt::format("node={}", node(each, scenario.cores.request.fill))};
            if (each.count() > cores_of_machine) choice.sets.push_back(fmt::format("platform.cores={}", each.count()));
            if (!can_be_built(read, choice.sets)) continue;
        }
        if (each == own) knob.start = knob.choices.size();
        knob.choices.push_back(std::move(choice));
    }
    return knob;
}

std::optional<std::int64_t> integer(const Scenario& scenario, const std::string& parameter) {
    const auto found = scenario.bindings.parameters.find(parameter);
    if (found == scenario.bindings.parameters.end()) return std::nullopt;
    return input::number_of<std::int64_t>(found->second.text);
}

/// Returns the knob of the parameter with the role tile_planes, if the scenario has it.
Knob tile(const Scenario& scenario) {
    Knob knob{"tile", "Tile height", "", {}};
    const psl::Model model = psl::load(scenario.model, scenario.model_range);
    const std::optional<std::string> parameter = model.parameter_with(psl::Role::tile_planes);
    const std::optional<std::int64_t> own = parameter ? integer(scenario, *parameter) : std::nullopt;
    if (!own) return knob;
    const std::optional<std::string> cells = model.parameter_with(psl::Role::cells_z);
    const std::int64_t planes = std::max(*own, (cells ? integer(scenario, *cells) : std::nullopt).value_or(100));
    std::set<std::int64_t> heights{1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100};
    heights.erase(heights.upper_bound(planes), heights.end());
    heights.insert(*own);
    for (const std::int64_t each : heights) {
        if (each == *own) knob.start = knob.choices.size();
        Choice choice{fmt::format("{}", each)};
        if (each != *own) choice.sets = {fmt::format("parameters.{}={}", *parameter, each)};
        knob.choices.push_back(std::move(choice));
    }
    knob.what = fmt::format("the parameter {}", *parameter);
    return knob;
}

/// A key of the platform that a knob multiplies or divides.
struct Scaled {
    std::string path;  // such as layers.network.L
    bool inverse = false;
};

/// Returns the value that the scenario has for the key itself.
const YamlNode* own_value(const Scenario& scenario, std::string_view path) {
    const YamlNode* node = &scenario.overrides.tree;
    while (node != nullptr && !path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        node = node->find(path.substr(0, dot));
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return node;
}

/// The layers of the hardware file by name, and a test for keys that accept a factor.
class Hardware {
public:
    Hardware(const ReadScenario& read, const Scenario& scenario) : read_(read), scenario_(scenario) {
        tree_ = machine::read_hardware_tree(scenario.platform, scenario.platform_range).root;
    }

    std::vector<std::string> layers() const {
        std::vector<std::string> names;
        const YamlNode* layers = tree_.find("layers");
        if (layers == nullptr) return names;
        for (const auto& entry : layers->entries) names.push_back(entry.key);
        return names;
    }

    /// Returns true if a factor applies to the key. A quantity that the scenario itself sets cannot be scaled.
    bool can_scale(const std::string& path) const {
        const YamlNode* own = own_value(scenario_, path);
        if (own != nullptr && !machine::factor_of(own->scalar)) return false;
        try {
            const Scenario scaled = read_({fmt::format("platform.{}=1x", path)});
            YamlNode hardware = tree_;
            Diagnostics faults;
            machine::apply_overrides(scaled.overrides.tree, hardware, faults);
            // The links are known only after the platform is loaded.
            if (faults.empty() && path.starts_with("links.")) build_experiment(scaled);
            return faults.empty();
        } catch (const BadInput&) {
            return false;
        }
    }

    double own_factor(const std::string& path) const {
        const YamlNode* own = own_value(scenario_, path);
        return own == nullptr ? 1.0 : machine::factor_of(own->scalar).value_or(1.0);
    }

private:
    const ReadScenario& read_;
    const Scenario& scenario_;
    YamlNode tree_;
};

Knob scaled(Knob knob, const Hardware& hardware, std::vector<Scaled> keys) {
    std::erase_if(keys, [&](const Scaled& key) { return !hardware.can_scale(key.path); });
    if (keys.empty()) return knob;
    std::vector<std::string> names;
    for (const Scaled& key : keys) names.push_back(key.path);
    knob.what = fmt::format("{}", fmt::join(names, ", "));
    constexpr std::array<double, 9> kFactors{0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0};
    for (const double factor : kFactors) {
        Choice choice{fmt::format("{:g}x", factor)};
        if (factor == 1.0) {
            knob.start = knob.choices.size();
        } else {
            for (const Scaled& key : keys) {
                const double each = hardware.own_factor(key.path) * (key.inverse ? 1 / factor : factor);
                choice.sets.push_back(fmt::format("platform.{}={:.9g}x", key.path, each));
            }
        }
        knob.choices.push_back(std::move(choice));
    }
    return knob;
}

/// Returns keys of every layer, and other keys.
std::vector<std::string> keys_of(const Hardware& hardware, std::initializer_list<const char*> of_layers,
                                 std::initializer_list<const char*> others) {
    std::vector<std::string> keys;
    for (const std::string& layer : hardware.layers()) {
        for (const char* key : of_layers) keys.push_back(fmt::format("layers.{}.{}", layer, key));
    }
    keys.insert(keys.end(), others.begin(), others.end());
    return keys;
}

/// Returns keys that are multiplied directly.
std::vector<Scaled> times(const std::vector<std::string>& paths) {
    std::vector<Scaled> keys;
    for (const std::string& path : paths) keys.push_back({path});
    return keys;
}

/// Returns the key of the bandwidth for each key that is a bandwidth or a time per byte. If the scenario has a factor
/// of the time per byte, it returns that key instead.
std::vector<Scaled> bandwidths(const std::vector<std::string>& paths, const Scenario& scenario) {
    std::vector<Scaled> keys;
    for (const std::string& path : paths) {
        const bool own_gap = own_value(scenario, path + ".gap") != nullptr;
        keys.push_back({path + (own_gap ? ".gap" : ".bandwidth"), own_gap});
    }
    return keys;
}

Knob topology() {
    Knob knob{"topology", "Topology", "the network: links as fast as the platform's, and a host for every node", {}};
    knob.choices.push_back({"as it is"});
    for (const TopologyKind kind : kTopologyKinds) knob.choices.push_back({std::string(name_of(kind)), {}, kind});
    return knob;
}

}  // namespace

std::vector<Knob> knobs_of(const ReadScenario& read, std::uint32_t cores_of_machine) {
    const Scenario scenario = read({});
    const Hardware hardware(read, scenario);
    std::vector<Knob> knobs;
    const bool lists_ranks = !scenario.placement.request.listed.empty();
    if (!scenario.trace && !lists_ranks) knobs.push_back(ranks(scenario));
    if (!scenario.trace) knobs.push_back(tile(scenario));
    knobs.push_back(cores(read, scenario, cores_of_machine));
    knobs.push_back(
        scaled({"latency", "Latency", "", {}}, hardware, times(keys_of(hardware, {"L"}, {"links.all.latency"}))));
    knobs.push_back(scaled({"overhead", "Overhead", "", {}}, hardware,
                           times(keys_of(hardware, {"o_send", "o_recv", "o_request", "o_ack"}, {"bus.o_dma"}))));
    knobs.push_back(scaled({"bandwidth", "Bandwidth", "", {}}, hardware,
                           bandwidths(keys_of(hardware, {"G", "G_send", "G_recv"},
                                              {"bus.G_dma", "nic.injection", "nic.ejection", "links.all"}),
                                      scenario)));
    if (!lists_ranks) knobs.push_back(topology());
    std::erase_if(knobs, [](const Knob& knob) { return knob.choices.size() < 2; });
    return knobs;
}

namespace {

constexpr std::string_view kLatency = "50ns";

/// Returns the smallest lattice of powers of two with that many places.
std::array<std::uint64_t, 3> lattice(std::uint64_t places) {
    std::array<std::uint64_t, 3> sides{1, 1, 1};
    for (std::size_t k = 0; sides[0] * sides[1] * sides[2] < places; ++k) sides[k % 3] *= 2;
    return sides;
}

std::uint64_t times_that_hold(std::uint64_t each, std::uint64_t all) {
    return std::max<std::uint64_t>(1, (all + each - 1) / each);
}

/// Formats a tree of levels of 32, each with as many cables up as down.
std::string fat_tree(std::uint64_t nodes) {
    constexpr std::uint64_t kChildren = 32;
    std::vector<std::uint64_t> children{std::min(nodes, kChildren)};
    std::vector<std::uint64_t> parents{1};
    for (std::uint64_t below = times_that_hold(kChildren, nodes); below > 1;
         below = times_that_hold(kChildren, below)) {
        parents.push_back(children.back());
        children.push_back(std::min(below, kChildren));
    }
    return fmt::format("kind: fat_tree, children: [{}], parents: [{}]", fmt::join(children, ", "),
                       fmt::join(parents, ", "));
}

std::string dragonfly(std::uint64_t nodes) {
    constexpr std::uint64_t kGroup = 4 * 8 * 4;
    return fmt::format("kind: dragonfly, groups: {}, chassis: 4, blades: 8, nodes: 4, global: 8",
                       times_that_hold(kGroup, nodes));
}

std::string rule(TopologyKind kind, std::uint64_t nodes) {
    constexpr std::uint64_t kHosts = 8;
    switch (kind) {
        case TopologyKind::torus: return fmt::format("kind: torus, dimensions: [{}]", fmt::join(lattice(nodes), ", "));
        case TopologyKind::fat_tree: return fat_tree(nodes);
        case TopologyKind::dragonfly: return dragonfly(nodes);
        case TopologyKind::hyperx: break;
    }
    return fmt::format("kind: hyperx, dimensions: [{}], hosts: {}",
                       fmt::join(lattice(times_that_hold(kHosts, nodes)), ", "), kHosts);
}

}  // namespace

std::string_view name_of(TopologyKind kind) {
    switch (kind) {
        case TopologyKind::torus: return "torus";
        case TopologyKind::fat_tree: return "fat tree";
        case TopologyKind::dragonfly: return "dragonfly";
        case TopologyKind::hyperx: break;
    }
    return "HyperX";
}

std::string topology_for(TopologyKind kind, std::uint64_t nodes, Bandwidth bandwidth) {
    nodes = std::max<std::uint64_t>(nodes, 2);  // a network has at least two nodes
    return fmt::format("{{{}, bandwidth: {:.6g}MBps, latency: {}}}", rule(kind, nodes),
                       bandwidth.bytes_per_second / 1e6, kLatency);
}

}  // namespace warpfront::tools
