#include "simulator/machine/loading/steps.hpp"

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

std::string shape_name(const std::vector<std::uint32_t>& dimensions) {
    return fmt::format("{}", fmt::join(dimensions, " x "));
}

/// Reports too many links.
void check_links(const Zone& zone, const HardwareFile& file, const RankRequest& request, Diagnostics& faults) {
    const double links = links_of(zone, cabling_of(zone, file.cabling(), file.nics));
    if (links <= std::numeric_limits<std::uint32_t>::max()) return;
    faults.add(DiagnosticKind::too_many_nodes, request.grid_range,
               fmt::format("a network that is large enough for these ranks has {:.0f} links", links),
               fmt::format("expected at most {}", std::numeric_limits<std::uint32_t>::max()));
}

/// A visitor that grows a zone to at least `hosts` hosts. It returns false if the zone cannot grow.
struct ZoneGrowth {
    std::uint64_t hosts = 0;
    const HardwareFile& file;
    const RankRequest& request;
    Machine& machine;
    Diagnostics& faults;

    bool operator()(const TableRoutes&) const { return false; }

    /// Grows the torus by adding rows to its process grid, as many as fit on `hosts` hosts.
    bool operator()(TorusRoutes& torus) const {
        const Placement& placement = machine.placement;
        const std::vector<std::uint32_t> original = torus.dimensions;
        Extents array = placement.node_array;
        const std::uint64_t on_rows = std::uint64_t{array.columns} * array.planes;
        array.rows = static_cast<std::uint32_t>((hosts + on_rows - 1) / on_rows);
        torus.dimensions = grow(original, array);
        if (!accept(hosts_of(torus.dimensions))) return true;
        machine.notes.push_back(fmt::format("the torus {} of {} nodes was grown to {} of {} for {} nodes in use",
                                            shape_name(original), machine.hosts_before_growth,
                                            shape_name(torus.dimensions), machine.hosts, placement.nodes()));
        return true;
    }

    bool operator()(StarRoutes& star) const {
        star.hosts = machine.hosts = static_cast<std::uint32_t>(hosts);
        machine.notes.push_back(
            fmt::format("the cluster of {} nodes was grown to {}", machine.hosts_before_growth, machine.hosts));
        return true;
    }

    bool operator()(FatTreeRoutes& tree) const {
        const std::vector<std::uint32_t> original = tree.children;
        const std::uint64_t per_subtree = tree.hosts() / original.back();
        tree.children.back() = static_cast<std::uint32_t>((hosts + per_subtree - 1) / per_subtree);
        if (!accept(tree.hosts())) return true;
        machine.notes.push_back(fmt::format("the fat tree {} of {} nodes was grown to {} of {}", shape_name(original),
                                            machine.hosts_before_growth, shape_name(tree.children), machine.hosts));
        return true;
    }

    bool operator()(DragonflyRoutes& dragonfly) const {
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
        if (!accept(dragonfly.hosts())) return true;
        machine.notes.push_back(fmt::format("the dragonfly {} of {} nodes was grown to {} of {}", original,
                                            machine.hosts_before_growth, shape(), machine.hosts));
        return true;
    }

    bool operator()(HyperXRoutes& it) const {
        const std::vector<std::uint32_t> original = it.dimensions;
        while (it.hosts() < hosts) {
            const auto shortest = std::min_element(it.dimensions.rbegin(), it.dimensions.rend());
            ++*shortest;
        }
        if (!accept(it.hosts())) return true;
        machine.notes.push_back(fmt::format("the hyperx {} x {} of {} nodes was grown to {} x {} of {}",
                                            shape_name(original), it.hosts_each, machine.hosts_before_growth,
                                            shape_name(it.dimensions), it.hosts_each, machine.hosts));
        return true;
    }

    bool operator()(GraphRoutes& graph) const {
        if (!graph.drawn) return false;
        const auto [degree, seed] = *graph.drawn;
        const std::uint32_t original = graph.graph.switches();
        std::uint64_t switches = (hosts + graph.hosts_each - 1) / graph.hosts_each;
        if (degree % 2 == 1) switches += switches % 2;
        if (switches > kMostSwitches) {
            faults.add(
                DiagnosticKind::platform_limits, file.topology.range,
                fmt::format("the random graph would have to grow to {} switches, whose table of routes takes {} MiB",
                            switches, (switches * switches) >> 20),
                fmt::format("expected at most {} switches, with more `hosts` on each", kMostSwitches));
            return true;
        }
        auto drawn = random_regular(static_cast<std::uint32_t>(switches), degree, seed);
        if (!drawn) {
            faults.add(DiagnosticKind::bad_topology, file.topology.range,
                       fmt::format("no connected graph of {} switches was found", switches),
                       "expected a larger degree");
            return true;
        }
        graph.graph = std::move(*drawn);
        if (!accept(graph.hosts())) return true;
        machine.notes.push_back(fmt::format("the random graph of {} switches and {} nodes was grown to {} and {}",
                                            original, machine.hosts_before_growth, switches, machine.hosts));
        return true;
    }

private:
    /// Accepts the new size. Adds an error and returns false if it has too many hosts.
    bool accept(std::uint64_t size) const {
        if (!check_node_count(size, request, faults)) return false;
        machine.hosts = static_cast<std::uint32_t>(size);
        return true;
    }
};

}  // namespace

bool check_node_count(std::uint64_t nodes, const RankRequest& request, Diagnostics& faults) {
    if (nodes <= kMostNodes) return true;
    faults.add(DiagnosticKind::too_many_nodes, request.grid_range, fmt::format("these ranks need {} nodes", nodes),
               fmt::format("expected at most {}", kMostNodes));
    return false;
}

void grow_to_fit(const HardwareFile& file, const RankRequest& request, Platform& platform, Machine& machine,
                 Diagnostics& faults) {
    const Placement& placement = machine.placement;
    const std::uint64_t free = count_free_hosts(machine.hosts, request.placement.fragmentation);
    if (placement.nodes() <= free) return;
    const std::string all = free < machine.hosts ? fmt::format(" free of {}", machine.hosts) : "";
    const std::string patches =
        placement.seats.empty() ? fmt::format(" in patches of {}", as_text(request.patch)) : std::string();
    const std::string wanted = !request.needs.empty() ? request.needs
                                                      : fmt::format("{} ranks{} need {} nodes", as_text(request.grid),
                                                                    patches, placement.nodes());
    const std::uint64_t hosts = hosts_needed(placement.nodes(), request.placement.fragmentation, kMostNodes);
    if (!file.fit.value) {
        faults.add(DiagnosticKind::too_few_hosts, request.grid_range,
                   fmt::format("{}, but `{}` has {}{}", wanted, machine.name, free, all),
                   "expected fewer ranks, or `size: fit` in the hardware file");
    } else if (hosts > kMostNodes) {
        faults.add(DiagnosticKind::too_many_nodes, request.placement.range,
                   fmt::format("a machine with {} free nodes has more than {} nodes, which is the limit",
                               placement.nodes(), kMostNodes),
                   "expected fewer ranks, or a smaller `fragmentation`");
    } else if (!std::visit(ZoneGrowth{hosts, file, request, machine, faults}, platform.zone)) {
        faults.add(
            DiagnosticKind::cannot_grow, file.fit.range,
            fmt::format("{}, but this platform has {}{} and cannot grow", wanted, free, all),
            "expected a platform of one `<cluster>` with at least two hosts, or a `topology` other than `graph`");
    } else if (faults.empty()) {
        check_links(platform.zone, file, request, faults);
    }
}

}  // namespace warpfront::machine
