// Messages on their way to a node, and its NICs taking them in, in the order (time of arrival, receiving rank, place of
// the channel in its program; messages of collectives last).
#include <algorithm>
#include <utility>

#include "simulator/engine/stepping/stepper.hpp"

namespace warpfront::engine {

/// A message will arrive on this inlet, the first of those still on their way there. Its node has to look at that
/// moment only if somebody waits for it; else it does when somebody will.
void Stepper::fly(std::uint32_t inlet, std::int64_t time) {
    const std::uint32_t node = layout_.node_of[layout_.rank_of_inlet(inlet)];
    const FirstFlight first = state_.first_flight(layout_, node);
    const std::uint32_t flight = new_flight(inlet);
    const auto before = [&](std::uint32_t other) {
        const std::int64_t arrives = flies_at(other);
        return arrives < time || (arrives == time && comes_before(other, inlet));
    };
    const std::int64_t soonest = state_.arrival(layout_, node);
    if (first.flight == kNone || time < soonest || (time == soonest && comes_before(inlet, first.inlet))) {
        flights_[flight].next = first.flight;
        state_.set_first_flight(layout_, node, {flight, inlet});
        state_.arrival(layout_, node) = time;
    } else {
        Flight* ahead = &flights_[first.flight];
        while (ahead->next != kNone && before(flights_[ahead->next].inlet)) ahead = &flights_[ahead->next];
        flights_[flight].next = std::exchange(ahead->next, flight);
    }
    if (state_.inlets[inlet].awaited || in_order_) timed_.push_back({time, node, inlet, true});
}

/// Of two messages that arrive at the same time.
bool Stepper::comes_before(std::uint32_t inlet, std::uint32_t other) const {
    const std::uint32_t collectives = layout_.first_collective_inlet;
    if (inlet >= collectives || other >= collectives) return inlet < other;
    return layout_.inlet_numbers.before(inlet, other);
}

std::uint32_t Stepper::new_flight(std::uint32_t inlet) {
    if (free_flights_.empty()) {
        flights_.push_back({inlet, kNone});
        return static_cast<std::uint32_t>(flights_.size() - 1);
    }
    const std::uint32_t flight = free_flights_.back();
    free_flights_.pop_back();
    flights_[flight] = {inlet, kNone};
    return flight;
}

/// When the first message on its way to this inlet arrives.
std::int64_t Stepper::flies_at(std::uint32_t inlet) {
    const Backlog::Entry* const behind = first_in_flight(inlet);
    return behind == nullptr ? state_.inlets[inlet].time : behind->time;
}

/// Behind the head; null if the head itself is on its way.
Backlog::Entry* Stepper::first_in_flight(std::uint32_t inlet) {
    if (state_.inlets[inlet].state == static_cast<std::uint32_t>(InletState::flying)) return nullptr;
    return backlog_.first_flying(inlet);
}

/// The head of this inlet is on its way, and its rank has come to wait for it. If all that arrives up to then is known,
/// the NIC has taken it in.
void Stepper::await_flight(std::uint32_t inlet, std::uint32_t node) {
    const std::int64_t arrives = state_.inlets[inlet].time;
    if (in_order_) return;
    if (arrives >= known_until_) {
        timed_.push_back({arrives, node, inlet, true});
        return;
    }
    while (state_.inlets[inlet].state == static_cast<std::uint32_t>(InletState::flying)) eject(node);
}

/// The NIC takes in the message that arrives first at the node. Messages of one channel do not overtake.
void Stepper::eject(std::uint32_t node) {
    ++events_;
    const auto [taken, inlet] = state_.first_flight(layout_, node);
    const std::uint32_t following = flights_[taken].next;
    free_flights_.push_back(taken);
    const std::uint32_t next_inlet = following == kNone ? kNone : flights_[following].inlet;
    state_.set_first_flight(layout_, node, {following, next_inlet});
    state_.arrival(layout_, node) = following == kNone ? kHorizon.ps : flies_at(next_inlet);
    Inlet& head = state_.inlets[inlet];
    const std::uint32_t rank = layout_.rank_of_inlet(inlet);
    Backlog::Entry* behind = first_in_flight(inlet);
    const std::int64_t asked = behind == nullptr ? head.time : behind->time;
    const std::uint32_t cost = behind == nullptr ? std::uint32_t{head.cost} : std::uint32_t{behind->cost};
    const std::uint32_t group = layout_.desk.groups == 1 ? 0 : layout_.group_of_core[state_.ranks[rank].core];
    network::Server& server = state_.servers[layout_.desk_of(node) + layout_.desk.ejection + group];
    const std::int64_t granted = server.grant({asked}, layout_.costs[cost].eject).ps;
    if (behind == nullptr) {
        head.time = granted;
        head.state = static_cast<std::uint32_t>(InletState::data) & 3U;
        if (granted > asked && inlet < layout_.first_collective_inlet) {
            state_.delays[inlet] = {head.delayed ? state_.delays[inlet].link : 0, granted - asked};
            head.delayed = 1;
        }
    } else {
        behind->time = granted;
        behind->delay.ejection = granted - asked;
        backlog_.land(inlet);
    }
    if (Backlog::Entry* next = head.queued ? backlog_.first_flying(inlet) : nullptr; next != nullptr) {
        next->time = std::max(next->time, asked);
        fly(inlet, next->time);
    }
    if (behind != nullptr || !head.awaited) return;
    RankLine& line = state_.ranks[rank];
    if (receive(rank, line, inlet) == Next::go_on) wake(rank, line);
}

}  // namespace warpfront::engine
