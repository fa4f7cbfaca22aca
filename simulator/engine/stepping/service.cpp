// Shared resources granted: the bus and the NIC of a node, the links between nodes.
#include <algorithm>
#include <span>
#include <utility>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/stepping/stepper.hpp"

namespace warpfront::engine {

namespace {

std::int64_t grant_server(const Layout& layout, State& state, std::uint32_t first, const LinkRequest& departure,
                          std::int64_t asks, const network::Packets& packets) {
    if (layout.links.parallel == 1 && packets.count == 1) {
        return state.servers[first].grant({asks}, packets.service).ps;
    }
    const std::span<network::Server> bundle(&state.servers[first], layout.links.parallel);
    network::Turn none = 0;
    return network::grant(bundle, state.turns.empty() ? none : state.turns[first], layout.links.choice,
                          layout.link_key(departure.rank), {asks}, packets)
        .ps;
}

[[noreturn]] void throw_overflow(const LinkRequest& departure) {
    throw TimeOverflow({departure.rank}, departure.age.site);
}

std::int64_t grant_link(const Layout& layout, State& state, std::uint32_t first, const LinkRequest& departure,
                        std::int64_t asks, const network::Packets& packets) {
    const std::int64_t granted = grant_server(layout, state, first, departure, asks, packets);
    if (granted > asks) {
        std::int64_t& waits = state.link_waits[layout.link_number(first)];
        if (__builtin_add_overflow(waits, granted - asks, &waits)) throw_overflow(departure);
    }
    return granted;
}

void find_route(const Layout& layout, const State& state, const LinkRequest& departure,
                std::vector<machine::LinkId>& route) {
    const std::uint32_t from = layout.node_of[departure.rank];
    const std::uint32_t to =
        layout.node_of[layout.rank_of_receive_endpoint(state.send_endpoint(departure.send_endpoint).receive_endpoint)];
    route.clear();
    layout.routes->append_links(layout.host_of[from], layout.host_of[to], route);
}

/// When all the links that the message would take, as things stand, are free, and the first server of the one that is
/// free last; of a route without links, none.
std::pair<std::int64_t, std::uint32_t> free_at(const Layout& layout, const State& state, const LinkRequest& departure,
                                               const std::vector<machine::LinkId>& route) {
    std::pair<std::int64_t, std::uint32_t> last{0, kNone};
    for (const machine::LinkId link : route) {
        const std::uint32_t first = layout.link_server[link.index];
        const std::span<const network::Server> bundle(&state.servers[first], layout.links.parallel);
        const network::Turn turn = state.turns.empty() ? 0 : state.turns[first];
        const std::size_t taken =
            network::pick(bundle, turn, layout.links.choice, layout.link_key(departure.rank), {departure.time});
        if (bundle[taken].free_at.ps > last.first) last = {bundle[taken].free_at.ps, first};
    }
    return last;
}

}  // namespace

void Stepper::ask(std::uint32_t rank, RankLine& line, RankState what, std::uint32_t cost) {
    check_horizon(rank, line);
    line.state = what;
    line.request_cost = cost;
    state_.asked(layout_.hot_state_of(line.node), line.core) = line.clock;
    timed_.push_back({line.clock, line.node, rank, false});
}

void Stepper::serve_node(std::uint32_t node, std::int64_t limit) {
    for (;;) {
        const NextRequest next = next_request(layout_, state_, node, limit);
        const std::int64_t arrives = layout_.ejects ? state_.arrival(layout_, node) : kHorizon.ps;
        if (arrives <= next.time && arrives < limit) {
            receive_at_nic(node);
        } else if (next.rank != kNone) {
            serve(next.rank, limit);
        } else {
            return;
        }
        if (!quiescent()) run_until_quiescent();
    }
}

void Stepper::drain_nics(std::uint32_t node, std::int64_t time) {
    while (state_.arrival(layout_, node) < time) receive_at_nic(node);
}

void Stepper::serve_in_order(const ResourceRequest& timed) {
    if (timed.ejection) {
        receive_at_nic(timed.node);
    } else {
        serve(timed.who, timed.time + 1);
    }
    run_until_quiescent();
}

/// The rank's request is the earliest of its node.
void Stepper::serve(std::uint32_t rank, std::int64_t limit) {
    ++events_;
    RankLine& line = state_.ranks[rank];
    state_.asked(layout_.hot_state_of(line.node), line.core) = kHorizon.ps;
    const network::MessageCost& cost = layout_.costs[line.request_cost];
    const RankState what = line.state;
    const std::int64_t asked = line.clock;
    if (what == RankState::asks_to_send || what == RankState::asks_to_receive) {
        if (cost.holds_bus) {
            const std::int64_t granted = server(line, layout_.hot.buses).grant({line.clock}, cost.bus).ps;
            if (line.collective_position == 0) line.bus_wait += granted - line.clock;
            const bool injects = what == RankState::asks_to_send && cost.holds_nic;
            if (injects && ask_again(rank, line, RankState::asks_to_inject, granted)) return;
            line.clock = granted;
        }
        if (what == RankState::asks_to_receive) {
            line.clock += cost.busy_recv.ps;
            check_horizon(rank, line);
            advance(line);
            line.state = RankState::running;
            run(rank);
            return;
        }
    }
    if (what != RankState::asks_to_depart && cost.holds_nic) {
        const std::int64_t granted = server(line, layout_.hot.injection).grant({line.clock}, cost.inject).ps;
        if (line.collective_position == 0) line.nic_wait += granted - line.clock;
        line.clock = granted;
    }
    if (!depart(rank, line, asked, limit)) return;
    line.clock += cost.busy_after.ps;
    check_horizon(rank, line);
    if (line.collective_position > 0) --collective_sends_;
    advance(line);
    line.state = RankState::running;
    run(rank);
}

/// Where resources are not always taken in the same order, one that was waited for is followed by a new request.
bool Stepper::ask_again(std::uint32_t rank, RankLine& line, RankState what, std::int64_t granted) {
    if ((layout_.fixed_resource_order && !in_order_) || granted == line.clock) return false;
    line.clock = granted;
    ask(rank, line, what, line.request_cost);
    return true;
}

/// The message leaves its node. False where others may want its links before it leaves: then it asks again.
bool Stepper::depart(std::uint32_t rank, RankLine& line, std::int64_t asked, std::int64_t limit) {
    const std::uint32_t cost = line.request_cost;
    const std::uint32_t send_endpoint = send_endpoint_in_use(rank, line);
    const SendEndpoint& out = state_.send_endpoint(send_endpoint);
    if (!layout_.costs[cost].holds_links) {
        leave_without_links(rank, line, cost);
        return true;
    }
    const bool in_one_go = layout_.fixed_resource_order && !in_order_ && !layout_.links.circuit;
    if (line.clock >= limit || (line.clock > asked && !in_one_go)) {
        ask(rank, line, RankState::asks_to_depart, cost);
        return false;
    }
    const LinkRequest departure{line.clock, age_of(line), rank, send_endpoint, cost};
    if (layout_.links.circuit) return take_circuit(line, departure);
    if (in_order_) {
        transmit(out, line.clock, grant_route(layout_, state_, departure, route_) - line.clock, cost);
    } else if (out.own_link != kRouted && grants_own_links_) {
        const std::uint32_t first =
            line.node * layout_.hot.stride + layout_.hot.links + out.own_link * layout_.links.parallel;
        const network::Packets& packets = own_packets(cost);
        transmit(out, line.clock, grant_link(layout_, state_, first, departure, line.clock, packets) - line.clock,
                 cost);
    } else {
        departures_.push_back(departure);
    }
    return true;
}

/// The message takes all links of its route at once, and its sender goes on with it. Where one is busy it asks again
/// when the last of them falls free: of those who ask at that moment the oldest wave is first, whoever asked before.
bool Stepper::take_circuit(RankLine& line, const LinkRequest& departure) {
    find_route(layout_, state_, departure, route_);
    const auto [free, busiest] = free_at(layout_, state_, departure, route_);
    const bool granted = free <= line.clock;
    const std::int64_t next = granted ? grant_route(layout_, state_, departure, route_) : free;
    if (line.collective_position == 0) state_.statistics[departure.rank].link_wait += next - line.clock;
    if (!granted) state_.link_waits[layout_.link_number(busiest)] += next - line.clock;
    line.clock = next;
    if (granted) {
        transmit(state_.send_endpoint(departure.send_endpoint), line.clock, 0, departure.cost);
    } else {
        ask(departure.rank, line, RankState::asks_to_depart, departure.cost);
    }
    return granted;
}

/// Where others of its channel may still wait for links, it goes through the same door, and so stays behind them.
void Stepper::leave_without_links(std::uint32_t rank, const RankLine& line, std::uint32_t cost) {
    const std::uint32_t send_endpoint = send_endpoint_in_use(rank, line);
    const SendEndpoint& out = state_.send_endpoint(send_endpoint);
    const bool on_the_spot = in_order_ || layout_.links.circuit || (out.own_link != kRouted && grants_own_links_);
    if (!layout_.mixed_link_use || out.is_local || on_the_spot) {
        transmit(out, line.clock, 0, cost);
    } else {
        departures_.push_back({line.clock, age_of(line), rank, send_endpoint, cost});
    }
}

std::int64_t grant_route(const Layout& layout, State& state, const LinkRequest& departure,
                         std::vector<machine::LinkId>& route) {
    if (!layout.costs[departure.cost].holds_links) return departure.time;
    find_route(layout, state, departure, route);
    const std::uint32_t size = departure.cost / layout.paths;
    std::int64_t asks = departure.time;
    for (const machine::LinkId link : route) {
        const network::Packets& packets = layout.packets[size * layout.speeds + layout.link_speed[link.index]];
        asks = grant_link(layout, state, layout.link_server[link.index], departure, asks, packets);
    }
    return asks;
}

}  // namespace warpfront::engine
