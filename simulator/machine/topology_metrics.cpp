#include "simulator/machine/topology_metrics.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpfront::machine {

namespace {

using Kind = Bisection::Kind;
using Numbers = std::vector<std::uint32_t>;

std::string joined(const Numbers& numbers) { return fmt::format("{}", fmt::join(numbers, " x ")); }

/// Returns the total bandwidth of this many links.
Bandwidth together(double links, Gap gap) { return {links / gap.seconds_per_byte}; }

double half(std::uint64_t count) { return static_cast<double>(count / 2); }

/// Returns the number of pairs between the two halves of `count` elements.
double across(std::uint64_t count) { return static_cast<double>((count / 2) * (count - count / 2)); }

// --- routes ----------------------------------------------------------------------------------------------------------

LongestRoute longest(const TableRoutes&) { return {}; }

LongestRoute longest(const TorusRoutes& torus) {
    std::uint64_t links = 0;
    for (const std::uint32_t length : torus.dimensions) links += length / 2;
    return {links, torus.link_latency};
}

LongestRoute longest(const StarRoutes& star) { return {1, star.latency({}, {})}; }

LongestRoute longest(const FatTreeRoutes& tree) { return {2 * tree.children.size(), tree.link_latency}; }

/// Returns the longest route of a dragonfly: host, green, black, blue, green, black, host.
LongestRoute longest(const DragonflyRoutes& it) {
    const std::uint64_t in_group = (it.blades > 1 ? 1U : 0U) + (it.chassis > 1 ? 1U : 0U);
    return {it.groups > 1 ? 2 + 1 + 2 * in_group : 2 + in_group, it.link_latency};
}

LongestRoute longest(const HyperXRoutes& it) {
    std::uint64_t links = 2;
    for (const std::uint32_t length : it.dimensions) links += length > 1 ? 1U : 0U;
    return {links, it.link_latency};
}

LongestRoute longest(const GraphRoutes& graph) { return {2 + std::uint64_t{graph.diameter}, graph.longest_latency()}; }

// --- metrics of one plane --------------------------------------------------------------------------------------------

TopologyMetrics metrics_of(const TorusRoutes& torus, std::uint32_t) {
    const auto longest_dimension = *std::ranges::max_element(torus.dimensions);
    const double planes = longest_dimension == 1 ? 0.0 : longest_dimension == 2 ? 1.0 : 2.0;
    const auto joining = std::ranges::count_if(torus.dimensions, [](auto k) { return k > 1; });
    TopologyMetrics it{
        "torus " + joined(torus.dimensions), torus.hosts() * static_cast<std::uint64_t>(joining), {}, {}};
    if (torus.duplex) it.links *= 2;
    it.diameter = longest(torus).links;
    const double links = planes * static_cast<double>(torus.hosts() / longest_dimension);
    it.bisection = Bisection{longest_dimension % 2 == 0 ? Kind::exact : Kind::at_least, together(links, torus.link_gap),
                             !torus.duplex};
    return it;
}

TopologyMetrics metrics_of(const StarRoutes& star, std::uint32_t) {
    const bool backbone = star.backbone && !star.fatpipe_backbone;
    TopologyMetrics it{
        "one switch", star.hosts * (star.duplex ? 2ULL : 1ULL) + (backbone ? 1 : 0), backbone ? 3 : 2, {}};
    Bandwidth all = together(half(star.hosts), star.link_gap);
    if (backbone) all = std::min(all, together(1.0, *star.backbone));
    it.bisection = Bisection{Kind::exact, all, !star.duplex};
    return it;
}

TopologyMetrics metrics_of(const FatTreeRoutes& tree, std::uint32_t ends_per_host) {
    Numbers children = tree.children;
    children.front() /= ends_per_host;
    TopologyMetrics it{
        fmt::format("fat tree {} (parents {}, cables {})", joined(children), joined(tree.parents), joined(tree.cables)),
        tree.cable_count(),
        longest(tree).links,
        {}};
    const bool even = tree.children.back() % 2 == 0;
    double least = std::numeric_limits<double>::infinity();
    double subtrees = static_cast<double>(tree.hosts());
    for (std::size_t k = 0; k < tree.children.size(); ++k) {
        const auto links = static_cast<double>(tree.nodes(k) * tree.parents[k] * tree.cables[k]);
        if (subtrees > 1.0) least = std::min(least, even ? links / 2 : links / 4 * subtrees / (subtrees - 1.0));
        subtrees /= tree.children[k];
    }
    it.bisection = Bisection{even ? Kind::exact : Kind::at_least, together(least, tree.link_gap), !tree.duplex};
    return it;
}

TopologyMetrics metrics_of(const DragonflyRoutes& it, std::uint32_t ends_per_host) {
    const std::uint64_t blades = it.blades_in_all();
    const std::uint64_t two_way = it.hosts() + blades * (it.blades - 1) / 2 + blades * (it.chassis - 1) / 2 +
                                  std::uint64_t{it.groups} * (it.groups - 1) / 2 * it.blue_per_pair();
    const std::string global = it.global == 0 ? "" : fmt::format(", {} global ports per blade", it.global);
    TopologyMetrics metrics{fmt::format("dragonfly of {} groups x {} chassis x {} blades x {}{}", it.groups, it.chassis,
                                        it.blades, it.nodes / ends_per_host, global),
                            it.duplex ? 2 * two_way : two_way,
                            longest(it).links,
                            {}};
    Bandwidth all = together(half(it.hosts()), it.local);
    if (it.groups > 1) {
        all = std::min(all, together(across(it.groups) * it.blue_per_pair(), it.blue));
    } else if (it.chassis > 1) {
        all = std::min(all, together(across(it.chassis) * it.blades, it.black));
    } else if (it.blades > 1) {
        all = std::min(all, together(across(it.blades), it.green));
    }
    metrics.bisection = Bisection{Kind::at_most, all, !it.duplex};
    return metrics;
}

TopologyMetrics metrics_of(const HyperXRoutes& it, std::uint32_t ends_per_host) {
    std::uint64_t ports = 0;
    std::uint32_t shortest = std::numeric_limits<std::uint32_t>::max();
    for (const std::uint32_t length : it.dimensions) {
        ports += length - 1;
        if (length > 1) shortest = std::min(shortest, length);
    }
    TopologyMetrics metrics{fmt::format("hyperx {} x {}", joined(it.dimensions), it.hosts_each / ends_per_host),
                            2 * it.hosts() + it.switches() * ports,
                            longest(it).links,
                            {}};
    const Bandwidth hosts = together(half(it.hosts()), it.link_gap);
    if (ports == 0) {
        metrics.bisection = Bisection{Kind::exact, hosts, false};
        return metrics;
    }
    const Bandwidth mesh = together(static_cast<double>(it.switches()) * shortest / 4.0, it.link_gap);
    metrics.bisection = Bisection{shortest % 2 == 0 ? Kind::exact : Kind::at_least, std::min(hosts, mesh), false};
    return metrics;
}

/// Returns the total bandwidth of the links from the first half of `order` to the second half.
Bandwidth cut(const GraphRoutes& routes, const Numbers& order) {
    const SwitchGraph& graph = routes.graph;
    std::vector<bool> first(graph.switches(), false);
    for (std::size_t k = 0; k < order.size() / 2; ++k) first[order[k]] = true;
    std::uint64_t links = 0;
    Bandwidth all;
    for (std::uint32_t at = 0; at < graph.switches(); ++at) {
        for (std::uint32_t port = 0; first[at] && port < graph.ports(at); ++port) {
            if (first[graph.neighbour(at, port)]) continue;
            ++links;
            if (!routes.own.empty())
                all.bytes_per_second += 1.0 / routes.own[graph.number(at, port)].gap.seconds_per_byte;
        }
    }
    return routes.own.empty() ? together(static_cast<double>(links), routes.link_gap) : all;
}

/// Returns the switches in the order of their distance from switch 0, then by number.
Numbers by_distance(const GraphRoutes& routes) {
    const std::uint32_t switches = routes.graph.switches();
    std::vector<std::uint32_t> distance(switches);
    for (std::uint32_t at = 0; at < switches; ++at) {
        distance[at] = routes.links(Host{0}, Host{at * routes.hosts_each});
    }
    Numbers order(switches);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, [&](auto a, auto b) { return distance[a] < distance[b]; });
    return order;
}

