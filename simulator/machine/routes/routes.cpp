#include "simulator/machine/routes/routes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpfront::machine {

namespace {

/// Returns the latency of a route without `covered` of its links. All links have the same latency.
Time beyond(Time latency, Time link_latency, std::uint32_t covered) {
    return std::max(Time{}, latency - link_latency * covered);
}

/// A zone whose links may differ in latency.
template <class ZoneRoutes>
concept HasLatencies = requires(const ZoneRoutes& routes, std::vector<Time>& latencies) {
    routes.append_latencies(Host{}, Host{}, latencies);
};

/// Returns the latency of a route without its `covered` links of lowest latency. A route without links, such as one
/// between hosts of a Vivaldi zone, has its latency only if `covered` is 0.
template <HasLatencies ZoneRoutes>
Time beyond_lowest(const ZoneRoutes& routes, Host from, Host to, std::uint32_t covered) {
    if (covered == 0) return routes.latency(from, to);
    std::vector<Time> latencies;
    routes.append_latencies(from, to, latencies);
    if (latencies.size() <= covered) return {};
    std::ranges::sort(latencies);
    const Time in_L = std::accumulate(latencies.begin(), latencies.begin() + covered, Time{});
    /// not negative, although each latency is rounded separately
    return std::max(Time{}, routes.latency(from, to) - in_L);
}

/// Returns the part of a route's latency that L includes.
template <class ZoneRoutes>
Time part_in_L(const ZoneRoutes& routes, Host from, Host to, std::uint32_t links_in_L) {
    if constexpr (HasLatencies<ZoneRoutes>) {
        return routes.latency(from, to) - beyond_lowest(routes, from, to, links_in_L);
    } else {
        return std::min(routes.latency(from, to), routes.link_latency * links_in_L);
    }
}

/// Returns the intermediate of the route between two hosts, if it has one.
template <HasIntermediates ZoneRoutes>
std::optional<std::uint32_t> intermediate(const ZoneRoutes& zone, Routing routing, Host from, Host to) {
    return routing == Routing::valiant && from != to ? zone.intermediate(from, to) : std::nullopt;
}

}  // namespace

std::uint32_t Routes::links(HostNic from, HostNic to) const {
    const auto count = [&, a = cabling.end(from), b = cabling.end(to)]<class ZoneRoutes>(const ZoneRoutes& routes) {
        if constexpr (HasIntermediates<ZoneRoutes>) {
            if (const auto over = intermediate(routes, routing, a, b)) return routes.links_over(*over, a, b);
        }
        return routes.links(a, b);
    };
    return std::visit(count, zone);
}

Time Routes::extra_latency(HostNic from, HostNic to) const {
    const auto share = [&, a = cabling.end(from), b = cabling.end(to)]<class ZoneRoutes>(const ZoneRoutes& routes) {
        if constexpr (HasIntermediates<ZoneRoutes>) {
            if (const auto over = intermediate(routes, routing, a, b)) {
                return beyond(routes.link_latency * routes.links_over(*over, a, b), routes.link_latency, links_in_L);
            }
        }
        if constexpr (HasLatencies<ZoneRoutes>) {
            return beyond_lowest(routes, a, b, links_in_L);
        } else {
            return beyond(routes.latency(a, b), routes.link_latency, links_in_L);
        }
    };
    return std::visit(share, zone);
}

Time Routes::latency_in_L(HostNic from, HostNic to) const {
    const auto in_L = [&, a = cabling.end(from), b = cabling.end(to)](const auto& routes) {
        return part_in_L(routes, a, b, links_in_L);
    };
    return std::visit(in_L, zone);
}

Time Routes::longest_latency_in_L(std::uint32_t hosts) const {
    Time longest;
    const auto take = [&](const auto& routes, Host from, Host to) {
        longest = std::max(longest, part_in_L(routes, from, to, links_in_L));
    };
    const auto take_all = [&]<class ZoneRoutes>(const ZoneRoutes& routes) {
        if constexpr (std::is_same_v<ZoneRoutes, TableRoutes>) {
            for (const auto& [pair, entry] : routes.entries)
                take(routes, TableRoutes::from(pair), TableRoutes::to(pair));
        } else {
            for (std::uint32_t to = 1; to < hosts; ++to) take(routes, Host{0}, Host{to});
        }
    };
    std::visit(take_all, zone);
    return longest;
}

