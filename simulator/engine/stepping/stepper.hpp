// Steps the ranks of one partition through their programs: the protocol of every message, acted out on the state.
//
// A rank is stepped until it must wait: for a message, for its partner's post, or for a shared resource. Only the last
// needs an order; it is put to the caller as a timed request (`timed`), and answered through `serve_node` in the total
// order (time, age, rank) of that node. All else is dataflow: whoever completes a wait computes when the waiter goes on
// and wakes it, whatever the order in which ranks are stepped.
//
// Protocol (network/cost.hpp gives the costs):
//   eager      busy_send; bus; NIC; links; arrives `flight` after it has left, its sender busy_after
//   rendezvous  busy_send; request arrives `request` later; met by the posted receive at the later of the two times;
//              acknowledgement `answer` back; then as eager. The receiver tells the sender when it posts; when the
//              request itself arrives, only the sender needs to know
//   isend      eager: as a send. Rendezvous: busy_send; its rank goes on while request and post meet, and waits for the
//              acknowledgement later. What holds a shared resource asks for it no sooner than its rank waits
//   limited    where the machine limits eager messages (eager_window.hpp): one that goes beyond waits for a post as a
//              rendezvous does, but makes no request
//   receive    ejected by the NIC as it arrives; at the later of posting and being ejected: bus; busy_recv; goes on
// A sender goes on once the last resource of its node is granted; what links add delays the message alone. Links are
// asked for when the message leaves its node: each in turn, later by what was waited before. Where links are circuits
// (machine::Links::circuit) the message takes all of them at once, its sender waits for that, and of the senders that
// wait the oldest wave is first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/engine/noise.hpp"
#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/remote_event.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/arbitration.hpp"
#include "simulator/engine/stepping/iteration_tracker.hpp"

namespace warpfront::engine {

/// Somebody on `node` wants a shared resource at `time`: rank `who`, or the message arriving on receive endpoint `who`.
struct ResourceRequest {
    std::int64_t time = 0;
    std::uint32_t node = 0;
    std::uint32_t who = 0;
    bool ejection = false;
};

/// A corner of the array has done a tile after which the machine is worth a look; `keeps` if others will be compared.
struct TileProbe {
    std::int64_t time = 0;
    bool keeps = false;
};

class Stepper {
public:
    /// No `compute_time`: every block takes what its program says.
    Stepper(const Layout& layout, State& state, const ComputeTime* compute_time);

    void start(std::uint32_t rank, std::uint32_t entry);
    /// Steps until nobody can go on without a timed request, a signal or a release, or until `most` ranks have been
    /// stepped; false if somebody can still go on.
    bool run_until_quiescent(std::uint64_t most = kAll);
    bool quiescent() const { return ready_.empty(); }
    static constexpr std::uint64_t kAll = ~std::uint64_t{0};

    /// Takes in what other nodes have sent. Call run_until_quiescent() after.
    void take(const std::vector<RemoteEvent>& signals);
    /// All requests and arrivals before `time` are known by now.
    void know_until(std::int64_t time) { known_until_ = std::max(known_until_, time); }
    /// The node's NICs take in what has arrived before `time`, for which nobody waits.
    void drain_nics(std::uint32_t node, std::int64_t time);
    /// Grants all requests of the node before `limit`, earliest first; those they lead to join in.
    void serve_node(std::uint32_t node, std::int64_t limit);
    /// Grants one request, the earliest of the whole machine, links included; for machines without lookahead.
    void serve_in_order(const ResourceRequest& timed);
    /// Whether the links of its own may be granted on the spot in this phase.
    void grant_own_links(bool allowed) { grants_own_links_ = allowed; }

    std::vector<ResourceRequest>& timed() { return timed_; }
    /// Made by the first and the last rank if `probes_tiles`: after tiles 4, 8, 16, ... of a loop, and the eight that
    /// follow each, so that a sweep is looked at a few times only, whatever its length, and periods up to eight are
    /// found.
    std::vector<TileProbe>& tile_probes() { return tile_probes_; }
    bool probes_tiles = false;