TopologyMetrics metrics_of(const GraphRoutes& routes, std::uint32_t ends_per_host) {
    const SwitchGraph& graph = routes.graph;
    const std::string kind = routes.drawn ? fmt::format("random graph of degree {}", routes.drawn->degree) : "graph";
    TopologyMetrics metrics{
        fmt::format("{}, {} switches x {}", kind, graph.switches(), routes.hosts_each / ends_per_host),
        routes.link_count(),
        longest(routes).links,
        {}};
    Numbers by_number(graph.switches());
    std::iota(by_number.begin(), by_number.end(), 0U);
    const Bandwidth hosts = together(half(routes.hosts()), routes.link_gap);
    const Bandwidth all =
        graph.switches() > 1 ? std::min({hosts, cut(routes, by_number), cut(routes, by_distance(routes))}) : hosts;
    metrics.bisection = Bisection{Kind::at_most, all, false};
    return metrics;
}

TopologyMetrics metrics_of(const TableRoutes& table, std::uint32_t) {
    TopologyMetrics metrics{"explicit routes",
                            table.gaps.size() - static_cast<std::size_t>(std::ranges::count(table.fatpipe, true)),
                            {},
                            {}};
    for (const auto& [pair, entry] : table.entries) {
        metrics.diameter = std::max(metrics.diameter.value_or(0), std::uint64_t{entry.links});
    }
    return metrics;
}