std::optional<LinkId> Routes::slowest_link(HostNic from, HostNic to) const {
    const auto slowest = [&, a = cabling.end(from),
                          b = cabling.end(to)]<class ZoneRoutes>(const ZoneRoutes& routes) -> std::optional<LinkId> {
        if constexpr (requires { routes.slowest_link(a, b); }) {
            return routes.slowest_link(a, b);
        } else {
            std::vector<LinkId> crossed;
            append_links(from, to, crossed);
            if (crossed.empty()) return std::nullopt;
            return *std::ranges::max_element(crossed, {}, [&](LinkId link) { return gap(link); });
        }
    };
    return std::visit(slowest, zone);
}

std::optional<LinksOfKind> Routes::slowest_of_every_route() const {
    using Kind = LinksOfKind::Kind;
    const auto slowest_of = []<class ZoneRoutes>(const ZoneRoutes& routes) -> std::optional<LinksOfKind> {
        if constexpr (requires { routes.own; }) {
            if (!routes.own.empty()) return std::nullopt;
        }
        if constexpr (requires { routes.link_gap; }) {
            LinksOfKind slowest{Kind::all, routes.link_gap};
            const auto take = [&](Kind kind, const std::optional<Gap>& gap) {
                if (gap && *gap > slowest.gap) slowest = {kind, *gap};
            };
            if constexpr (requires { routes.limiter; }) take(Kind::limiters, routes.limiter);
            if constexpr (requires { routes.backbone; }) take(Kind::backbone, routes.backbone);
            return slowest;
        } else {
            return std::nullopt;
        }
    };
    return std::visit(slowest_of, zone);
}

std::uint32_t Routes::link_count() const {
    const auto count = [&](const auto& routes) {
        return static_cast<std::uint32_t>(routes.link_count() * cabling.planes());
    };
    return std::visit(count, zone);
}

void Routes::choose_plane(std::uint32_t nic, std::size_t first, std::vector<LinkId>& links) const {
    if (!cabling.rails) return;
    for (std::size_t k = first; k < links.size(); ++k) links[k] = cabling.link(links[k], nic);
}

void Routes::append_links(HostNic from, HostNic to, std::vector<LinkId>& links) const {
    const std::size_t first = links.size();
    const auto append = [&, a = cabling.end(from), b = cabling.end(to)]<class ZoneRoutes>(const ZoneRoutes& routes) {
        if constexpr (HasIntermediates<ZoneRoutes>) {
            if (const auto over = intermediate(routes, routing, a, b)) {
                return routes.append_links_over(*over, a, b, links);
            }
        }
        routes.append_links(a, b, links);
    };
    std::visit(append, zone);
    choose_plane(from.nic, first, links);
}

std::optional<Detour> Routes::append_detour(HostNic from, HostNic to, std::vector<LinkId>& links) const {
    const std::size_t first = links.size();
    const auto append = [&, a = cabling.end(from),
                         b = cabling.end(to)]<class ZoneRoutes>(const ZoneRoutes& routes) -> std::optional<Detour> {
        if constexpr (HasIntermediates<ZoneRoutes>) {
            const auto over = intermediate(routes, Routing::valiant, a, b);
            if (!over) return std::nullopt;
            const std::uint32_t shorter = routes.links(a, b);
            const std::uint32_t longer = std::max(shorter, routes.links_over(*over, a, b));
            routes.append_links_over(*over, a, b, links);
            const auto extra = [&](std::uint32_t crossed) {
                return beyond(routes.link_latency * crossed, routes.link_latency, links_in_L);
            };
            return Detour{routes.link_latency * (longer - shorter), extra(longer) - extra(shorter)};
        }
        return std::nullopt;
    };
    const std::optional<Detour> detour = std::visit(append, zone);
    choose_plane(from.nic, first, links);
    return detour;
}

std::optional<Time> Routes::own_latency(LinkId link) const {
    const LinkId of_plane = cabling.in_plane(link);
    if (const auto* const table = std::get_if<TableRoutes>(&zone)) {
        return table->latencies[of_plane.index];
    }
    const auto* const graph = std::get_if<GraphRoutes>(&zone);
    const std::uint64_t first = graph == nullptr ? 0 : 2 * graph->hosts();
    if (graph == nullptr || graph->own.empty() || of_plane.index < first) return std::nullopt;
    return graph->own[of_plane.index - first].latency;
}

Gap Routes::gap(LinkId link) const {
    return std::visit([&](const auto& routes) { return routes.gap(cabling.in_plane(link)); }, zone);
}

