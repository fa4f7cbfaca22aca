// How a message comes to its receiver: in flight, received by the NIC, taken by the rank that waits for it.
#include <algorithm>

#include "simulator/engine/stepping/message_protocol.hpp"

namespace warpfront::engine {

void MessageProtocol::arrive(ReceiveEndpointId receive_endpoint, std::int64_t time, std::int64_t link_delay,
                             CostId cost) {
    ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
    const bool in_flight = layout_.ejects && layout_.costs[cost].holds_nic;
    if (!is(head, ReceiveState::empty)) {
        const bool others_in_flight = is(head, ReceiveState::in_flight) ||
                                      (head.queued && context_.backlog.first_in_flight(receive_endpoint) != nullptr);
        Backlog::Entry entry{.time = time, .delay = {link_delay, 0}};
        entry.set_cost(cost);
        entry.in_flight = in_flight;
        context_.backlog.push(receive_endpoint, entry);
        head.queued = 1;
        if (in_flight && !others_in_flight) arrivals_.add(receive_endpoint, time);
        return;
    }
    head.time = time;
    head.set_cost(cost);
    head.delayed = link_delay > 0 && !layout_.is_of_collective(receive_endpoint);
    if (head.delayed) state_.delays[receive_endpoint] = {link_delay, 0};
    if (in_flight) {
        set(head, ReceiveState::in_flight);
        arrivals_.add(receive_endpoint, time);
        return;
    }
    set(head, ReceiveState::data);
    if (!head.awaited && !head.in_choice) return;
    const Rank rank = layout_.rank_of(receive_endpoint);
    deliver(rank, receive_endpoint);
}

/// The head's data is there, and the rank waits for it or may take it as it comes.
void MessageProtocol::deliver(Rank rank, ReceiveEndpointId receive_endpoint) {
    RankLine& line = state_.ranks[rank];
    if (!state_.receive_endpoints[receive_endpoint].awaited) return accept_candidate(rank, receive_endpoint);
    if (receive(rank, line, receive_endpoint) == Next::go_on) context_.wake(rank, line);
}

/// The head of this receive endpoint is in flight, and its rank has come to wait for it. If all that arrives up to then
/// is known, the NIC has received it.
void MessageProtocol::await_in_flight(ReceiveEndpointId receive_endpoint, Node node) {
    const ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
    if (context_.in_order) return;
    if (head.time >= context_.known_until) {
        context_.requests.push_back(ResourceRequest::of_ejection(head.time, node, receive_endpoint));
        return;
    }
    while (is(head, ReceiveState::in_flight)) receive_at_nic(node);
}

void MessageProtocol::drain_nics(Node node, std::int64_t time) {
    while (state_.arrival(layout_, node) < time) receive_at_nic(node);
}

void MessageProtocol::receive_at_nic(Node node) {
    ++context_.events;
    const ReceiveEndpointId receive_endpoint = arrivals_.take_first(node);
    ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
    const Rank rank = layout_.rank_of(receive_endpoint);
    Backlog::Entry* const behind = arrivals_.first_behind_head(receive_endpoint);
    const std::int64_t arrived = behind == nullptr ? head.time : behind->time;
    const CostId cost = behind == nullptr ? head.cost() : behind->cost();
    const ServerId server = resources_.ejection_server(node, rank, receive_endpoint);
    const std::int64_t granted = resources_.grant_ejection(server, arrived, layout_.costs[cost]);
    if (state_.timeline != nullptr) {
        state_.timeline->hold(rank, record::Resource::nic, granted, layout_.costs[cost].eject.ps);
    }
    if (state_.paths != nullptr) {
        state_.paths->eject(receive_endpoint, server, arrived, granted, layout_.costs[cost].eject.ps);
    }
    if (behind == nullptr) {
        head.time = granted;
        set(head, ReceiveState::data);
        if (granted > arrived && !layout_.is_of_collective(receive_endpoint)) {
            const std::int64_t link = head.delayed ? state_.delays[receive_endpoint].link : 0;
            state_.delays[receive_endpoint] = {link, granted - arrived};
            head.delayed = 1;
        }
    } else {
        behind->time = granted;
        behind->delay.ejection = granted - arrived;
        context_.backlog.land(receive_endpoint);
    }
    Backlog::Entry* const next = head.queued ? context_.backlog.first_in_flight(receive_endpoint) : nullptr;
    if (next != nullptr) {
        next->time = std::max(next->time, arrived);
        arrivals_.add(receive_endpoint, next->time);
    }
    if (behind == nullptr && (head.awaited || head.in_choice)) deliver(rank, receive_endpoint);
}

}  // namespace warpfront::engine
