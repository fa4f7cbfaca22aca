// Messages on their way to a node, and its NICs taking them in, in the order (time of arrival, receiving rank, place of
// the channel in its program; messages of collectives last).
#include <algorithm>
#include <utility>

#include "simulator/engine/stepping/stepper.hpp"

namespace warpfront::engine {

/// A message will arrive on this receive endpoint, the first of those still on their way there. Its node has to look at
/// that moment only if somebody waits for it; else it does when somebody will.
void Stepper::enter_flight(std::uint32_t receive_endpoint, std::int64_t time) {
    const std::uint32_t node = layout_.node_of[layout_.rank_of_receive_endpoint(receive_endpoint)];
    const FirstInFlight first = state_.first_in_flight_of(layout_, node);
    const std::uint32_t flight = new_in_flight(receive_endpoint);
    const auto before = [&](std::uint32_t other) {
        const std::int64_t arrives = arrives_at(other);
        return arrives < time || (arrives == time && comes_before(other, receive_endpoint));
    };
    const std::int64_t soonest = state_.arrival(layout_, node);
    if (first.flight == kNone || time < soonest ||
        (time == soonest && comes_before(receive_endpoint, first.receive_endpoint))) {
        in_flight_[flight].next = first.flight;
        state_.set_first_in_flight(layout_, node, {flight, receive_endpoint});
        state_.arrival(layout_, node) = time;
    } else {
        InFlight* ahead = &in_flight_[first.flight];
        while (ahead->next != kNone && before(in_flight_[ahead->next].receive_endpoint))
            ahead = &in_flight_[ahead->next];
        in_flight_[flight].next = std::exchange(ahead->next, flight);
    }
    if (state_.receive_endpoints[receive_endpoint].awaited || in_order_)
        timed_.push_back({time, node, receive_endpoint, true});
}

/// Of two messages that arrive at the same time.
bool Stepper::comes_before(std::uint32_t receive_endpoint, std::uint32_t other) const {
    const std::uint32_t collectives = layout_.first_collective_receive_endpoint;
    if (receive_endpoint >= collectives || other >= collectives) return receive_endpoint < other;
    return layout_.receive_endpoint_numbers.before(receive_endpoint, other);
}

std::uint32_t Stepper::new_in_flight(std::uint32_t receive_endpoint) {
    if (free_in_flight_.empty()) {
        in_flight_.push_back({receive_endpoint, kNone});
        return static_cast<std::uint32_t>(in_flight_.size() - 1);
    }
    const std::uint32_t flight = free_in_flight_.back();
    free_in_flight_.pop_back();
    in_flight_[flight] = {receive_endpoint, kNone};
    return flight;
}

/// When the first message on its way to this receive endpoint arrives.
std::int64_t Stepper::arrives_at(std::uint32_t receive_endpoint) {
    const Backlog::Entry* const behind = first_in_flight(receive_endpoint);
    return behind == nullptr ? state_.receive_endpoints[receive_endpoint].time : behind->time;
}

/// Behind the head; null if the head itself is on its way.
Backlog::Entry* Stepper::first_in_flight(std::uint32_t receive_endpoint) {
    if (state_.receive_endpoints[receive_endpoint].state == static_cast<std::uint32_t>(ReceiveState::in_flight))
        return nullptr;
    return backlog_.first_in_flight_behind(receive_endpoint);
}

/// The head of this receive endpoint is on its way, and its rank has come to wait for it. If all that arrives up to
/// then is known, the NIC has taken it in.
void Stepper::await_in_flight(std::uint32_t receive_endpoint, std::uint32_t node) {
    const std::int64_t arrives = state_.receive_endpoints[receive_endpoint].time;
    if (in_order_) return;
    if (arrives >= known_until_) {
        timed_.push_back({arrives, node, receive_endpoint, true});
        return;
    }
    while (state_.receive_endpoints[receive_endpoint].state == static_cast<std::uint32_t>(ReceiveState::in_flight))
        receive_at_nic(node);
}

/// The NIC takes in the message that arrives first at the node. Messages of one channel do not overtake.
void Stepper::receive_at_nic(std::uint32_t node) {
    ++events_;
    const auto [taken, receive_endpoint] = state_.first_in_flight_of(layout_, node);
    const std::uint32_t following = in_flight_[taken].next;
    free_in_flight_.push_back(taken);
    const std::uint32_t next_receive_endpoint = following == kNone ? kNone : in_flight_[following].receive_endpoint;
    state_.set_first_in_flight(layout_, node, {following, next_receive_endpoint});
    state_.arrival(layout_, node) = following == kNone ? kHorizon.ps : arrives_at(next_receive_endpoint);
    ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
    const std::uint32_t rank = layout_.rank_of_receive_endpoint(receive_endpoint);
    Backlog::Entry* behind = first_in_flight(receive_endpoint);
    const std::int64_t asked = behind == nullptr ? head.time : behind->time;
    const std::uint32_t cost = behind == nullptr ? std::uint32_t{head.cost} : std::uint32_t{behind->cost};
    const std::uint32_t group = layout_.hot.groups == 1 ? 0 : layout_.group_of_core[state_.ranks[rank].core];
    network::Server& server = state_.servers[layout_.hot_state_of(node) + layout_.hot.ejection + group];
    const std::int64_t granted = server.grant({asked}, layout_.costs[cost].eject).ps;
    if (behind == nullptr) {
        head.time = granted;
        head.state = static_cast<std::uint32_t>(ReceiveState::data) & 3U;
        if (granted > asked && receive_endpoint < layout_.first_collective_receive_endpoint) {
            state_.delays[receive_endpoint] = {head.delayed ? state_.delays[receive_endpoint].link : 0,
                                               granted - asked};
            head.delayed = 1;
        }
    } else {
        behind->time = granted;
        behind->delay.ejection = granted - asked;
        backlog_.land(receive_endpoint);
    }
    if (Backlog::Entry* next = head.queued ? backlog_.first_in_flight_behind(receive_endpoint) : nullptr;
        next != nullptr) {
        next->time = std::max(next->time, asked);
        enter_flight(receive_endpoint, next->time);
    }
    if (behind != nullptr || !head.awaited) return;
    RankLine& line = state_.ranks[rank];
    if (receive(rank, line, receive_endpoint) == Next::go_on) wake(rank, line);
}

}  // namespace warpfront::engine
