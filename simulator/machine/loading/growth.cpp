#include "simulator/machine/loading/growth.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/machine/placement/rules.hpp"
#include "simulator/machine/placement/torus_folding.hpp"

namespace warpfront::machine {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;

std::string shape_name(const std::vector<std::uint32_t>& dimensions) {
    return fmt::format("{}", fmt::join(dimensions, " x "));
}

/// Grows for an array with as many more rows as `hosts` hosts hold.
void grow_torus(TorusRoutes& torus, std::uint64_t hosts, const MachineRequest& request, Machine& machine,
                Diagnostics& faults) {
    const Placement& placement = machine.placement;
    const std::vector<std::uint32_t> original = torus.dimensions;
    Extents array = placement.node_array;
    const std::uint64_t on_rows = std::uint64_t{array.columns} * array.planes;
    array.rows = static_cast<std::uint32_t>((hosts + on_rows - 1) / on_rows);
    torus.dimensions = machine::grow(original, array);
    if (!check_node_count(hosts_of(torus.dimensions), request, faults)) return;
    machine.hosts = static_cast<std::uint32_t>(hosts_of(torus.dimensions));
    machine.notes.push_back(fmt::format("the torus {} of {} nodes was grown to {} of {} for {} nodes in use",
                                        shape_name(original), machine.hosts_before_growth, shape_name(torus.dimensions),
                                        machine.hosts, placement.nodes()));
}

void grow_star(StarRoutes& star, std::uint64_t hosts, Machine& machine) {
    star.hosts = machine.hosts = static_cast<std::uint32_t>(hosts);
    machine.notes.push_back(
        fmt::format("the cluster of {} nodes was grown to {}", machine.hosts_before_growth, machine.hosts));
}

/// Records the new size; false, and a fault, if its hosts are too many.
template <class Routes>
bool accept_size(const Routes& routes, const MachineRequest& request, Machine& machine, Diagnostics& faults) {
    if (!check_node_count(routes.hosts(), request, faults)) return false;
    machine.hosts = static_cast<std::uint32_t>(routes.hosts());
    return true;
}

/// Reports links that are too many to number.
void check_links(const RegularZone& zone, const HardwareFile& file, const MachineRequest& request,
                 Diagnostics& faults) {
    const double links = links_of(zone, cabling_of(zone, file.cabling(), file.nics));
    if (links <= std::numeric_limits<std::uint32_t>::max()) return;
    faults.add(DiagnosticKind::too_many_nodes, request.grid_range,
               fmt::format("a network for these ranks has {:.0f} links", links),
               fmt::format("expected at most {}", std::numeric_limits<std::uint32_t>::max()));
}

void grow_fat_tree(FatTreeRoutes& tree, std::uint64_t hosts, const MachineRequest& request, Machine& machine,
                   Diagnostics& faults) {
    const std::vector<std::uint32_t> original = tree.children;
    const std::uint64_t per_subtree = tree.hosts() / original.back();
    tree.children.back() = static_cast<std::uint32_t>((hosts + per_subtree - 1) / per_subtree);
    if (!accept_size(tree, request, machine, faults)) return;
    machine.notes.push_back(fmt::format("the fat tree {} of {} nodes was grown to {} of {}", shape_name(original),
                                        machine.hosts_before_growth, shape_name(tree.children), machine.hosts));
}

void grow_dragonfly(DragonflyRoutes& dragonfly, std::uint64_t hosts, const MachineRequest& request, Machine& machine,
                    Diagnostics& faults) {
    const auto shape = [&] {
        return fmt::format("{} groups x {} chassis x {} blades x {}", dragonfly.groups, dragonfly.chassis,
                           dragonfly.blades, dragonfly.nodes);
    };
    const auto needed = [&](std::uint64_t each) { return static_cast<std::uint32_t>((hosts + each - 1) / each); };
    const std::string original = shape();
    const std::uint64_t chassis_hosts = std::uint64_t{dragonfly.blades} * dragonfly.nodes;
    if (dragonfly.global == 0) {
        dragonfly.groups = std::min(dragonfly.blades, needed(chassis_hosts * dragonfly.chassis));
        dragonfly.chassis = std::max(dragonfly.chassis, needed(chassis_hosts * dragonfly.groups));
    }
    const auto most_groups = [&] { return dragonfly.blue_per_group() + 1; };
    while (dragonfly.global > 0 && chassis_hosts * dragonfly.chassis * most_groups() < hosts) ++dragonfly.chassis;
    if (dragonfly.global > 0) dragonfly.groups = needed(chassis_hosts * dragonfly.chassis);
    if (!accept_size(dragonfly, request, machine, faults)) return;
    machine.notes.push_back(fmt::format("the dragonfly {} of {} nodes was grown to {} of {}", original,
                                        machine.hosts_before_growth, shape(), machine.hosts));
}

void grow_hyperx(HyperXRoutes& it, std::uint64_t hosts, const MachineRequest& request, Machine& machine,
                 Diagnostics& faults) {
    const std::vector<std::uint32_t> original = it.dimensions;
    while (it.hosts() < hosts) {
        const auto shortest = std::min_element(it.dimensions.rbegin(), it.dimensions.rend());
        ++*shortest;
    }
    if (!accept_size(it, request, machine, faults)) return;
    machine.notes.push_back(fmt::format("the hyperx {} x {} of {} nodes was grown to {} x {} of {}",
                                        shape_name(original), it.hosts_each, machine.hosts_before_growth,
                                        shape_name(it.dimensions), it.hosts_each, machine.hosts));
}

void grow_random(GraphRoutes& graph, std::uint64_t hosts, const HardwareFile& file, const MachineRequest& request,
                 Machine& machine, Diagnostics& faults) {
    const auto [degree, seed] = *graph.drawn;
    const std::uint32_t original = graph.graph.switches();
    std::uint64_t switches = (hosts + graph.hosts_each - 1) / graph.hosts_each;
    if (degree % 2 == 1) switches += switches % 2;
    if (switches > kMostSwitches) {
        faults.add(DiagnosticKind::platform_limits, file.topology.range,
                   fmt::format("grown to {} switches, whose table of routes takes {} MiB", switches,
                               (switches * switches) >> 20),
                   fmt::format("expected at most {}, with more `hosts` on each", kMostSwitches));
        return;
    }
    auto drawn = random_regular(static_cast<std::uint32_t>(switches), degree, seed);
    if (!drawn) {
        faults.add(DiagnosticKind::bad_topology, file.topology.range,
                   fmt::format("no connected graph of {} switches was found", switches), "expected a larger degree");
        return;
    }
    graph.graph = std::move(*drawn);
    if (!accept_size(graph, request, machine, faults)) return;
    machine.notes.push_back(fmt::format("the random graph of {} switches and {} nodes was grown to {} and {}", original,
                                        machine.hosts_before_growth, switches, machine.hosts));
}

/// False if the zone cannot grow.
bool grow(RegularZone& zone, std::uint64_t hosts, const HardwareFile& file, const MachineRequest& request,
          Machine& machine, Diagnostics& faults) {
    if (auto* torus = std::get_if<TorusRoutes>(&zone)) {
        grow_torus(*torus, hosts, request, machine, faults);
    } else if (auto* star = std::get_if<StarRoutes>(&zone)) {
        grow_star(*star, hosts, machine);
    } else if (auto* tree = std::get_if<FatTreeRoutes>(&zone)) {
        grow_fat_tree(*tree, hosts, request, machine, faults);
    } else if (auto* dragonfly = std::get_if<DragonflyRoutes>(&zone)) {
        grow_dragonfly(*dragonfly, hosts, request, machine, faults);
    } else if (auto* hyperx = std::get_if<HyperXRoutes>(&zone)) {
        grow_hyperx(*hyperx, hosts, request, machine, faults);
    } else if (auto* graph = std::get_if<GraphRoutes>(&zone); graph != nullptr && graph->drawn) {
        grow_random(*graph, hosts, file, request, machine, faults);
    } else {
        return false;
    }
    return true;
}

}  // namespace