namespace {

template <class ZoneRoutes>
void visit_gaps(ZoneRoutes& zone, const auto& visit) {
    if constexpr (requires { zone.link_gap; }) visit(zone.link_gap);
    if constexpr (requires { zone.limiter; }) {
        if (zone.limiter) visit(*zone.limiter);
    }
    if constexpr (requires { zone.backbone; }) {
        if (zone.backbone) visit(*zone.backbone);
    }
    if constexpr (std::is_same_v<ZoneRoutes, DragonflyRoutes>) {
        for (Gap* const gap : {&zone.local, &zone.green, &zone.black, &zone.blue}) visit(*gap);
    }
    if constexpr (std::is_same_v<ZoneRoutes, GraphRoutes>) {
        for (SwitchLink& link : zone.own) visit(link.gap);
    }
    if constexpr (std::is_same_v<ZoneRoutes, TableRoutes>) std::ranges::for_each(zone.gaps, visit);
}

template <class ZoneRoutes>
void visit_latencies(ZoneRoutes& zone, const auto& visit) {
    if constexpr (requires { zone.link_latency; }) visit(zone.link_latency);
    if constexpr (requires { zone.backbone_latency; }) visit(zone.backbone_latency);
    if constexpr (std::is_same_v<ZoneRoutes, GraphRoutes>) {
        for (SwitchLink& link : zone.own) visit(link.latency);
    }
    if constexpr (std::is_same_v<ZoneRoutes, TableRoutes>) {
        std::ranges::for_each(zone.latencies, visit);
        for (auto& [pair, entry] : zone.entries) visit(entry.latency);
    }
}

}  // namespace

void Routes::scale_gaps(double factor) {
    const auto scale = [&](Gap& gap) { gap.seconds_per_byte *= factor; };
    std::visit([&](auto& routes) { visit_gaps(routes, scale); }, zone);
}

void Routes::scale_latencies(double factor) {
    const auto scale = [&](Time& latency) {
        latency.ps = static_cast<std::int64_t>(std::llround(static_cast<double>(latency.ps) * factor));
    };
    std::visit([&](auto& routes) { visit_latencies(routes, scale); }, zone);
}

// --- names of links --------------------------------------------------------------------------------------------------

