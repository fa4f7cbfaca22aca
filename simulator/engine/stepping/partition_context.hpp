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

/// A shared resource is wanted on `node` at `time` by `who`: a rank, the receive endpoint on which a message arrives
/// (ejection), or the send endpoint of a message that leaves without its rank (departure). Or an open receive of the
/// rank `who` is matched.
struct ResourceRequest {
    enum class Kind : std::uint8_t { of_rank, departure, ejection, match };

    std::int64_t time = 0;
    std::uint32_t node = 0;
    std::uint32_t who = 0;
    Kind kind = Kind::of_rank;
};

/// What one node sends to another: the only way they interact. An event sent in one round is taken before the next, and
/// has no effect earlier than one lookahead after its cause, so it never comes too late (parallel/simulation.hpp).
///   post     the receiver has posted on this send endpoint's channel; effective at the sender no earlier than time +
///            lookahead
///   delay    the next data on this receive endpoint was delayed by `time` in links
///   request  the request of a rendezvous, `cost` being the number of its message, arrives on this receive endpoint, which
///            takes messages from any source
///   data     a message arrives on this receive endpoint at `time`
struct RemoteEvent {
    enum Kind : std::uint32_t { post, delay, data, request };

    std::int64_t time = 0;
    std::uint32_t target = 0;  // post: send endpoint; else: receive endpoint
    std::uint32_t kind : 2 = data;
    std::uint32_t cost : 30 = 0;  // data; request: a number
};
static_assert(sizeof(RemoteEvent) == 16);

/// A message that wants links which other nodes use too; granted between rounds in their order.
struct LinkRequest {
    network::Order order;
    std::uint32_t send_endpoint = 0;
    std::uint32_t cost = 0;
};

struct PartitionContext {
    PartitionContext(const Layout& of_run, State& of_partition)
        : layout(of_run), state(of_partition), backlog(of_partition.queues, of_partition.budget) {}

    const Layout& layout;
    State& state;
    Backlog backlog;
    const std::vector<std::uint16_t>* partition_of = nullptr;  // by node; null: there is one partition
    bool in_order = false;          // one request of the machine at a time; for machines without lookahead
    bool own_links_at_once = true;  // links of one node alone may be granted on the spot in this round
    std::int64_t known_until = 0;   // all requests and arrivals before are known

    std::vector<std::uint32_t> ready;  // ranks that can go on
    std::vector<ResourceRequest> requests;
    std::vector<LinkRequest> link_requests;
    std::vector<std::vector<RemoteEvent>> remote_events{1};  // by partition of the target
    std::int64_t soonest_effect = kHorizon.ps;               // of the remote events since the round began
    std::uint64_t events = 0;                                // turns of ranks and requests granted
    std::uint32_t collective_sends = 0;  // messages of collectives that have been sent and have not left their node

    /// The rank's wait is over.
    void wake(std::uint32_t rank, RankLine& line) {
        check_horizon(rank, line);
        line.state = RankState::running;
        ready.push_back(rank);
    }
    /// `kHorizon` itself means never. Throws TimeOverflow.
    void check_horizon(std::uint32_t rank, const RankLine& line) const {
        if (line.clock >= kHorizon.ps) throw_overflow(rank, layout.code[line.at].site);
    }
    [[noreturn, gnu::cold, gnu::noinline]] static void throw_overflow(std::uint32_t rank, std::uint16_t site) {
        throw TimeOverflow({rank}, site);
    }

    /// Events for the node of rank `to`; they have no effect there before `effect`.
    std::vector<RemoteEvent>& events_for(std::uint32_t to, std::int64_t effect) {
        soonest_effect = std::min(soonest_effect, effect);
        return remote_events[partition_of == nullptr ? 0 : (*partition_of)[layout.node_of[to]]];
    }

    std::uint64_t bytes() const {
        std::uint64_t sum = backlog.bytes() + ready.capacity() * sizeof(std::uint32_t) +
                            requests.capacity() * sizeof(ResourceRequest) +
                            link_requests.capacity() * sizeof(LinkRequest);
        for (const auto& box : remote_events) sum += box.capacity() * sizeof(RemoteEvent);
        return sum;
    }
};

}  // namespace warpfront::engine