    std::vector<LinkRequest>& departures() { return departures_; }
    /// By partition of the target.
    std::vector<std::vector<RemoteEvent>>& signals() { return signals_; }
    /// The least time that a signal sent since the last call may take effect.
    std::int64_t soonest_effect() { return std::exchange(soonest_effect_, kHorizon.ps); }
    /// All requests will be granted by serve_in_order.
    void grant_in_order() { in_order_ = true; }
    void address(std::uint32_t partitions, const std::vector<std::uint16_t>* partition_of);

    const std::vector<std::uint32_t>& held() const { return held_; }
    bool hold_at_iterations = false;
    void release_held();

    std::uint32_t done() const { return done_; }
    std::uint64_t messages() const { return messages_; }
    std::uint64_t messages_of_collectives() const { return messages_of_collectives_; }
    std::uint64_t events() const { return events_; }
    /// Messages of collectives that have been begun and have not left their node.
    std::uint32_t collective_sends() const { return collective_sends_; }
    IterationTracker& iteration_tracker() { return tracker_; }
    const IterationTracker& iteration_tracker() const { return tracker_; }
    Backlog& backlog() { return backlog_; }
    const Backlog& backlog() const { return backlog_; }
    std::uint64_t bytes() const;

    /// The position of a request in its rank's program.
    network::Age age_of(const RankLine& line) const { return engine::age_of(layout_, line); }

    /// A message leaves its node for good: arrives `flight` later, or is told to the partition of its receiver. Of what
    /// it waits for links only that delays it which copying it does not make it wait anyway.
    void transmit(const SendEndpoint& send_endpoint, std::int64_t leaves, std::int64_t link_wait, std::uint32_t cost);

private:
    enum class Next : std::uint8_t { go_on, stop };

    // programs.cpp
    void run(std::uint32_t rank);
    void wake(std::uint32_t rank, RankLine& line);
    void check_horizon(std::uint32_t rank, const RankLine& line) const;
    [[noreturn]] void arrives_too_late(const SendEndpoint& out, std::uint32_t cost) const;
    Time compute_time(std::uint32_t rank, const RankLine& line, Time nominal);
    Next collective(std::uint32_t rank, RankLine& line, std::uint32_t size);
    Next end_iteration(RankLine& line);
    void probe_tile(const RankLine& line, const program::Instruction& end);

    // protocol.cpp
    Next send(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, std::uint32_t size);
    Next send_begun(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, std::uint32_t cost);
    bool begin_message(std::uint32_t send_endpoint, std::uint32_t cost);
    bool may_leave(std::uint32_t send_endpoint, const network::MessageCost& cost) const;
    std::int64_t leaves_at(std::uint32_t send_endpoint, std::int64_t asked, const network::MessageCost& cost) const;
    Next request_departure(std::uint32_t rank, RankLine& line, std::uint32_t cost);
    void leave_without_links(std::uint32_t rank, const RankLine& line, std::uint32_t cost);
    void post(RankLine& line, std::uint32_t receive_endpoint);
    void accept_post(std::uint32_t send_endpoint, std::int64_t posted);
    void prefetch(const std::vector<RemoteEvent>& signals, std::size_t k) const;
    void prefetch_channel(const RemoteEvent& coming) const;
    Next await(std::uint32_t rank, RankLine& line, std::uint32_t receive_endpoint);
    Next receive(std::uint32_t rank, RankLine& line, std::uint32_t receive_endpoint);
    void arrive(std::uint32_t receive_endpoint, std::int64_t time, std::int64_t link_delay, std::uint32_t cost);
    void blame(std::uint32_t rank, std::uint32_t receive_endpoint, std::int64_t waited);
    void pop(std::uint32_t receive_endpoint, ReceiveEndpoint& head);

