// How a message leaves its node: bus and NIC granted to its sender, then the links of its route.
#include <algorithm>

#include "simulator/engine/stepping/message_protocol.hpp"

namespace warpfront::engine {

Next MessageProtocol::serve(std::uint32_t rank, std::int64_t limit) {
    ++context_.events;
    RankLine& line = state_.ranks[rank];
    if (line.state == RankState::requests_match) return match(rank, line);
    resources_.take_request(line);
    const network::MessageCost& cost = layout_.costs[line.request_cost];
    const RankState what = line.state;
    const std::int64_t requested = line.clock;
    const bool receives = what == RankState::requests_receive;
    if ((what == RankState::requests_departure || receives) && cost.holds_bus) {
        const std::int64_t granted = resources_.grant_bus(rank, cost);
        const bool injects = !receives && cost.holds_nic;
        if (injects && request_again(rank, line, RankState::requests_injection, granted)) return Next::stop;
        line.clock = granted;
    }
    if (!receives) {
        if (what != RankState::requests_links && cost.holds_nic) line.clock = resources_.grant_injection(rank, cost);
        if (!depart(rank, line, requested, limit)) return Next::stop;
        if (line.collective_position > 0) --context_.collective_sends;
    }
    line.state = RankState::running;
    if (receives) return complete(rank, line, cost.busy_recv - cost.before_bus, record::Activity::recv);
    return complete(rank, line, cost.busy_after, record::Activity::send);
}

/// Where resources are not always taken in the same order, one that was waited for is followed by a new request.
bool MessageProtocol::is_requested_anew(std::int64_t granted, std::int64_t requested) const {
    return (!layout_.fixed_resource_order || context_.in_order) && granted != requested;
}

bool MessageProtocol::request_again(std::uint32_t rank, RankLine& line, RankState what, std::int64_t granted) {
    if (!is_requested_anew(granted, line.clock)) return false;
    line.clock = granted;
    resources_.request(rank, line, what, line.request_cost);
    return true;
}

/// The message leaves its node. False where others may want its links before it leaves: then it requests them.
bool MessageProtocol::depart(std::uint32_t rank, RankLine& line, std::int64_t requested, std::int64_t limit) {
    const std::uint32_t cost = line.request_cost;
    if (!layout_.costs[cost].holds_links) {
        depart_without_links(rank, line, cost);
        return true;
    }
    const std::uint32_t send_endpoint = send_endpoint_in_use(rank, line);
    const SendEndpoint& out = state_.send_endpoint(send_endpoint);
    if (line.clock >= limit || (line.clock > requested && !may_take_links_ahead(line.node, line.clock, out))) {
        resources_.request(rank, line, RankState::requests_links, cost);
        return false;
    }
    const LinkRequest request{{{line.clock}, age_of(layout_, line), {rank}}, send_endpoint, cost};
    if (state_.paths != nullptr) state_.paths->begin_leaving(state_.paths->of(rank));
    request_links(out, line.node, request, state_.paths == nullptr ? nullptr : &state_.paths->of(rank));
    return true;
}

/// Whether a message that leaves later than its node's present time may have its links now: where links are granted
/// between phases they are sorted then; a link of the node's own has to be free of requests for an earlier time.
bool MessageProtocol::may_take_links_ahead(std::uint32_t node, std::int64_t time, const SendEndpoint& out) const {
    if (!layout_.fixed_resource_order || context_.in_order) return false;
    return out.own_link == kRouted ||
           (!resources_.links_are_requested(node, time) && !begun_.requests_links(node, time));
}

void MessageProtocol::depart_without_links(std::uint32_t rank, const RankLine& line, std::uint32_t cost) {
    const std::uint32_t send_endpoint = send_endpoint_in_use(rank, line);
    const SendEndpoint& out = state_.send_endpoint(send_endpoint);
    const Chain* const chain = state_.paths == nullptr ? nullptr : &state_.paths->of(rank);
    if (chain != nullptr) state_.paths->begin_leaving(*chain);
    if (leaves_at_once(out)) return transmit(out, line.clock, 0, cost);
    queue_for_links({{{line.clock}, age_of(layout_, line), {rank}}, send_endpoint, cost}, chain);
}

/// Whether no other message of its channel may still wait for links: else it is queued with them, and so stays behind them.
bool MessageProtocol::leaves_at_once(const SendEndpoint& out) const {
    if (!layout_.mixed_link_use || out.is_local || context_.in_order) return true;
    return out.own_link != kRouted && context_.own_links_at_once;
}

void MessageProtocol::queue_for_links(const LinkRequest& request, const Chain* chain) {
    if (chain != nullptr) state_.paths->depart(request.send_endpoint, *chain);
    context_.link_requests.push_back(request);
}

void MessageProtocol::transmit(const SendEndpoint& out, std::int64_t leaves, std::int64_t link_wait, std::uint32_t cost,
                               Time detour) {
    const std::int64_t link_delay = link_delay_of(layout_, link_wait, cost);
    const std::int64_t arrives = arrival_of(layout_, leaves, link_wait, cost, detour);
    if (arrives >= kHorizon.ps) throw_arrives_too_late(out, cost);
    if (state_.paths != nullptr) {
        const bool in_flight = layout_.ejects && layout_.costs[cost].holds_nic;
        state_.paths->transmit(out.receive_endpoint, cost, link_delay > 0, arrives, in_flight);
    }
    if (state_.timeline != nullptr) {
        const std::uint32_t send_endpoint = state_.receive_endpoints[out.receive_endpoint].send_endpoint;
        state_.timeline->leave(layout_.rank_of_send_endpoint(send_endpoint), out.receive_endpoint, cost, leaves);
    }
    if (out.is_local) {
        arrive(out.receive_endpoint, arrives, link_delay, cost);
        return;
    }
    auto& events = context_.events_for(layout_.rank_of_receive_endpoint(out.receive_endpoint), arrives);
    const std::uint32_t to = out.receive_endpoint;
    if (link_delay > 0) state_.budget.push(events, RemoteEvent{link_delay, to, RemoteEvent::delay, 0});
    state_.budget.push(events, RemoteEvent{arrives, to, RemoteEvent::data, cost & 0x3FFFFFFFU});
}

/// The message with this cost that will arrive too late is of the first such statement of its sender.
void MessageProtocol::throw_arrives_too_late(const SendEndpoint& out, std::uint32_t cost) const {
    const std::uint32_t send_endpoint = state_.receive_endpoints[out.receive_endpoint].send_endpoint;
    const std::uint32_t rank = layout_.rank_of_send_endpoint(send_endpoint);
    const std::uint32_t at = state_.ranks[rank].at;
    if (send_endpoint >= layout_.first_collective_send_endpoint) {
        PartitionContext::throw_overflow(rank, layout_.code[at].site);
    }
    const std::uint32_t place = layout_.send_endpoint_numbers.place_of(send_endpoint);
    const program::Instruction& sends = layout_.first_send(layout_.class_at(at), place, cost / layout_.paths);
    PartitionContext::throw_overflow(rank, sends.site);
}

}  // namespace warpfront::engine
