// An event in a partition's calendar (calendar.hpp). It has a time, and a position among the events of this time.
//
// Simultaneous events take place in this order (event_order.hpp):
//   1  acknowledge, leave   a rank acts for a rendezvous (call_progress.hpp)
//      end_of_block         ... or its block ends, if ranks make progress in calls
//   2  arrival              a message begins to arrive at a NIC: by receiving rank, then channel
//   3  request, departure   a rank, or its nonblocking message, requests a resource of its node; or a block of
//                           computing begins or ends: by age, then rank
//   4  match                a message is taken in the order of arrival (matching.hpp): by age, then rank
//   5  links                a message requests links: by age, then rank. So all requests for links at a time are known
//                           before one is granted. Without a lookahead, further requests of this time may follow, and
//                           links are granted as they are requested
//                           time, and links are granted as they are requested
#pragma once

#include <cstdint>

#include "simulator/engine/state/ids.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::engine {

/// The kind of an event. The comments name the object whose number is in the EventId. A `revocable` event is a match or
/// the end of a block, which may be postponed or moved forward (RevocableEvent).
enum class EventKind : std::uint8_t {
    acknowledge,   // receive endpoint
    leave,         // send endpoint
    end_of_block,  // rank
    request,       // rank
    departure,     // send endpoint
    arrival,       // receive endpoint
    links,         // index in PartitionContext::link_requests
    revocable      // index in PartitionContext::revocable
};

/// The identity of an event: its kind and the number of its object.
class EventId {
public:
    static constexpr unsigned kIndexBits = 29;
    static constexpr std::uint32_t kMostIndices = std::uint32_t{1} << kIndexBits;

    constexpr EventId() = default;
    constexpr EventId(EventKind kind, std::uint32_t index)
        : bits_(std::uint32_t{static_cast<std::uint8_t>(kind)} << kIndexBits | index) {}
    template <typename Id>
    constexpr EventId(EventKind kind, Id id) : EventId(kind, id.index) {}

    constexpr EventKind kind() const { return static_cast<EventKind>(bits_ >> kIndexBits); }
    constexpr std::uint32_t index() const { return bits_ & (kMostIndices - 1); }
    Rank rank() const { return {index()}; }
    SendEndpointId send_endpoint() const { return {index()}; }
    ReceiveEndpointId receive_endpoint() const { return {index()}; }
    friend constexpr bool operator==(EventId, EventId) = default;

private:
    std::uint32_t bits_ = 0;
};

struct Event {
    std::int64_t time = 0;  // picoseconds of virtual time
    EventId id;
};
static_assert(sizeof(Event) == 16 && EventId::kMostIndices == kMostEndpoints);

}  // namespace warpfront::engine
