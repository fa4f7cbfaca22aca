#include "simulator/engine/stepping/links.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace warpfront::engine {

namespace {

using Route = std::span<const machine::LinkId>;

struct Ends {
    machine::HostNic from;
    machine::HostNic to;
};

Ends ends_of(const Layout& layout, const State& state, SendEndpointId send_endpoint) {
    const ReceiveEndpointId receiver = state.send_endpoint(send_endpoint).receive_endpoint;
    return {layout.host_nic_of(layout.rank_of(send_endpoint)), layout.host_nic_of(layout.rank_of(receiver))};
}

std::int64_t grant_links(const Layout& layout, State& state, const LinkRequest& request, Route route) {
    const SizeId size = layout.size_of(request.cost);
    std::int64_t time = request.order.time.ps;
    for (const machine::LinkId link : route) {
        const network::Packets& packets = layout.packets[size.index * layout.speeds + layout.link_speed[link]];
        time = grant_link<false>(layout, state, layout.link_server[link], {request.order.rank, request.order.age.site},
                                 time, packets);
    }
    return time;
}

/// When the link of the bundle that the message would take, as things stand, is free.
std::int64_t free_at(const Layout& layout, const State& state, const LinkRequest& request, ServerId first) {
    const std::span<const network::Server> bundle(&state.servers[first], layout.links.parallel);
    const network::Turn turn = state.turns.empty() ? 0 : state.turns[first];
    const std::size_t taken =
        network::pick(bundle, turn, layout.links.choice, layout.link_key(request.order.rank), request.order.time);
    return bundle[taken].free_at.ps;
}

/// Times until the links of the route are free, added up. Wide: each may be as long as a run.
Wide queued(const Layout& layout, const State& state, const LinkRequest& request, Route route) {
    const std::int64_t now = request.order.time.ps;
    Wide sum = 0;
    for (const machine::LinkId link : route) {
        sum += std::max<std::int64_t>(0, free_at(layout, state, request, layout.link_server[link]) - now);
    }
    return sum;
}

/// Grants the links of the minimal route, which is in `route`, or of the detour, which is appended.
RouteGrant grant_adaptively(const Layout& layout, State& state, const LinkRequest& request,
                            std::vector<machine::LinkId>& route) {
    const std::size_t minimal = route.size();
    const auto [from, to] = ends_of(layout, state, request.send_endpoint);
    const std::optional<machine::Detour> detour = layout.routes->append_detour(from, to, route);
    const Route first = Route(route).first(minimal);
    const Route second = Route(route).subspan(minimal);
    const bool detours =
        detour && queued(layout, state, request, second) + detour->longer.ps < queued(layout, state, request, first);
    if (!detours) return {grant_links(layout, state, request, first), {}};
    return {grant_links(layout, state, request, second), detour->extra_latency + layout.longer_on_detour[request.cost]};
}

}  // namespace

void find_route(const Layout& layout, const State& state, SendEndpointId send_endpoint,
                std::vector<machine::LinkId>& route) {
    const auto [from, to] = ends_of(layout, state, send_endpoint);
    route.clear();
    layout.routes->append_links(from, to, route);
}

std::int64_t grant_bundle(const Layout& layout, State& state, ServerId first, Rank rank, std::int64_t time,
                          const network::Packets& packets) {
    const std::span<network::Server> bundle(&state.servers[first], layout.links.parallel);
    network::Turn none = 0;
    return network::grant(bundle, state.turns.empty() ? none : state.turns[first], layout.links.choice,
                          layout.link_key(rank), {time}, packets)
        .ps;
}

RouteGrant grant_route(const Layout& layout, State& state, const LinkRequest& request,
                       std::vector<machine::LinkId>& route) {
    if (!layout.costs[request.cost].holds_links) return {request.order.time.ps, {}};
    find_route(layout, state, request.send_endpoint, route);
    const bool adaptive = layout.routes->routing == machine::Routing::adaptive;
    if (adaptive) return grant_adaptively(layout, state, request, route);
    return {grant_links(layout, state, request, route), {}};
}

}  // namespace warpfront::engine
