#include "simulator/engine/stepping/links.hpp"

#include <span>
#include <utility>

namespace warpfront::engine {

namespace {

void find_route(const Layout& layout, const State& state, const LinkRequest& request,
                std::vector<machine::LinkId>& route) {
    const std::uint32_t from = layout.node_of[request.order.rank.index];
    const std::uint32_t receiver = state.send_endpoint(request.send_endpoint).receive_endpoint;
    const std::uint32_t to = layout.node_of[layout.rank_of_receive_endpoint(receiver)];
    route.clear();
    layout.routes->append_links(layout.host_of[from], layout.host_of[to], route);
}

std::int64_t grant_links(const Layout& layout, State& state, const LinkRequest& request,
                         const std::vector<machine::LinkId>& route) {
    const std::uint32_t size = request.cost / layout.paths;
    std::int64_t time = request.order.time.ps;
    for (const machine::LinkId link : route) {
        const network::Packets& packets = layout.packets[size * layout.speeds + layout.link_speed[link.index]];
        time = grant_link(layout, state, layout.link_server[link.index], request, time, packets);
    }
    return time;
}

/// When all the links that the message would take, as things stand, are free, and the first server of the one that is
/// free last; of a route without links, none.
std::pair<std::int64_t, std::uint32_t> free_at(const Layout& layout, const State& state, const LinkRequest& request,
                                               const std::vector<machine::LinkId>& route) {
    std::pair<std::int64_t, std::uint32_t> last{0, kNone};
    for (const machine::LinkId link : route) {
        const std::uint32_t first = layout.link_server[link.index];
        const std::span<const network::Server> bundle(&state.servers[first], layout.links.parallel);
        const network::Turn turn = state.turns.empty() ? 0 : state.turns[first];
        const std::size_t taken = network::pick(bundle, turn, layout.links.choice,
                                                layout.link_key(request.order.rank.index), request.order.time);
        if (bundle[taken].free_at.ps > last.first) last = {bundle[taken].free_at.ps, first};
    }
    return last;
}

}  // namespace

std::int64_t grant_bundle(const Layout& layout, State& state, std::uint32_t first, const LinkRequest& request,
                          std::int64_t time, const network::Packets& packets) {
    const std::span<network::Server> bundle(&state.servers[first], layout.links.parallel);
    network::Turn none = 0;
    return network::grant(bundle, state.turns.empty() ? none : state.turns[first], layout.links.choice,
                          layout.link_key(request.order.rank.index), {time}, packets)
        .ps;
}

std::int64_t grant_route(const Layout& layout, State& state, const LinkRequest& request,
                         std::vector<machine::LinkId>& route) {
    if (!layout.costs[request.cost].holds_links) return request.order.time.ps;
    find_route(layout, state, request, route);
    return grant_links(layout, state, request, route);
}

Circuit grant_circuit(const Layout& layout, State& state, const LinkRequest& request,
                      std::vector<machine::LinkId>& route) {
    find_route(layout, state, request, route);
    const auto [free, busiest] = free_at(layout, state, request, route);
    const std::int64_t time = request.order.time.ps;
    if (free > time) {
        state.link_waits[layout.link_number(busiest)] += free - time;
        return {false, free};
    }
    return {true, layout.costs[request.cost].holds_links ? grant_links(layout, state, request, route) : time};
}

}  // namespace warpfront::engine
