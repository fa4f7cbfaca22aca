#include "simulator/engine/stepping/nic_arrivals.hpp"

#include <utility>

namespace warpfront::engine {

/// The node is served at that moment only if a rank waits for the message, or may take it as it comes; else when one
/// comes to wait.
void NicArrivals::add(ReceiveEndpointId receive_endpoint, std::int64_t time) {
    const Node node = layout_.node_of[layout_.rank_of(receive_endpoint)];
    const FirstInFlight first = state_.first_in_flight_of(layout_, node);
    const InFlightId entry = new_entry(receive_endpoint);
    const auto before = [&](ReceiveEndpointId other) {
        const std::int64_t arrives = arrives_at(other);
        return arrives < time || (arrives == time && comes_before(other, receive_endpoint));
    };
    const std::int64_t soonest = state_.arrival(layout_, node);
    if (first.entry == kNone || time < soonest ||
        (time == soonest && comes_before(receive_endpoint, first.receive_endpoint))) {
        entries_[entry].next = first.entry;
        state_.set_first_in_flight(layout_, node, {entry, receive_endpoint});
        state_.arrival(layout_, node) = time;
    } else {
        Entry* ahead = &entries_[first.entry];
        while (ahead->next != kNone && before(entries_[ahead->next].receive_endpoint)) ahead = &entries_[ahead->next];
        entries_[entry].next = std::exchange(ahead->next, entry);
    }
    const ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
    if (head.awaited || head.in_choice || context_.in_order) {
        context_.requests.push_back(ResourceRequest::of_ejection(time, node, receive_endpoint));
    }
}

/// Which of two messages that arrive at the same time the NIC receives first.
bool NicArrivals::comes_before(ReceiveEndpointId receive_endpoint, ReceiveEndpointId other) const {
    const bool of_collective = layout_.is_of_collective(receive_endpoint) || layout_.is_of_collective(other);
    if (of_collective) return receive_endpoint < other;
    return layout_.receive_endpoint_numbers.before(receive_endpoint, other);
}

InFlightId NicArrivals::new_entry(ReceiveEndpointId receive_endpoint) {
    if (free_.empty()) {
        entries_.push_back({receive_endpoint, kNone});
        return {static_cast<std::uint32_t>(entries_.size() - 1)};
    }
    const InFlightId entry = free_.back();
    free_.pop_back();
    entries_[entry] = {receive_endpoint, kNone};
    return entry;
}

}  // namespace warpfront::engine
