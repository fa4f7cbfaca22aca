// What the parts that step one partition share: layout and state of the run, the ranks that can go on, and what
// stepping produces: requests for the resources of nodes, requests for links, events for other nodes. One thread at a
// time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulator/engine/state/failures.hpp"
#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/network/order.hpp"

namespace warpfront::engine {

/// Whether a rank's program goes on or the rank waits for an event.
enum class Next : std::uint8_t { go_on, stop };

/// A shared resource is requested on `node` at `time`: by a rank, for a message that leaves without its rank
/// (departure, by send endpoint), or for a message that arrives (ejection, by receive endpoint). Or an open receive of
/// a rank is to be matched, or a rank has to act for a rendezvous (stepping/call_progress.hpp).
struct ResourceRequest {
    enum class Kind : std::uint8_t { of_rank, departure, ejection, match, acknowledge, leave };

    std::int64_t time = 0;
    Node node;
    std::uint32_t index = 0;  // of the rank or the endpoint
    Kind kind = Kind::of_rank;

    static ResourceRequest of_rank(std::int64_t time, Node node, Rank rank) {
        return {time, node, rank.index, Kind::of_rank};
    }
    static ResourceRequest of_match(std::int64_t time, Node node, Rank rank) {
        return {time, node, rank.index, Kind::match};
    }
    static ResourceRequest of_acknowledgement(std::int64_t time, Node node, ReceiveEndpointId endpoint) {
        return {time, node, endpoint.index, Kind::acknowledge};
    }
    static ResourceRequest of_leaving(std::int64_t time, Node node, SendEndpointId endpoint) {
        return {time, node, endpoint.index, Kind::leave};
    }
    static ResourceRequest of_departure(std::int64_t time, Node node, SendEndpointId endpoint) {
        return {time, node, endpoint.index, Kind::departure};
    }
    static ResourceRequest of_ejection(std::int64_t time, Node node, ReceiveEndpointId endpoint) {
        return {time, node, endpoint.index, Kind::ejection};
    }

    Rank rank() const { return {index}; }  // of_rank, match
    SendEndpointId send_endpoint() const { return {index}; }
    ReceiveEndpointId receive_endpoint() const { return {index}; }
};

/// What one node sends to another: the only way they interact. An event sent in one round is taken before the next, and
/// has no effect earlier than one lookahead after its cause, so it never comes too late (parallel/simulation.hpp).
///   post     the receiver has posted on this send endpoint's channel, or acknowledges in a call; effective at the
///            sender no earlier than time + lookahead
///   delay    the next data on this receive endpoint was delayed by `time` in links
///   request  the request of a rendezvous, whose message has this number on its channel, arrives on this receive
///            endpoint, which takes messages from any source or acknowledges in calls
///   data     a message arrives on this receive endpoint at `time`
struct RemoteEvent {
    enum Kind : std::uint32_t { post, delay, data, request };
    static constexpr std::uint32_t kNumberMask = (1U << 29U) - 1;

    std::int64_t time = 0;
    std::uint32_t endpoint_index = 0;  // post: of a send endpoint; else: of a receive endpoint
    std::uint32_t kind : 2 = data;
    std::uint32_t number : 29 = 0;   // data: of its cost; request: of its message
    std::uint32_t in_calls : 1 = 0;  // of a request: it is acknowledged in a call

    static RemoteEvent of_post(std::int64_t posted, SendEndpointId endpoint) { return {posted, endpoint.index, post}; }
    static RemoteEvent of_delay(std::int64_t delay, ReceiveEndpointId endpoint) {
        return {delay, endpoint.index, RemoteEvent::delay};
    }
    static RemoteEvent of_data(std::int64_t arrives, ReceiveEndpointId endpoint, CostId cost) {
        return {arrives, endpoint.index, data, cost.index & kNumberMask};
    }
    static RemoteEvent of_request(std::int64_t arrives, ReceiveEndpointId endpoint, std::uint32_t message,
                                  bool in_calls) {
        return {arrives, endpoint.index, request, message & kNumberMask, in_calls};
    }
    /// A message's number on its channel, as events have it.
    static std::uint32_t number_of(std::uint32_t message) { return message & kNumberMask; }

    SendEndpointId send_endpoint() const { return {endpoint_index}; }
    ReceiveEndpointId receive_endpoint() const { return {endpoint_index}; }
    CostId cost() const { return {number}; }
};
static_assert(sizeof(RemoteEvent) == 16);

/// A message that wants links which other nodes use too; granted between rounds in their order.
struct LinkRequest {
    network::Order order;
    SendEndpointId send_endpoint;
    CostId cost;
};

struct PartitionContext {
    PartitionContext(const Layout& of_run, State& of_partition)
        : layout(of_run), state(of_partition), backlog(of_partition.queues, of_partition.budget) {}

    const Layout& layout;
    State& state;
    Backlog backlog;
    const IndexedVector<Node, std::uint16_t>* partition_of = nullptr;  // null: there is one partition
    bool in_order = false;          // one request of the machine at a time; for machines without lookahead
    bool own_links_at_once = true;  // links of one node alone may be granted on the spot in this round
    std::int64_t known_until = 0;   // all requests and arrivals before are known

    std::vector<Rank> ready;  // can go on
    std::vector<ResourceRequest> requests;
    std::vector<LinkRequest> link_requests;
    std::vector<std::vector<RemoteEvent>> remote_events{1};  // by partition of the target
    std::int64_t soonest_effect = kHorizon.ps;               // of the remote events since the round began
    std::uint64_t events = 0;                                // turns of ranks and requests granted
    std::uint32_t collective_sends = 0;  // messages of collectives that have been sent and have not left their node

    /// The rank's wait is over.
    void wake(Rank rank, RankLine& line) {
        check_horizon(rank, line);
        line.state = RankState::running;
        ready.push_back(rank);
    }
    /// `kHorizon` itself means never. Throws TimeOverflow.
    void check_horizon(Rank rank, const RankLine& line) const {
        if (line.clock >= kHorizon.ps) throw_overflow(rank, layout.code[line.at].site);
    }
    [[noreturn, gnu::cold, gnu::noinline]] static void throw_overflow(Rank rank, std::uint16_t site) {
        throw TimeOverflow(rank, site);
    }

    /// Events for the node of rank `to`; they have no effect there before `effect`.
    std::vector<RemoteEvent>& events_for(Rank to, std::int64_t effect) {
        soonest_effect = std::min(soonest_effect, effect);
        return remote_events[partition_of == nullptr ? 0 : (*partition_of)[layout.node_of[to]]];
    }

    std::uint64_t bytes() const {
        std::uint64_t sum = backlog.bytes() + ready.capacity() * sizeof(Rank) +
                            requests.capacity() * sizeof(ResourceRequest) +
                            link_requests.capacity() * sizeof(LinkRequest);
        for (const auto& box : remote_events) sum += box.capacity() * sizeof(RemoteEvent);
        return sum;
    }
};

}  // namespace warpfront::engine
