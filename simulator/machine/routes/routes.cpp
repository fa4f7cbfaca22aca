#include "simulator/machine/routes/routes.hpp"

#include <algorithm>

namespace warpfront::machine {

namespace {

/// `latency` spread evenly over `links`; the share of those beyond `covered`, rounded down.
Time beyond(Time latency, std::uint32_t links, std::uint32_t covered) {
    if (covered == 0) return latency;  // also of a route without links, as between the hosts of a Vivaldi zone
    if (links <= covered) return {};
    const Wide share = Wide{latency.ps} * (links - covered) / links;
    return {static_cast<std::int64_t>(share)};
}

template <class ZoneRoutes>
concept HasIntermediates = requires(const ZoneRoutes& routes) {
    routes.intermediate(Host{}, Host{});
};

/// Over which the route of a pair leads, if any.
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
                const std::uint32_t crossed = routes.links_over(*over, a, b);
                return beyond(routes.link_latency * crossed, crossed, links_in_L);
            }
        }
        return beyond(routes.latency(a, b), routes.links(a, b), links_in_L);
    };
    return std::visit(share, zone);
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
                return beyond(routes.link_latency * crossed, crossed, links_in_L);
            };
            return Detour{routes.link_latency * (longer - shorter), extra(longer) - extra(shorter)};
        }
        return std::nullopt;
    };
    const std::optional<Detour> detour = std::visit(append, zone);
    choose_plane(from.nic, first, links);
    return detour;
}

Gap Routes::gap(LinkId link) const {
    return std::visit([&](const auto& routes) { return routes.gap(cabling.in_plane(link)); }, zone);
}

}  // namespace warpfront::machine
