#include "simulator/machine/loading/build.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "simulator/input/words.hpp"
#include "simulator/machine/loading/hardware_layers.hpp"
#include "simulator/machine/loading/steps.hpp"
#include "simulator/machine/loading/xml_elements.hpp"
#include "simulator/machine/loading/xml_meanings.hpp"
#include "simulator/machine/placement/cores.hpp"
#include "simulator/machine/placement/rules.hpp"
#include "simulator/machine/topology_metrics.hpp"
#include "simulator/machine/wires.hpp"

namespace warpfront::machine {

namespace {

// --- hardware file and platform together -----------------------------------------------------------------------------

std::uint32_t cores_of(const HardwareFile& file, const Platform& platform) {
    return file.cores.value_or(platform.cores);
}

void check_node(const HardwareFile& file, const Platform& platform, Diagnostics& faults) {
    const std::uint32_t cores = cores_of(file, platform);
    if (check_counts(file, cores, faults)) check_layers(file, cores, faults);
}

void append(std::vector<std::string>& notes, const std::vector<std::string>& more) {
    notes.insert(notes.end(), more.begin(), more.end());
}

void load_platform(Hardware& hardware) {
    const HardwareFile& file = hardware.file;
    if (file.platform.value.empty()) return;
    try {
        hardware.sources.push_back(hardware.files->read(file.platform.value, file.platform.range));
    } catch (const BadInput& unreadable) {
        hardware.faults.add(unreadable.diagnostics());
        return;
    }
    const SourceFilePtr& source = hardware.sources.back();
    hardware.network = {source, 0, 0};
    hardware.loader.emplace(source, LoadingOptions{file.link_overrides});
    hardware.platform = load_once(*hardware.loader, source, file.link_overrides, hardware.faults);
    if (!hardware.platform) return;
    const PlatformXml xml(source);
    append(hardware.platform->notes, notes_on(xml, XmlEffect::different));
    const bool like_smpi = file.layers.back().like.has_value();
    append(hardware.platform->notes, config_notes(xml, XmlEffect::different, like_smpi));
    if (like_smpi) use_smpi_costs(xml, *hardware.platform, *hardware.loader, hardware.file, hardware.faults);
}

void use_topology(Hardware& hardware) {
    const HardwareFile& file = hardware.file;
    hardware.network = file.topology.range;
    hardware.sources = file.topology.value->sources;
    Platform platform;
    platform.hosts = static_cast<std::uint32_t>(hosts_of(file.topology.value->zone));
    platform.cores = platform.most_cores = file.cores.value_or(1);
    platform.zone = file.topology.value->zone;
    hardware.platform = std::move(platform);
}

/// Loads the network and checks the file with it. Does nothing if the network is already loaded or has errors.
void load_network(Hardware& hardware) {
    if (hardware.platform || hardware.loader) return;
    if (hardware.file.topology.value) {
        use_topology(hardware);
    } else {
        load_platform(hardware);
    }
    if (!hardware.platform) return;
    check_node(hardware.file, *hardware.platform, hardware.faults);
    use_disks(hardware.platform->disks, hardware.xml(), hardware.file, hardware.faults);
}

/// Returns the request in which the patch determines the placement, if the ranks of each node form a patch.
RankRequest in_patches(RankRequest request) {
    const std::optional<Distribution>& distribution = request.placement.distribution;
    if (!distribution) return request;
    const std::optional<Patch> patch = patch_of(*distribution, request.grid);
    if (!patch) return request;
    request.patch = *patch;
    request.patch_range = distribution->range;
    request.cores.fill = distribution->cores;
    request.placement.distribution.reset();
    return request;
}

bool has_seats(const RankRequest& request) {
    return request.placement.distribution || !request.placement.listed.empty();
}

/// Returns the node of each rank. Cores and hosts are not set yet, except the hosts of listed ranks.
Placement nodes_of(const RankRequest& request, Diagnostics& faults) {
    if (!request.placement.listed.empty()) return seat(request.grid, request.placement.listed, faults);
    if (request.placement.distribution) return deal(request.grid, *request.placement.distribution);
    return cut(request.grid, request.patch);
}

/// Assigns cores to the ranks of `placement`.
void place_on_cores(const RankRequest& request, const NodeCores& node, Placement& placement, Diagnostics& faults) {
    if (!request.placement.listed.empty()) {
        seat_on_cores(request.placement.listed, node, placement, faults);
    } else if (request.placement.distribution) {
        seat_on_cores(*request.placement.distribution, node, placement, faults);
        // if the patch does not fit, check_request has already reported it
    } else if (request.patch.count() <= node.count) {
        placement.cores = cores_of(request.patch, request.cores, node);
    }
}

void check_request(const RankRequest& request, std::uint32_t cores, Diagnostics& faults) {
    if (has_seats(request)) return;
    const std::uint64_t ranks = request.patch.count();
    if (ranks > cores) {
        faults.add(
            DiagnosticKind::patch_too_large, request.patch_range,
            fmt::format("a patch of {} ranks needs {} cores, but a node has {}", as_text(request.patch), ranks, cores),
            "expected a smaller patch, or a larger `cores` of the machine");
    }
    for (const CoreRequest::Listed& listed : request.cores.listed) {
        if (listed.core < cores) continue;
        faults.add(DiagnosticKind::out_of_range, listed.range, fmt::format("a node has no core {}", listed.core),
                   fmt::format("expected a core from 0 to {}, or a larger `cores` of the machine", cores - 1));
        return;
    }
}

// --- the hosts of the requested nodes, by the scenario's rule or its rank file ---------------------------------------

/// Reads the rank file. Returns nothing if none is requested or if it has errors. Errors are added to `faults`.
std::optional<RankFile> rank_file_of(const RankRequest& request, input::FilesReadOnce& files, Diagnostics& faults) {
    if (request.placement.rule != PlacementRule::file) return std::nullopt;
    try {
        return read_rank_file(files.read(request.placement.rank_file, request.placement.range));
    } catch (const BadInput& bad) {
        faults.add(bad.diagnostics());
        return std::nullopt;
    }
}

/// Returns the host of each node. `listed` is the checked rank file, if there is one. The platform must have enough
/// free hosts.
NodeHosts place_nodes(const RankRequest& request, const Placement& placement, std::uint32_t hosts,
                      const Platform& platform, const std::optional<RankFile>& listed) {
    if (listed) return {listed->host_of, 0};
    if (!request.placement.listed.empty()) return {placement.host_of, 0};
    const auto* torus = std::get_if<TorusRoutes>(&platform.zone);
    if (torus == nullptr) return allocate_hosts(placement, request.placement, hosts, {});
    return allocate_hosts(placement, request.placement, hosts, torus->dimensions);
}

/// Returns each pair of hosts between which ranks may exchange messages once, in ascending order. `placement` must have
/// its hosts.
std::vector<HostPair> pairs_to_route(const RankRequest& request, const Placement& placement) {
    std::vector<HostPair> pairs;
    if (!request.pairs) return pairs;
    request.pairs([&](Rank from, Rank to) {
        const Node a = placement.node_of(from);
        const Node b = placement.node_of(to);
        if (a != b) pairs.push_back({placement.host_of[a.index], placement.host_of[b.index]});
    });
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

/// Notes the placement rule, the hosts that other jobs occupy, and the nodes that moved to other hosts because of these
/// jobs.
void add_placement_notes(const RankRequest& request, std::uint32_t displaced, Machine& machine) {
    const PlacementRequest& wanted = request.placement;
    const std::uint64_t taken = machine.hosts - count_free_hosts(machine.hosts, wanted.fragmentation);
    if (wanted.rule == PlacementRule::random) {
        machine.notes.push_back(
            fmt::format("the nodes are placed on hosts in a random order (seed {})", wanted.seed.value));
    }
    if (wanted.rule == PlacementRule::file) {
        machine.notes.push_back(
            fmt::format("the nodes are placed on the hosts that `{}` lists", wanted.rank_file.string()));
    }
    if (taken > 0) {
        machine.notes.push_back(fmt::format("other jobs occupy {} of {} hosts (fragmentation {}, seed {})", taken,
                                            machine.hosts, wanted.fragmentation.of_one, wanted.seed.value));
    }
    if (displaced > 0) {
        machine.notes.push_back(fmt::format("{} of {} nodes were moved from a host that other jobs occupy", displaced,
                                            machine.placement.nodes()));
    }
}

// --- routes ----------------------------------------------------------------------------------------------------------

/// Computes the routes of a graph. The graph must have its final size.
void find_routes(Zone& zone) {
    if (auto* graph = std::get_if<GraphRoutes>(&zone)) graph->find_routes();
}

/// Reports a regular zone whose longest route exceeds the longest cost. Routes over an intermediate switch count too.
void check_diameter(const HardwareFile& file, const Zone& zone, const SourceRange& range, Diagnostics& faults) {
    LongestRoute longest = longest_route(zone);
    if (file.topology.value && file.topology.value->routing != Routing::minimal) longest.links *= 2;
    if (Wide{longest.link_latency.ps} * static_cast<Wide>(longest.links) <= kLongestCost.ps) return;
    faults.add(DiagnosticKind::cost_too_large, range,
               fmt::format("the longest route has {} links of {} s each", longest.links, seconds(longest.link_latency)),
               fmt::format("expected a route of at most {} s", seconds(kLongestCost)));
}

/// Returns the routes. A regular zone has a rule for them. In an irregular platform, SimGrid finds the routes between
/// `pairs`.
Routes routes_of(Hardware& hardware, Zone zone, const std::vector<HostPair>& pairs, Diagnostics& faults) {
    Routes routes;
    routes.links_in_L = hardware.file.links_in_L;
    if (hardware.file.topology.value) routes.routing = hardware.file.topology.value->routing;
    routes.cabling = cabling_of(zone, hardware.file.cabling(), hardware.file.nics);
    add_ends(zone, routes.cabling);
    if (is_irregular(zone)) zone = hardware.loader->route(pairs, faults).value_or(TableRoutes{});
    routes.zone = std::move(zone);
    return routes;
}

/// Sets the slowest wire of each row from the routes. Reports a message whose time on a wire is too long.
void limit_messages(const RankRequest& request, const SourceRange& network, Machine& machine, Diagnostics& faults) {
    limit_by_wires(request.pairs, request.sizes, machine);
    const Gap gap = machine.slowest_wire.gap;
    if (request.sizes.empty() || cost_of(request.sizes.front(), gap)) return;
    faults.add(DiagnosticKind::cost_too_large, network,
               fmt::format("a message of {} B takes {:.6g} s over {}", request.sizes.front().count,
                           static_cast<double>(request.sizes.front().count) * gap.seconds_per_byte,
                           wire_name(machine, machine.slowest_wire)),
               fmt::format("expected at most {} s", seconds(kLongestCost)));
}

/// Returns the longest latency of links that L includes. `pairs` are the pairs of ranks on different nodes.
Time longest_latency_in_L(const PairVisitor& pairs, const Machine& machine) {
    Time longest;
    pairs([&](Rank from, Rank to) {
        if (machine.locality(from, to) != machine.network()) return;
        longest = std::max(longest, machine.routes.latency_in_L(machine.nic_of(from), machine.nic_of(to)));
    });
    return longest;
}

/// Notes messages that take less time than the latency of the links that `L` includes. Without `pairs`, messages
/// between all hosts are examined.
void add_latency_note(const HardwareFile& file, const PairVisitor& pairs, const std::vector<Bytes>& sizes,
                      Machine& machine) {
    const Profile& rows = machine.profile(machine.network());
    if (file.layers.back().like || machine.hosts < 2 || rows.empty()) return;
    Time least = kLongestCost;
    const auto take = [&](const ProfileRow& row) { least = std::min(least, row.o_send + row.L + row.o_recv); };
    if (sizes.empty()) std::ranges::for_each(rows, take);
    for (const Bytes size : sizes) take(row_for(rows, size));
    Time in_L = machine.routes.longest_latency_in_L(machine.hosts);
    if (in_L > least && pairs) in_L = longest_latency_in_L(pairs, machine);
    if (in_L <= least) return;
    machine.notes.push_back(fmt::format(
        "a message of `layers.network` can take only {:.6g}us, but the links that `L` includes (`links_in_L: {}`) "
        "have a latency of {:.6g}us: a change of this latency has no effect",
        seconds(least) * 1e6, file.links_in_L, seconds(in_L) * 1e6));
}

// --- the machine -----------------------------------------------------------------------------------------------------

void add_notes(const HardwareFile& file, const Platform& platform, Machine& machine) {
    append(machine.notes, file.notes);
    append(machine.notes, platform.notes);
    if (machine.cores != platform.cores) {
        machine.notes.push_back(fmt::format("a node has {}, which the hardware file states; the platform states {}",
                                            input::counted(machine.cores, "core"), platform.cores));
    } else if (platform.most_cores != platform.cores) {
        machine.notes.push_back(fmt::format("the hosts have {} to {} cores, and {} of each are used", platform.cores,
                                            platform.most_cores, platform.cores));
    }
}

/// Notes square groups of cores that have no effect: no group contains a block of the patch, although some groups have
/// several ranks.
void add_core_order_note(const RankRequest& request, Machine& machine) {
    const NodeCores node = node_cores(machine);
    const bool spread = request.cores.fill == NodeFill::spread;
    const std::uint32_t alone = spread ? node.square_groups : node.count / node.square_groups;
    if (node.square_groups == 1 || !request.cores.listed.empty() || request.patch.ranks() <= alone) return;
    if (block_of(request.patch, request.cores.fill, node).ranks() > 1) return;
    machine.notes.push_back(
        fmt::format("`core_order: squares` has the effect of `rows`: the ranks of a patch of {} cannot be divided "
                    "into a block for each of {} groups of cores",
                    as_text(request.patch), node.square_groups));
}

/// Notes that ranks spread over a node have the same cores as ranks that fill the node in order.
void add_fill_note(const RankRequest& request, bool is_dealt, Machine& machine) {
    if (request.cores.fill == NodeFill::pack) return;
    if (cores_of(request.patch, {}, node_cores(machine)) != machine.placement.cores) return;
    machine.notes.push_back(fmt::format("{} has no effect: with `{}`, ranks have the same cores",
                                        is_dealt ? "`cyclic` within a node" : "`node.fill: spread`",
                                        is_dealt ? "block" : "pack"));
}

void add_patch_note(const RankRequest& request, Machine& machine) {
    if (has_seats(request)) return;
    const bool divided = request.grid.columns % request.patch.columns == 0 &&
                         request.grid.rows % request.patch.rows == 0 && request.grid.planes % request.patch.planes == 0;
    if (!divided) {
        machine.notes.push_back(
            fmt::format("patches of {} do not divide the process grid of {}: the last patches are smaller",
                        as_text(request.patch), as_text(request.grid)));
    }
}

/// Returns the numbers of parts, buses, NICs and memories per node that are above 1, whether enabled or not. Each
/// divides the cores.
std::vector<std::uint32_t> divisions_of(const HardwareFile& file, std::uint32_t cores) {
    std::set<std::uint32_t> numbers;
    for (const NodeResource& each : file.node_resources) numbers.insert(each.count.value);
    for (const Located<NodeParts>& kind : file.parts) numbers.insert(kind.value.count);
    std::erase_if(numbers, [&](std::uint32_t number) { return number == 1 || cores % number != 0; });
    return {numbers.begin(), numbers.end()};
}

/// Returns the machine without its ranks and routes.
Machine machine_of(const HardwareFile& file, const Platform& platform) {
    Machine machine;
    machine.name = file.name;
    machine.hosts = machine.hosts_before_growth = platform.hosts;
    machine.cores = cores_of(file, platform);
    machine.parts.clear();
    for (const Located<NodeParts>& kind : file.parts) machine.parts.push_back(kind.value);
    machine.profiles.clear();
    for (const Layer& layer : file.layers) machine.profiles.push_back(layer.profile);
    machine.like_smpi = file.layers.back().like.has_value();
    static_cast<Devices&>(machine) = file;
    machine.divisions = divisions_of(file, machine.cores);
    if (file.square_groups) machine.square_groups = file.groups.value;
    return machine;
}

/// Loads the network of the hardware. Throws BadInput with all errors.
void load_without_ranks(Hardware& hardware) {
    load_network(hardware);
    Diagnostics faults = hardware.faults;
    if (faults.empty()) find_routes(hardware.platform->zone);
    if (hardware.platform) check_diameter(hardware.file, hardware.platform->zone, hardware.network, faults);
    faults.raise();
}

Machine machine_without_ranks(Hardware& hardware, Diagnostics& faults) {
    Machine machine = machine_of(hardware.file, *hardware.platform);
    machine.placement = cut({1, 1}, {1, 1});
    add_notes(hardware.file, *hardware.platform, machine);
    const bool pairs_all = is_irregular(hardware.platform->zone) && hardware.platform->hosts <= kMostHostsPaired;
    const std::vector<HostPair> pairs = pairs_all ? host_pairs(hardware.platform->hosts) : std::vector<HostPair>{};
    machine.routes = routes_of(hardware, hardware.platform->zone, pairs, faults);
    limit_by_wires(nullptr, {}, machine);
    add_latency_note(hardware.file, nullptr, {}, machine);
    return machine;
}

}  // namespace

Hardware::Hardware(const HardwareTree& tree, const HardwareOverrides& overrides)
    : files(tree.files), file(read_hardware_file(tree, faults, overrides)) {}

BuiltMachine place(Hardware& hardware, const RankRequest& given) {
    assert(given.grid.count() > 0 && given.patch.count() > 0);
    const RankRequest request = in_patches(given);
    Diagnostics faults;
    Placement placement = nodes_of(request, faults);
    const bool possible = check_node_count(placement.node_array.count(), request, faults) && faults.empty();
    const std::optional<RankFile> listed = rank_file_of(request, *hardware.files, faults);
    load_network(hardware);
    faults.add(hardware.faults);
    if (hardware.platform) check_request(request, cores_of(hardware.file, *hardware.platform), faults);
    if (!possible || !hardware.platform) faults.raise();

    Platform platform = *hardware.platform;
    Machine machine = machine_of(hardware.file, platform);
    place_on_cores(request, node_cores(machine), placement, faults);
    machine.placement = std::move(placement);
    grow_to_fit(hardware.file, request, platform, machine, faults);
    check_messages(hardware.file, machine, request, faults);
    if (faults.empty()) find_routes(platform.zone);
    check_diameter(hardware.file, platform.zone, hardware.network, faults);
    if (listed && faults.empty()) check_rank_file(*listed, machine.placement.nodes(), machine.hosts, faults);
    if (faults.empty()) check_hosts(request.placement.listed, machine.hosts, faults);
    faults.raise();

    NodeHosts hosts = place_nodes(request, machine.placement, machine.hosts, platform, listed);
    machine.placement.host_of = std::move(hosts.host_of);
    add_notes(hardware.file, platform, machine);
    add_patch_note(request, machine);
    add_core_order_note(request, machine);
    add_fill_note(request, given.placement.distribution.has_value(), machine);
    add_placement_notes(request, hosts.displaced, machine);
    const std::vector<HostPair> pairs =
        is_irregular(platform.zone) ? pairs_to_route(request, machine.placement) : std::vector<HostPair>{};
    machine.routes = routes_of(hardware, std::move(platform.zone), pairs, faults);
    if (faults.empty()) limit_messages(request, hardware.network, machine, faults);
    if (faults.empty()) add_latency_note(hardware.file, request.pairs, request.sizes, machine);
    faults.raise();

    BuiltMachine built{std::move(machine), hardware.file.sources};
    built.sources.insert(built.sources.end(), hardware.sources.begin(), hardware.sources.end());
    if (listed) built.sources.push_back(listed->source);
    return built;
}

std::vector<std::string> check(const std::filesystem::path& hardware_file) {
    const HardwareTree tree = read_hardware_tree(hardware_file);
    Hardware hardware(tree);
    load_without_ranks(hardware);
    Diagnostics unrouted;  // separate, since a missing route is an error only for scenarios that use its hosts
    Machine machine = machine_without_ranks(hardware, unrouted);
    const auto is_own = [&](const SourceFilePtr& source) { return source == tree.sources.front(); };
    append(machine.notes, lints(tree, {}, machine, is_own));
    if (hardware.xml() == nullptr) return std::move(machine.notes);
    append(machine.notes, unused_disks(hardware.platform->disks, hardware.xml(), hardware.file));
    const PlatformXml xml(hardware.xml());
    append(machine.notes, notes_on(xml, XmlEffect::unused));
    append(machine.notes, config_notes(xml, XmlEffect::unused));
    return std::move(machine.notes);
}

Machine build_without_ranks(const std::filesystem::path& hardware_file) {
    Hardware hardware(read_hardware_tree(hardware_file));
    load_without_ranks(hardware);
    Diagnostics faults;
    Machine machine = machine_without_ranks(hardware, faults);
    faults.raise();
    return machine;
}

}  // namespace warpfront::machine