bool check_node_count(std::uint64_t nodes, const MachineRequest& request, Diagnostics& faults) {
    if (nodes <= kMostNodes) return true;
    faults.add(DiagnosticKind::too_many_nodes, request.grid_range, fmt::format("these ranks need {} nodes", nodes),
               fmt::format("expected at most {}", kMostNodes));
    return false;
}

bool fits(const Placement& placement, std::uint32_t hosts, const PlacementRequest& request) {
    return placement.nodes() <= count_free_hosts(hosts, request.fragmentation);
}

void grow_to_fit(const HardwareFile& file, const MachineRequest& request, Platform& platform, Machine& machine,
                 Diagnostics& faults) {
    const Placement& placement = machine.placement;
    if (fits(placement, machine.hosts, request.placement)) return;
    const std::uint64_t free = count_free_hosts(machine.hosts, request.placement.fragmentation);
    const std::string all = free < machine.hosts ? fmt::format(" free of {}", machine.hosts) : "";
    const std::string wanted = fmt::format("{} ranks in patches of {} need {} nodes", as_text(request.grid),
                                           as_text(request.patch), placement.nodes());
    const std::uint64_t hosts = hosts_needed(placement.nodes(), request.placement.fragmentation, kMostNodes);
    if (!file.fit.value) {
        faults.add(DiagnosticKind::too_few_hosts, request.grid_range,
                   fmt::format("{}, `{}` has {}{}", wanted, machine.name, free, all),
                   "expected fewer ranks, or `size: fit` in the hardware file");
    } else if (hosts > kMostNodes) {
        faults.add(DiagnosticKind::too_many_nodes, request.placement.range,
                   fmt::format("{} free nodes need more than {} in all", placement.nodes(), kMostNodes),
                   "expected fewer ranks, or a smaller share taken by others");
    } else if (!grow(platform.zone, hosts, file, request, machine, faults)) {
        faults.add(DiagnosticKind::cannot_grow, file.fit.range,
                   fmt::format("{}, this platform has {}{} and cannot grow", wanted, free, all),
                   "only a lone `cluster` of two hosts or more can, or a `topology` by rule");
    } else if (faults.empty()) {
        check_links(platform.zone, file, request, faults);
    }
}

}  // namespace warpfront::machine
