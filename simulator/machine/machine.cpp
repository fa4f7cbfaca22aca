#include "simulator/machine/machine.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/machine/hardware_file.hpp"
#include "simulator/machine/platform.hpp"
#include "simulator/machine/torus.hpp"

namespace warpfront::machine {

namespace {

using input::FaultKind;
using input::Faults;

/// 64 million nodes: 64 times the largest machine this is made for, and 256 MiB of placement.
constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 26;

// --- hardware file and platform together -----------------------------------------------------------------------------

struct Shipped {
    HardwareFile file;
    input::SourcePtr xml;               // none where it could not be read
    std::optional<Platform> platform;   // none where it has faults
};

void check_layers(const HardwareFile& file, const Platform& platform, Faults& faults) {
    const std::uint32_t chips = file.chips.value;
    if (platform.cores % chips != 0) {
        faults.add(FaultKind::uneven_chips, file.chips.place,
                   fmt::format("{} cores cannot be shared out over {} chips", platform.cores, chips),
                   "expected a divisor of the cores of a host");
        return;
    }
    const auto demand = [&](Layer layer, bool needed, const std::string& why) {
        if (!needed || file.described[static_cast<std::size_t>(layer)]) return;
        faults.add(FaultKind::missing_key, file.layers_place, fmt::format("`layers` has no `{}`", layer_name(layer)),
                   why);
    };
    demand(Layer::chip, platform.cores > chips, fmt::format("a chip has {} cores", platform.cores / chips));
    demand(Layer::node, chips > 1, fmt::format("a node has {} chips", chips));
    demand(Layer::network, true, "expected the costs of messages between nodes");
}

Shipped read_shipped(const std::filesystem::path& path, const input::Place& mentioned_at, const PairsWanted& wanted,
                     Faults& faults) {
    Shipped shipped;
    shipped.file = read_hardware_file(path, mentioned_at, faults);
    if (shipped.file.platform.value.empty()) return shipped;
    try {
        shipped.xml = input::read_file(shipped.file.platform.value, shipped.file.platform.place);
    } catch (const input::BadInput& unreadable) {
        faults.add(unreadable.faults());
        return shipped;
    }
    shipped.platform = load_platform(shipped.xml, wanted, faults);
    if (shipped.platform) check_layers(shipped.file, *shipped.platform, faults);
    return shipped;
}

// --- size ------------------------------------------------------------------------------------------------------------

std::string shape_name(const std::vector<std::uint32_t>& dimensions) {
    return fmt::format("{}", fmt::join(dimensions, " x "));
}

/// False where the ranks need more nodes than node numbers are made for.
bool countable(std::uint64_t nodes, const Request& request, Faults& faults) {
    if (nodes <= kMostNodes) return true;
    faults.add(FaultKind::too_many_nodes, request.grid_place, fmt::format("these ranks need {} nodes", nodes),
               fmt::format("expected at most {}", kMostNodes));
    return false;
}

void grow_torus(TorusRoutes& torus, const Request& request, Machine& machine, Faults& faults) {
    const Placement& placement = machine.placement;
    const std::vector<std::uint32_t> shipped = std::move(torus.dimensions);
    torus.dimensions = grow(shipped, placement.node_columns, placement.node_rows);
    if (!countable(hosts_of(torus.dimensions), request, faults)) return;
    machine.hosts = static_cast<std::uint32_t>(hosts_of(torus.dimensions));
    machine.notes.push_back(fmt::format("the torus {} of {} nodes was grown to {} of {} for {} nodes in use",
                                        shape_name(shipped), machine.hosts_as_shipped, shape_name(torus.dimensions),
                                        machine.hosts, placement.nodes()));
}

void grow_star(const Placement& placement, Machine& machine) {
    machine.hosts = placement.nodes();
    machine.notes.push_back(
        fmt::format("the cluster of {} nodes was grown to {}", machine.hosts_as_shipped, machine.hosts));
}

/// Makes room for the placement's nodes, or says why not.
void make_room(const Shipped& shipped, const Request& request, Platform& platform, Machine& machine, Faults& faults) {
    const Placement& placement = machine.placement;
    if (placement.nodes() <= machine.hosts) return;
    const std::string wanted = fmt::format("{} x {} ranks in patches of {} x {} need {} nodes", request.grid.columns,
                                           request.grid.rows, request.patch.columns, request.patch.rows,
                                           placement.nodes());
    if (!shipped.file.fit.value) {
        faults.add(FaultKind::too_few_hosts, request.grid_place,
                   fmt::format("{}, `{}` has {}", wanted, machine.name, machine.hosts),
                   "expected fewer ranks, or `size: fit` in the hardware file");
    } else if (auto* torus = std::get_if<TorusRoutes>(&platform.zone)) {
        grow_torus(*torus, request, machine, faults);
    } else if (std::holds_alternative<StarRoutes>(platform.zone)) {
        grow_star(placement, machine);
    } else {
        faults.add(FaultKind::cannot_grow, shipped.file.fit.place,
                   fmt::format("{}, this platform has {} and cannot grow", wanted, machine.hosts),
                   "only a lone torus or flat `cluster` of two hosts or more can");
    }
}

void check_request(const Request& request, const Platform& platform, Faults& faults) {
    const std::uint64_t ranks = std::uint64_t{request.patch.columns} * request.patch.rows;
    if (ranks > platform.cores) {
        faults.add(FaultKind::patch_too_large, request.patch_place,
                   fmt::format("a patch of {} x {} ranks needs {} cores, a node has {}", request.patch.columns,
                               request.patch.rows, ranks, platform.cores));
    }
}

// --- routes ----------------------------------------------------------------------------------------------------------

/// Of an irregular platform, the hosts of all ranks that may exchange messages; patch k stands on host k.
std::vector<HostPair> pairs_to_route(const Request& request, const Placement& placement, const Platform& platform) {
    std::vector<HostPair> pairs;
    if (!std::holds_alternative<Irregular>(platform.zone) || placement.nodes() > platform.hosts) return pairs;
    if (!request.pairs) return pairs;
    request.pairs([&](Rank from, Rank to) {
        const HostPair pair{placement.node_of(from), placement.node_of(to)};
        if (pair.from != pair.to) pairs.push_back(pair);
    });
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

/// A torus' longest route may be longer than a cost may be.
void check_diameter(const TorusRoutes& torus, const input::SourcePtr& xml, Faults& faults) {
    std::uint64_t diameter = 0;
    for (const std::uint32_t length : torus.dimensions) diameter += length / 2;
    if (Wide{torus.link_latency.ps} * static_cast<Wide>(diameter) <= kLongestCost.ps) return;
    faults.add(FaultKind::cost_too_large, {xml, 0, 0},
               fmt::format("{} links of {} s each are one route", diameter, seconds(torus.link_latency)),
               fmt::format("expected at most {} s", seconds(kLongestCost)));
}

void lay_out(const Request& request, Platform platform, Machine& machine) {
    Placement& placement = machine.placement;
    if (const auto* torus = std::get_if<TorusRoutes>(&platform.zone); torus && request.rule == PlacementRule::block) {
        placement.host_of = fold(placement.node_columns, placement.node_rows, torus->dimensions);
    } else {
        placement.host_of.resize(placement.nodes());
        for (std::uint32_t k = 0; k < placement.nodes(); ++k) placement.host_of[k] = k;
    }
    if (auto* torus = std::get_if<TorusRoutes>(&platform.zone)) {
        machine.routes.zone = std::move(*torus);
    } else if (const auto* star = std::get_if<StarRoutes>(&platform.zone)) {
        machine.routes.zone = *star;
    } else {
        TableRoutes table;
        for (std::size_t k = 0; k < platform.pairs.size(); ++k) {
            table.add(platform.pairs[k].from, platform.pairs[k].to, platform.routes[k]);
        }
        machine.routes.zone = std::move(table);
    }
}

void add_notes(const Platform& platform, const Request& request, Machine& machine) {
    for (const std::string& warning : platform.warnings) machine.notes.push_back("simgrid warns: " + warning);
    if (request.grid.columns % request.patch.columns != 0 || request.grid.rows % request.patch.rows != 0) {
        machine.notes.push_back(fmt::format("patches of {} x {} do not divide {} x {} ranks: those at the end are cut",
                                            request.patch.columns, request.patch.rows, request.grid.columns,
                                            request.grid.rows));
    }
}

Machine describe(const HardwareFile& file, const Platform& platform, const Request& request) {
    Machine machine;
    machine.name = file.name;
    machine.hosts = machine.hosts_as_shipped = platform.hosts;
    machine.cores = platform.cores;
    machine.chips = file.chips.value;
    machine.layers = file.layers;
    machine.bus = file.bus;
    machine.routes.links_in_L = file.links_in_L;
    machine.placement = cut(request.grid, request.patch);
    return machine;
}

}  // namespace

Layer Machine::layer(Rank a, Rank b) const {
    if (placement.node_of(a) != placement.node_of(b)) return Layer::network;
    const std::uint32_t per_chip = cores / chips;
    return placement.core_of(a) / per_chip == placement.core_of(b) / per_chip ? Layer::chip : Layer::node;
}

Time Machine::beyond_L(Rank a, Rank b) const {
    const Node from{placement.host_of[placement.node_of(a).index]};
    const Node to{placement.host_of[placement.node_of(b).index]};
    return routes.beyond_L(from, to);
}

Built build(const Request& request) {
    assert(request.grid.columns > 0 && request.grid.rows > 0 && request.patch.columns > 0 && request.patch.rows > 0);
    Faults faults;
    const Placement placement = cut(request.grid, request.patch);
    const bool possible = countable(std::uint64_t{placement.node_columns} * placement.node_rows, request, faults);
    const PairsWanted wanted = [&](const Platform& platform) {
        return possible ? pairs_to_route(request, placement, platform) : std::vector<HostPair>{};
    };
    const Shipped shipped = read_shipped(request.hardware_file, request.mentioned_at, wanted, faults);
    if (shipped.platform) check_request(request, *shipped.platform, faults);
    if (!possible || !shipped.platform) {
        faults.raise();
    }

    Platform platform = *shipped.platform;
    Machine machine = describe(shipped.file, platform, request);
    make_room(shipped, request, platform, machine, faults);
    if (const auto* torus = std::get_if<TorusRoutes>(&platform.zone)) check_diameter(*torus, shipped.xml, faults);
    faults.raise();
    add_notes(platform, request, machine);
    lay_out(request, std::move(platform), machine);
    return {std::move(machine), {shipped.file.source, shipped.xml}};
}

void check(const std::filesystem::path& hardware_file) {
    Faults faults;
    const PairsWanted none = [](const Platform&) { return std::vector<HostPair>{}; };
    const Shipped shipped = read_shipped(hardware_file, {}, none, faults);
    if (shipped.platform) {
        if (const auto* torus = std::get_if<TorusRoutes>(&shipped.platform->zone)) {
            check_diameter(*torus, shipped.xml, faults);
        }
    }
    faults.raise();
}

}  // namespace warpfront::machine
