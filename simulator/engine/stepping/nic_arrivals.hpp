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
    void add(std::uint32_t receive_endpoint, std::int64_t time);
    /// Takes out the receive endpoint on which a message arrives first at the node.
    std::uint32_t take_first(std::uint32_t node);
    /// The first message in flight to this endpoint, where it is behind the head; null if the head is in flight.
    Backlog::Entry* first_behind_head(std::uint32_t receive_endpoint) {
        const ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
        if (head.state == static_cast<std::uint32_t>(ReceiveState::in_flight)) return nullptr;
        return context_.backlog.first_in_flight(receive_endpoint);
    }
    std::uint64_t bytes() const {
        return entries_.capacity() * sizeof(Entry) + free_.capacity() * sizeof(std::uint32_t);
    }

private:
    struct Entry {
        std::uint32_t receive_endpoint = kNone;
        std::uint32_t next = kNone;
    };

    bool comes_before(std::uint32_t receive_endpoint, std::uint32_t other) const;
    std::uint32_t new_entry(std::uint32_t receive_endpoint);
    std::int64_t arrives_at(std::uint32_t receive_endpoint) {
        const Backlog::Entry* const behind = first_behind_head(receive_endpoint);
        return behind == nullptr ? state_.receive_endpoints[receive_endpoint].time : behind->time;
    }

    PartitionContext& context_;
    const Layout& layout_;
    State& state_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> free_;
};

inline std::uint32_t NicArrivals::take_first(std::uint32_t node) {
    const auto [taken, receive_endpoint] = state_.first_in_flight_of(layout_, node);
    const std::uint32_t following = entries_[taken].next;
    free_.push_back(taken);
    const std::uint32_t next = following == kNone ? kNone : entries_[following].receive_endpoint;
    state_.set_first_in_flight(layout_, node, {following, next});
    state_.arrival(layout_, node) = following == kNone ? kHorizon.ps : arrives_at(next);
    return receive_endpoint;
}

}  // namespace warpfront::engine
