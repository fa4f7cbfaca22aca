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

}  // namespace

RouteChoice choose_route(PartitionContext& context, const LinkRequest& request, std::vector<machine::LinkId>& route) {
    const Layout& layout = context.layout;
    const auto [from, to] = ends_of(layout, context.state, request.send_endpoint);
    route.clear();
    layout.routes->append_links(from, to, route);
    if (layout.routes->routing != machine::Routing::adaptive) return {};
    const std::size_t minimal = route.size();
    const std::optional<machine::Detour> detour = layout.routes->append_detour(from, to, route);
    if (layout.cuts_packets) context.trains.interrupt(route, request);
    const Route first = Route(route).first(minimal);
    const Route second = Route(route).subspan(minimal);
    const auto costs = [&](Route links) { return queued(layout, context.state, request, links); };
    if (!detour || costs(second) + detour->longer.ps >= costs(first)) {
        route.resize(minimal);
        return {};
    }
    route.erase(route.begin(), route.begin() + static_cast<std::ptrdiff_t>(minimal));
    return {true, detour->extra_latency};
}

std::int64_t grant_bundle(const Layout& layout, State& state, ServerId first, Rank rank, std::int64_t time, Time hold) {
    const std::span<network::Server> bundle(&state.servers[first], layout.links.parallel);
    network::Turn none = 0;
    return network::grant(bundle, state.turns.empty() ? none : state.turns[first], layout.links.choice,
                          layout.link_key(rank), {time}, hold)
        .ps;
}

RouteGrant grant_route(PartitionContext& context, const LinkRequest& request) {
    const Layout& layout = context.layout;
    std::int64_t time = request.order.time.ps;
    if (!layout.costs[request.cost].holds_links) return {time, {}};
    const RouteChoice choice = choose_route(context, request, context.route);
    const SizeId size = layout.size_of(request.cost);
    for (const machine::LinkId link : context.route) {
        const Time hold = layout.packets[size.index * layout.speeds + layout.link_speed[link]].last;
        time = grant_link_to_message<false>(layout, context.state, layout.link_server[link], user_of(request), time,
                                            hold);
    }
    if (!choice.detours) return {time, {}};
    return {time, choice.extra_latency + layout.longer_on_detour[request.cost]};
}

}  // namespace warpfront::engine
