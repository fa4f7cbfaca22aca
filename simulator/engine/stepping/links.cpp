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

/// Returns the time from which a link is free: the link of the bundle that the message would take at present.
std::int64_t free_at(const Layout& layout, const State& state, const LinkRequest& request, ServerId first) {
    const std::span<const network::Server> bundle(&state.servers[first], layout.links.parallel);
    const network::Turn turn = state.turns.empty() ? 0 : state.turns[first];
    const std::size_t taken =
        network::pick(bundle, turn, layout.links.choice, layout.link_key(request.order.rank), request.order.time);
    return bundle[taken].free_at.ps;
}

/// Returns the sum of the times until the links of the route are free. The type is wide, since each may be as long as a
/// run.
Wide queued(const Layout& layout, const State& state, const LinkRequest& request, Route route) {
    const std::int64_t now = request.order.time.ps;
    Wide sum = 0;
    for (const machine::LinkId link : route) {
        sum += std::max<std::int64_t>(0, free_at(layout, state, request, layout.link_server[link]) - now);
    }
    return sum;
}

}  // namespace

RouteCandidates find_routes(const Layout& layout, const State& state, SendEndpointId send_endpoint,
                            std::vector<machine::LinkId>& route) {
    const auto [from, to] = ends_of(layout, state, send_endpoint);
    route.clear();
    layout.routes->append_links(from, to, route);
    RouteCandidates candidates{route.size(), std::nullopt};
    if (layout.routes->routing != machine::Routing::adaptive) return candidates;
    candidates.detour = layout.routes->append_detour(from, to, route);
    return candidates;
}

RouteChoice choose_route(const Layout& layout, const State& state, const LinkRequest& request,
                         const RouteCandidates& candidates, std::vector<machine::LinkId>& route) {
    const auto& [minimal, detour] = candidates;
    const auto cost = [&](Route links) { return queued(layout, state, request, links); };
    const bool detours =
        detour && cost(Route(route).subspan(minimal)) + detour->longer.ps < cost(Route(route).first(minimal));
    if (!detours) {
        route.resize(minimal);
        return {};
    }
    route.erase(route.begin(), route.begin() + static_cast<std::ptrdiff_t>(minimal));
    return {true, detour->extra_latency};
}

ServerId link_of_bundle(const Layout& layout, const State& state, ServerId first, Rank rank, std::int64_t time) {
    const std::span<const network::Server> bundle(&state.servers[first], layout.links.parallel);
    const network::Turn turn = state.turns.empty() ? 0 : state.turns[first];
    return first +
           static_cast<std::uint32_t>(network::pick(bundle, turn, layout.links.choice, layout.link_key(rank), {time}));
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
    State& state = context.state;
    std::int64_t time = request.order.time.ps;
    if (!layout.costs[request.cost].holds_links) return {time, {}};
    const SendEndpointId sender = request.send_endpoint;
    if (layout.stored_routes.contains(sender)) {
        return {grant_stored_route<false>(layout, state, sender, user_of(request), time, request.cost), {}};
    }
    const RouteCandidates candidates = find_routes(layout, state, sender, context.route);
    const RouteChoice choice = choose_route(layout, state, request, candidates, context.route);
    const network::Packets* const by_speed = &layout.packets[layout.size_of(request.cost).index * layout.speeds];
    for (const machine::LinkId link : context.route) {
        time = grant_link_on_path<false>(layout, state, layout.link_server[link], user_of(request), time,
                                         by_speed[layout.link_speed[link]]);
    }
    if (!choice.detours) return {time, {}};
    return {time, choice.extra_latency + layout.longer_on_detour[request.cost]};
}

}  // namespace warpfront::engine
