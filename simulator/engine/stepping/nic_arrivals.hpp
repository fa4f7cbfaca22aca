// Messages in flight to the NICs of a partition's nodes. Each node has a list of its receive endpoints with messages in
// flight, in the order of arrival: (time, receiving rank, place of the channel in its program; messages of collectives
// last). Of one endpoint only the first such message counts, since messages of one channel do not overtake.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

class NicArrivals {
public:
    explicit NicArrivals(PartitionContext& context)
        : context_(context), layout_(context.layout), state_(context.state) {}

    /// A message will arrive on this receive endpoint at `time`, the first of those in flight to it.
    void add(ReceiveEndpointId receive_endpoint, std::int64_t time);
    /// Takes out the receive endpoint on which a message arrives first at the node.
    ReceiveEndpointId take_first(Node node);
    /// The first message in flight to this endpoint, where it is behind the head; null if the head is in flight.
    Backlog::Entry* first_behind_head(ReceiveEndpointId receive_endpoint) {
        const ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
        if (is(head, ReceiveState::in_flight)) return nullptr;
        return context_.backlog.first_in_flight(receive_endpoint);
    }
    std::uint64_t bytes() const { return entries_.capacity() * sizeof(Entry) + free_.capacity() * sizeof(InFlightId); }

private:
    struct Entry {
        ReceiveEndpointId receive_endpoint = kNone;
        InFlightId next = kNone;
    };

    bool comes_before(ReceiveEndpointId receive_endpoint, ReceiveEndpointId other) const;
    InFlightId new_entry(ReceiveEndpointId receive_endpoint);
    std::int64_t arrives_at(ReceiveEndpointId receive_endpoint) {
        const Backlog::Entry* const behind = first_behind_head(receive_endpoint);
        return behind == nullptr ? state_.receive_endpoints[receive_endpoint].time : behind->time;
    }

    PartitionContext& context_;
    const Layout& layout_;
    State& state_;
    IndexedVector<InFlightId, Entry> entries_;
    std::vector<InFlightId> free_;
};

inline ReceiveEndpointId NicArrivals::take_first(Node node) {
    const auto [taken, receive_endpoint] = state_.first_in_flight_of(layout_, node);
    const InFlightId following = entries_[taken].next;
    free_.push_back(taken);
    const ReceiveEndpointId next = following == kNone ? kNone : entries_[following].receive_endpoint;
    state_.set_first_in_flight(layout_, node, {following, next});
    state_.arrival(layout_, node) = following == kNone ? kHorizon.ps : arrives_at(next);
    return receive_endpoint;
}

}  // namespace warpfront::engine
