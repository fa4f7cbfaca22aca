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

/// Returns when a link is free: the link of the bundle that the message would take now.
std::int64_t free_at(const Layout& layout, const State& state, const LinkRequest& request, ServerId first) {
    const std::span<const network::Server> bundle(&state.servers[first], layout.links.parallel);
    const network::Turn turn = state.turns.empty() ? 0 : state.turns[first];
    const std::size_t taken =
        network::pick(bundle, turn, layout.links.choice, layout.link_key(request.order.rank), request.order.time);
    return bundle[taken].free_at.ps;
}

/// Returns the sum of the times until the links of the route are free. The type is wide, since each time may be as long
/// as the run.
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

bool is_decided_by_switch(const LinkRequest& request, const RouteCandidates& candidates,
                          const std::vector<machine::LinkId>& route) {
    return request.next == 0 && !request.detours && candidates.detour && route.front() == route[candidates.minimal];
}

void choose_route(const Layout& layout, const State& state, LinkRequest& request, const RouteCandidates& candidates,
                  std::vector<machine::LinkId>& route) {
    const auto& [minimal, detour] = candidates;
    const auto cost = [&](Route links) { return queued(layout, state, request, links); };
    if (!request.detours) {
        request.detours =
            detour && cost(Route(route).subspan(minimal)) + detour->longer.ps < cost(Route(route).first(minimal));
        if (*request.detours) request.detour = detour->extra_latency;
    }
    if (*request.detours) {
        route.erase(route.begin(), route.begin() + static_cast<std::ptrdiff_t>(minimal));
    } else {
        route.resize(minimal);
    }
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

namespace {

/// Grants a link. Returns false if the message waits for this link. Then the message requests the next link later.
bool grant_next_link(PartitionContext& context, LinkRequest& request, ServerId server,
                     const network::Packets& packets) {
    const std::int64_t requested = request.order.time.ps;
    const std::int64_t granted =
        grant_link_on_path<false>(context.layout, context.state, server, user_of(request), requested, packets);
    if (granted >= kHorizon.ps) PartitionContext::throw_overflow(request.order.rank, request.order.age.site);
    request.order.time = {granted};
    ++request.next;
    return granted == requested;
}

bool grant_next_stored_links(PartitionContext& context, LinkRequest& request) {
    const Layout& layout = context.layout;
    const network::Packets* const by_speed = &layout.packets[layout.size_of(request.cost).index * layout.speeds];
    const std::span<const RouteLink> route = layout.stored_routes.of(request.send_endpoint);
    for (bool goes_on = true; goes_on && request.next < route.size();) {
        const RouteLink& link = route[request.next];
        goes_on = grant_next_link(context, request, link.server, by_speed[link.speed]);
    }
    return request.next == route.size();
}

}  // namespace

bool grant_next_links(PartitionContext& context, LinkRequest& request) {
    const Layout& layout = context.layout;
    if (!layout.costs[request.cost].holds_links) return true;
    if (layout.stored_routes.contains(request.send_endpoint)) return grant_next_stored_links(context, request);
    std::vector<machine::LinkId>& route = request.detours ? request.route : context.route;
    const network::Packets* const by_speed = &layout.packets[layout.size_of(request.cost).index * layout.speeds];
    const auto grant_next = [&] {
        const machine::LinkId link = route[request.next];
        return grant_next_link(context, request, layout.link_server[link], by_speed[layout.link_speed[link]]);
    };
    if (!request.detours) {
        const RouteCandidates candidates = find_routes(layout, context.state, request.send_endpoint, route);
        if (is_decided_by_switch(request, candidates, route) && !grant_next()) return false;
        choose_route(layout, context.state, request, candidates, route);
    }
    for (bool goes_on = true; goes_on && request.next < route.size();) goes_on = grant_next();
    if (request.next == route.size()) return true;
    if (&route != &request.route) request.route = route;
    return false;
}

}  // namespace warpfront::engine
