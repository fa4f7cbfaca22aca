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

std::uint32_t Routes::links(Host from, Host to) const {
    const auto count = [&]<class ZoneRoutes>(const ZoneRoutes& routes) {
        if constexpr (HasIntermediates<ZoneRoutes>) {
            if (const auto over = intermediate(routes, routing, from, to)) return routes.links_over(*over, from, to);
        }
        return routes.links(from, to);
    };
    return std::visit(count, zone);
}

Time Routes::extra_latency(Host from, Host to) const {
    const auto share = [&]<class ZoneRoutes>(const ZoneRoutes& routes) {
        if constexpr (HasIntermediates<ZoneRoutes>) {
            if (const auto over = intermediate(routes, routing, from, to)) {
                const std::uint32_t crossed = routes.links_over(*over, from, to);
                return beyond(routes.link_latency * crossed, crossed, links_in_L);
            }
        }
        return beyond(routes.latency(from, to), routes.links(from, to), links_in_L);
    };
    return std::visit(share, zone);
}

std::uint32_t Routes::link_count() const {
    return std::visit([](const auto& routes) { return static_cast<std::uint32_t>(routes.link_count()); }, zone);
}

void Routes::append_links(Host from, Host to, std::vector<LinkId>& links) const {
    const auto append = [&]<class ZoneRoutes>(const ZoneRoutes& routes) {
        if constexpr (HasIntermediates<ZoneRoutes>) {
            if (const auto over = intermediate(routes, routing, from, to)) {
                return routes.append_links_over(*over, from, to, links);
            }
        }
        routes.append_links(from, to, links);
    };
    std::visit(append, zone);
}

std::optional<Detour> Routes::append_detour(Host from, Host to, std::vector<LinkId>& links) const {
    const auto append = [&]<class ZoneRoutes>(const ZoneRoutes& routes) -> std::optional<Detour> {
        if constexpr (HasIntermediates<ZoneRoutes>) {
            const auto over = intermediate(routes, Routing::valiant, from, to);
            if (!over) return std::nullopt;
            const std::uint32_t shorter = routes.links(from, to);
            const std::uint32_t longer = std::max(shorter, routes.links_over(*over, from, to));
            routes.append_links_over(*over, from, to, links);
            const auto extra = [&](std::uint32_t crossed) {
                return beyond(routes.link_latency * crossed, crossed, links_in_L);
            };
            return Detour{routes.link_latency * (longer - shorter), extra(longer) - extra(shorter)};
        }
        return std::nullopt;
    };
    return std::visit(append, zone);
}

Gap Routes::gap(LinkId link) const {
    return std::visit([&](const auto& routes) { return routes.gap(link); }, zone);
}

}  // namespace warpfront::machine