    // isend.cpp
    Next start_send(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, std::uint32_t size);
    Next await_sent(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint);
    bool meet_started(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint);
    bool departs_asynchronously(std::uint32_t cost) const;
    void depart_asynchronously(std::uint32_t send_endpoint);
    Next leave_waited_for(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint);

    // service.cpp
    void ask(std::uint32_t rank, RankLine& line, RankState what, std::uint32_t cost);
    void serve(std::uint32_t rank, std::int64_t limit);
    bool ask_again(std::uint32_t rank, RankLine& line, RankState what, std::int64_t granted);
    bool depart(std::uint32_t rank, RankLine& line, std::int64_t asked, std::int64_t limit);
    bool take_circuit(RankLine& line, const LinkRequest& departure);
    const network::Packets& own_packets(std::uint32_t cost) const { return layout_.packets_of_own[cost]; }
    void enter_flight(std::uint32_t receive_endpoint, std::int64_t time);
    bool comes_before(std::uint32_t receive_endpoint, std::uint32_t other) const;
    std::uint32_t new_in_flight(std::uint32_t receive_endpoint);
    std::int64_t arrives_at(std::uint32_t receive_endpoint);
    Backlog::Entry* first_in_flight(std::uint32_t receive_endpoint);
    void await_in_flight(std::uint32_t receive_endpoint, std::uint32_t node);
    void receive_at_nic(std::uint32_t node);

    network::Server& server(const RankLine& line, std::uint32_t offset) {
        return state_.servers[layout_.hot_state_of(line.node) + offset + layout_.group_of_core[line.core]];
    }
    bool is_marked(std::uint32_t rank) const { return rank == 0 || rank + 1 == layout_.ranks; }
    void takes_effect_at(std::int64_t time) { soonest_effect_ = std::min(soonest_effect_, time); }
    std::uint32_t send_endpoint_in_use(std::uint32_t rank, const RankLine& line) const;
    static void advance(RankLine& line) { line.collective_position > 0 ? ++line.collective_position : ++line.at; }

    const Layout& layout_;
    State& state_;
    const ComputeTime* compute_time_;
    IterationTracker tracker_;
    Backlog backlog_;
    const std::vector<std::uint16_t>* partition_of_ = nullptr;  // by node; null: all in one
    std::vector<std::vector<RemoteEvent>> signals_{1};
    std::vector<LinkRequest> departures_;
    std::vector<TileProbe> tile_probes_;
    std::vector<ResourceRequest> timed_;
    /// An receive endpoint with messages on their way, in the list of its node by (time of the first, receive
    /// endpoint).
    struct InFlight {
        std::uint32_t receive_endpoint = kNone;
        std::uint32_t next = kNone;
    };
    std::vector<InFlight> in_flight_;
    std::vector<std::uint32_t> free_in_flight_;
    /// A rendezvous that its rank has begun without waiting for it.
    struct Started {
        std::int64_t asked = 0;
        std::uint32_t cost = 0;
        std::optional<std::int64_t> left;
    };
    std::unordered_map<std::uint32_t, Started> started_;  // by send endpoint; looked up, never iterated
    std::vector<std::uint32_t> ready_;
    std::vector<std::uint32_t> turn_;
    std::vector<std::uint32_t> held_;
    std::vector<machine::LinkId> route_;
    std::int64_t soonest_effect_ = kHorizon.ps;
    std::int64_t known_until_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t messages_of_collectives_ = 0;
    std::uint64_t events_ = 0;
    std::uint32_t done_ = 0;
    std::uint32_t collective_sends_ = 0;
    bool grants_own_links_ = true;
    bool in_order_ = false;
};

/// Grants the links of a message's route, each asked for when the one before is granted; returns when the last is.
std::int64_t grant_route(const Layout& layout, State& state, const LinkRequest& departure,
                         std::vector<machine::LinkId>& route);

}  // namespace warpfront::engine