// --- cables of a host with one NIC -----------------------------------------------------------------------------------

/// Returns the cables of a host with this many links. A limiter limits their total bandwidth.
HostCables limited(std::uint64_t links, Gap gap, std::optional<Gap> limiter) {
    const Bandwidth all = together(static_cast<double>(links), gap);
    return {links, limiter ? std::min(all, together(1.0, *limiter)) : all};
}

std::optional<HostCables> cables_of(const TorusRoutes& torus) {
    std::uint64_t links = 0;
    for (const std::uint32_t length : torus.dimensions) links += std::min(length - 1, 2U);
    return limited(links, torus.link_gap, torus.limiter);
}

std::optional<HostCables> cables_of(const StarRoutes& star) { return limited(1, star.link_gap, star.limiter); }

std::optional<HostCables> cables_of(const FatTreeRoutes& tree) {
    return limited(std::uint64_t{tree.parents[0]} * tree.cables[0], tree.link_gap, tree.limiter);
}

std::optional<HostCables> cables_of(const DragonflyRoutes& it) { return limited(1, it.local, it.limiter); }

std::optional<HostCables> cables_of(const HyperXRoutes& it) { return limited(1, it.link_gap, {}); }

std::optional<HostCables> cables_of(const GraphRoutes& graph) { return limited(1, graph.link_gap, {}); }

/// Returns the injection links of the host with the least injection bandwidth. These are the first links of its routes.
std::optional<HostCables> cables_of(const TableRoutes& table) {
    std::set<std::pair<std::uint32_t, LinkId>> first_links;  // first links of the routes from each host
    for (const auto& [pair, entry] : table.entries) {
        const auto links = table.route(entry);
        const auto first = std::ranges::find_if(links, [&](LinkId link) { return table.is_waited_for(link); });
        if (first == links.end()) return std::nullopt;
        first_links.emplace(TableRoutes::from(pair).index, *first);
    }
    std::optional<HostCables> least;
    for (auto link = first_links.begin(); link != first_links.end();) {
        const std::uint32_t host = link->first;
        HostCables cables;
        for (; link != first_links.end() && link->first == host; ++link) {
            ++cables.count;
            cables.together.bytes_per_second += 1.0 / table.gap(link->second).seconds_per_byte;
        }
        if (!least || cables.together < least->together) least = cables;
    }
    return least;
}

/// Returns the number of parallel links for each link of the platform. It is 1 if links are not shared.
std::uint32_t parallel_links(const Machine& machine) { return machine.links ? machine.links->parallel : 1; }

}  // namespace

LongestRoute longest_route(const Zone& zone) {
    return std::visit([](const auto& routes) { return longest(routes); }, zone);
}

TopologyMetrics topology_metrics(const Machine& machine) {
    const Cabling& cabling = machine.routes.cabling;
    TopologyMetrics metrics = std::visit(
        [&](const auto& routes) { return metrics_of(routes, cabling.ends_per_host()); }, machine.routes.zone);
    metrics.parallel = parallel_links(machine);
    const std::uint64_t times = std::uint64_t{cabling.planes()} * metrics.parallel;
    metrics.links *= times;
    if (metrics.bisection) metrics.bisection->bandwidth.bytes_per_second *= static_cast<double>(times);
    return metrics;
}

std::optional<HostCables> host_cables(const Machine& machine) {
    std::optional<HostCables> cables =
        std::visit([](const auto& routes) { return cables_of(routes); }, machine.routes.zone);
    if (!cables) return cables;
    cables->count *= std::uint64_t{machine.routes.cabling.cables} * parallel_links(machine);
    cables->together.bytes_per_second *= machine.routes.cabling.cables * parallel_links(machine);
    return cables;
}

Distances distances(const Machine& machine, const PairVisitor& pairs) {
    Distances sum;
    pairs([&](Rank from, Rank to) {
        const HostNic a = machine.nic_of(from);
        const HostNic b = machine.nic_of(to);
        if (a.host == b.host) return;
        const std::uint32_t links = machine.routes.links(a, b);
        ++sum.pairs;
        sum.links += links;
        sum.longest = std::max(sum.longest, links);
    });
    return sum;
}

}  // namespace warpfront::machine
