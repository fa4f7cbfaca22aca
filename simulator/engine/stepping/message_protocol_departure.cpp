// How a message leaves its node: bus and NIC granted to it, then the links of its route; the same whether its rank
// waits for it or has begun it.
#include <algorithm>

#include "simulator/engine/stepping/message_protocol.hpp"

namespace warpfront::engine {

Next MessageProtocol::serve(Rank rank, std::int64_t limit) {
    ++context_.events;
    RankLine& line = state_.ranks[rank];
    if (line.state == RankState::requests_match) return match(rank, line);
    resources_.take_request(line);
    if (line.state == RankState::requests_receive) return serve_receive(rank, line);
    return depart({rank, send_endpoint_in_use(rank, line), line}, limit);
}

void MessageProtocol::depart_begun(SendEndpointId send_endpoint, std::int64_t limit) {
    ++context_.events;
    BegunMessage* const begun = begun_.find(send_endpoint);
    const Rank rank = layout_.rank_of(send_endpoint);
    if (depart({rank, send_endpoint, *begun, begun}, limit) == Next::go_on) context_.wake(rank, state_.ranks[rank]);
}

inline Next MessageProtocol::serve_receive(Rank rank, RankLine& line) {
    const network::MessageCost& cost = layout_.costs[line.request_cost];
    resources_.grant_bus(rank, line, cost, state_.paths == nullptr ? nullptr : &state_.paths->of(rank));
    line.state = RankState::running;
    return complete(rank, line, cost.busy_recv - cost.before_bus, record::Activity::recv);
}

/// Grants what the message requests, and what it holds after that, as far as no other request may come before.
[[gnu::always_inline]] inline Next MessageProtocol::depart(const DepartingMessage& message, std::int64_t limit) {
    Requester& requester = message.requester;
    const network::MessageCost& cost = layout_.costs[requester.request_cost];
    const std::int64_t requested = requester.clock;
    if (requester.state == RankState::requests_departure && cost.holds_bus) {
        resources_.grant_bus(message.rank, requester, cost, chain_of(message));
        if (cost.holds_nic && is_requested_anew(requester.clock, requested)) {
            request(message, RankState::requests_injection);
            return Next::stop;
        }
    }
    if (requester.state != RankState::requests_links && cost.holds_nic) {
        resources_.grant_injection(message.rank, requester, cost, chain_of(message));
    }
    if (cost.holds_links && !may_take_links(message, requested, limit)) {
        request(message, RankState::requests_links);
        return Next::stop;
    }
    return leave(message);
}

/// Where resources are not always taken in the same order, one that was waited for is followed by a new request.
bool MessageProtocol::is_requested_anew(std::int64_t granted, std::int64_t requested) const {
    return (!layout_.fixed_resource_order || context_.in_order) && granted != requested;
}

/// Whether no other message may want its links before it leaves. Where it leaves later than its node's present time:
/// links that are granted between rounds are sorted then; one of the node's own has to be free of requests for an
/// earlier time.
bool MessageProtocol::may_take_links(const DepartingMessage& message, std::int64_t requested,
                                     std::int64_t limit) const {
    const std::int64_t leaves = message.requester.clock;
    if (leaves >= limit) return false;
    if (leaves == requested) return true;
    if (!layout_.fixed_resource_order || context_.in_order) return false;
    if (state_.send_endpoint(message.send_endpoint).own_link == kRouted) return true;
    const Node node = state_.ranks[message.rank].node;
    return !resources_.links_are_requested(node, leaves) && !begun_.requests_links(node, leaves);
}

/// Links are granted at once where nothing else can want them first, and otherwise between rounds.
void MessageProtocol::take_links(const DepartingMessage& message, const SendEndpoint& out) {
    const RankLine& line = state_.ranks[message.rank];
    const std::int64_t leaves = message.requester.clock;
    const CostId cost = message.requester.request_cost;
    const network::Age age = message.begun == nullptr ? age_of(layout_, line) : message.begun->age;
    const LinkRequest request{{{leaves}, age, message.rank}, message.send_endpoint, cost};
    if (context_.in_order) {
        const RouteGrant granted = resources_.grant_route(request);
        transmit(out, leaves, granted.time - leaves, cost, granted.detour);
    } else if (out.own_link != kRouted && context_.own_links_at_once) {
        const bool holds = layout_.costs[cost].holds_links;
        const std::int64_t granted = holds ? resources_.grant_own_link(line.node, out, request) : leaves;
        transmit(out, leaves, granted - leaves, cost);
    } else {
        if (state_.paths != nullptr) state_.paths->depart(message.send_endpoint, *chain_of(message));
        context_.link_requests.push_back(request);
    }
}

void MessageProtocol::transmit(const SendEndpoint& out, std::int64_t leaves, std::int64_t link_wait, CostId cost,
                               Time detour) {
    const std::int64_t link_delay = link_delay_of(layout_, link_wait, cost);
    const std::int64_t arrives = arrival_of(layout_, leaves, link_wait, cost, detour);
    if (arrives >= kHorizon.ps) throw_arrives_too_late(out, cost);
    if (state_.paths != nullptr) {
        const bool in_flight = layout_.ejects && layout_.costs[cost].holds_nic;
        state_.paths->transmit(out.receive_endpoint, cost, link_delay > 0, arrives, in_flight);
    }
    if (state_.timeline != nullptr) {
        const SendEndpointId send_endpoint = state_.receive_endpoints[out.receive_endpoint].send_endpoint;
        state_.timeline->leave(layout_.rank_of(send_endpoint), out.receive_endpoint, cost, leaves);
    }
    if (out.is_local) {
        arrive(out.receive_endpoint, arrives, link_delay, cost);
        return;
    }
    auto& events = context_.events_for(layout_.rank_of(out.receive_endpoint), arrives);
    if (link_delay > 0) state_.budget.push(events, RemoteEvent::of_delay(link_delay, out.receive_endpoint));
    state_.budget.push(events, RemoteEvent::of_data(arrives, out.receive_endpoint, cost));
}

/// The message with this cost that will arrive too late is of the first such statement of its sender.
void MessageProtocol::throw_arrives_too_late(const SendEndpoint& out, CostId cost) const {
    const SendEndpointId send_endpoint = state_.receive_endpoints[out.receive_endpoint].send_endpoint;
    const Rank rank = layout_.rank_of(send_endpoint);
    const InstructionId at = state_.ranks[rank].at;
    if (layout_.is_of_collective(send_endpoint)) {
        PartitionContext::throw_overflow(rank, layout_.code[at].site);
    }
    const std::uint32_t place = layout_.send_endpoint_numbers.place_of(send_endpoint);
    const program::Instruction& sends = layout_.first_send(layout_.class_at(at), place, layout_.size_of(cost));
    PartitionContext::throw_overflow(rank, sends.site);
}

}  // namespace warpfront::engine