namespace {

std::string coordinates(std::uint64_t number, const std::vector<std::uint32_t>& dimensions) {
    std::vector<std::uint64_t> at;
    for (const std::uint32_t length : dimensions) {
        at.push_back(number % length);
        number /= length;
    }
    return fmt::format("({})", fmt::join(at, ", "));
}

/// Returns the name of an end. Each host of the network has `of_host` ends.
std::string end_name(std::uint64_t number, std::uint32_t of_host) {
    if (of_host == 1) return fmt::format("host {}", number);
    return fmt::format("host {} NIC {}", number / of_host, number % of_host);
}

/// Returns the name of a link between an end and its switch. Links up have even numbers, and links down odd ones.
std::string host_link(std::uint64_t number, bool duplex, std::uint32_t ends_per_host) {
    if (!duplex) return end_name(number, ends_per_host);
    return fmt::format("{} {}", end_name(number / 2, ends_per_host), number % 2 == 0 ? "up" : "down");
}

std::string name(const TorusRoutes& torus, std::uint64_t link, std::uint32_t) {
    const std::uint64_t per_host = 2 * torus.dimensions.size();
    const std::uint64_t cables = torus.hosts() * per_host;
    if (link >= cables) return "limiter of " + coordinates(link - cables, torus.dimensions);
    const std::uint64_t from = link / per_host;
    const std::size_t dimension = link % per_host / 2;
    const bool up = link % 2 == 0;
    std::uint64_t stride = 1;
    for (std::size_t k = 0; k < dimension; ++k) stride *= torus.dimensions[k];
    const std::uint64_t length = torus.dimensions[dimension];
    const std::uint64_t x = from / stride % length;
    const std::uint64_t next = up ? (x + 1) % length : (x + length - 1) % length;
    return fmt::format("{} {} {}", coordinates(from, torus.dimensions), torus.duplex ? "to" : "and",
                       coordinates(from + next * stride - x * stride, torus.dimensions));
}

std::string name(const StarRoutes& star, std::uint64_t link, std::uint32_t) {
    const std::uint64_t per_host = star.links_per_host();
    if (link >= star.hosts * per_host) return "backbone";
    const std::uint64_t which = link % per_host;
    if (star.limiter && which == per_host - 1) return fmt::format("limiter of host {}", link / per_host);
    return star.duplex ? host_link(2 * (link / per_host) + which, true, 1) : host_link(link / per_host, false, 1);
}

std::string name(const FatTreeRoutes& tree, std::uint64_t link, std::uint32_t ends_per_host) {
    std::uint64_t number = link;
    if (tree.limiter && link >= tree.cable_count()) {
        number -= tree.cable_count();
        std::size_t level = 0;
        while (number >= tree.nodes(level)) number -= tree.nodes(level++);
        return fmt::format("limiter of level {} node {}", level, number);
    }
    const bool down = tree.duplex && number % 2 == 1;
    if (tree.duplex) number /= 2;
    for (std::size_t level = 0;; ++level) {
        const std::uint64_t ports = std::uint64_t{tree.parents[level]} * tree.cables[level];
        if (number < tree.nodes(level) * ports) {
            const std::string node = level == 0 ? end_name(number / ports, ends_per_host)
                                                : fmt::format("level {} switch {}", level, number / ports);
            return fmt::format("{}, port {}{}", node, number % ports, !tree.duplex ? "" : down ? " down" : " up");
        }
        number -= tree.nodes(level) * ports;
    }
}

std::string blade(const DragonflyRoutes& it, std::uint64_t router) {
    return fmt::format("blade {}", coordinates(router, {it.blades, it.chassis, it.groups}));
}

std::string blue_name(const DragonflyRoutes& it, std::uint64_t link) {
    const auto group = static_cast<std::uint32_t>(link / it.blue_per_group());
    const auto port = static_cast<std::uint32_t>(link % it.blue_per_group());
    if (it.global == 0) return fmt::format("blue, group {} to group {}", group, port);
    const std::uint64_t router = std::uint64_t{group} * it.blades_of_group() + port / it.global;
    return fmt::format("blue, {} port {} to group {}", blade(it, router), port % it.global,
                       it.global_links().target(group, port));
}

std::string name(const DragonflyRoutes& it, std::uint64_t link, std::uint32_t ends_per_host) {
    const std::uint64_t blades = it.blades_in_all();
    const std::uint64_t local = it.hosts() * (it.duplex ? 2 : 1);
    if (link < local) return host_link(link, it.duplex, ends_per_host);
    link -= local;
    if (link < blades * it.blades) {
        return fmt::format("green, {} to blade {}", blade(it, link / it.blades), link % it.blades);
    }
    link -= blades * it.blades;
    if (link < blades * it.chassis) {
        return fmt::format("black, {} to chassis {}", blade(it, link / it.chassis), link % it.chassis);
    }
    link -= blades * it.chassis;
    if (link < it.groups * it.blue_per_group()) return blue_name(it, link);
    link -= it.groups * it.blue_per_group();
    if (link < it.hosts()) return fmt::format("limiter of host {}", link);
    return "limiter of " + blade(it, link - it.hosts());
}

std::string name(const HyperXRoutes& it, std::uint64_t link, std::uint32_t ends_per_host) {
    if (link < 2 * it.hosts()) return host_link(link, true, ends_per_host);
    link -= 2 * it.hosts();
    std::uint64_t ports = 0;
    for (const std::uint32_t length : it.dimensions) ports += length;
    const std::uint64_t from = link / ports;
    std::uint64_t port = link % ports;
    std::uint64_t stride = 1;
    std::size_t dimension = 0;
    for (; port >= it.dimensions[dimension]; ++dimension) {
        port -= it.dimensions[dimension];
        stride *= it.dimensions[dimension];
    }
    const std::uint64_t to = from - from / stride % it.dimensions[dimension] * stride + port * stride;
    return fmt::format("switch {} to {}", coordinates(from, it.dimensions), coordinates(to, it.dimensions));
}

std::string name(const GraphRoutes& routes, std::uint64_t link, std::uint32_t ends_per_host) {
    if (link < 2 * routes.hosts()) return host_link(link, true, ends_per_host);
    const SwitchGraph& graph = routes.graph;
    const auto number = static_cast<std::uint32_t>(link - 2 * routes.hosts());
    std::uint32_t from = 0;
    while (number >= graph.number(from, graph.ports(from))) ++from;
    return fmt::format("switch {} to {}", from, graph.neighbour(from, number - graph.number(from, 0)));
}

std::string name(const TableRoutes& table, std::uint64_t link, std::uint32_t) {
    return link < table.names.size() ? table.names[link] : fmt::format("link {}", link);
}

}  // namespace

std::string link_name(const Routes& routes, LinkId link) {
    const Cabling& cabling = routes.cabling;
    const LinkId in_plane = cabling.in_plane(link);
    std::string text =
        std::visit([&](const auto& zone) { return name(zone, in_plane.index, cabling.ends_per_host()); }, routes.zone);
    return cabling.rails ? fmt::format("plane {}, {}", link.index % cabling.cables, text) : text;
}

}  // namespace warpfront::machine
