// What one node sends to another: the only way they interact. An event sent in one phase is taken before the next, and
// has no effect earlier than one lookahead after its cause, so it never comes too late (simulation.hpp).
//   post   the receiver has posted on this send endpoint's channel; effective at the sender no earlier than time +
//          lookahead
//   delay  the next data on this receive endpoint was delayed by `time` in links
//   request  the request of a rendezvous, `cost` being the number of its message, arrives on this receive endpoint, which
//          takes messages from any source
//   data   a message arrives on this receive endpoint at `time`
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/network/order.hpp"

namespace warpfront::engine {

struct RemoteEvent {
    enum Kind : std::uint32_t { post, delay, data, request };

    std::int64_t time = 0;
    std::uint32_t target = 0;  // post: send endpoint; else: receive endpoint
    std::uint32_t kind : 2 = data;
    std::uint32_t cost : 30 = 0;  // data; request: a number
};
static_assert(sizeof(RemoteEvent) == 16);

/// A message that wants links which other nodes use too; granted between phases in their order.
struct LinkRequest {
    network::Order order;
    std::uint32_t send_endpoint = 0;
    std::uint32_t cost = 0;
};

}  // namespace warpfront::engine
