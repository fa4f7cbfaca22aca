// All data for the simulation of one partition: layout and state of the run, the partition's calendar, the ranks that
// can continue, and events for other partitions. The code that works on these data (program_interpreter.hpp,
// message_protocol.hpp) has no state of its own. Only one thread at a time may use a context.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/engine/state/failures.hpp"
#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/begun_messages.hpp"
#include "simulator/engine/stepping/calendar.hpp"
#include "simulator/engine/stepping/call_progress.hpp"
#include "simulator/engine/stepping/channel_lines.hpp"
#include "simulator/engine/stepping/collective_intervals.hpp"
#include "simulator/engine/stepping/event_order.hpp"
#include "simulator/engine/stepping/iteration_tracker.hpp"
#include "simulator/engine/stepping/matching.hpp"

#include "simulator/engine/stepping/packet_trains.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::engine {

/// Whether a rank's program continues, or stops to wait for an event.
enum class Next : std::uint8_t { go_on, stop };

/// An event that one partition sends to another. The other partition receives it before the next window. It has no
/// effect earlier than one lookahead after its cause, so it never comes too late (parallel/simulation.hpp).
///   post     the receiver has posted on this send endpoint's channel, or acknowledges in a call; effective at the
///            sender at time + lookahead or later
///   delay    links have delayed the next data on this receive endpoint by `time`
///   request  the request of a rendezvous arrives on this receive endpoint, which receives from any source or
///            acknowledges in calls; `number` is the number of the message on its channel
///   data     a message arrives on this receive endpoint at `time`
///   sent     a message to this receive endpoint begins to be sent; the endpoint belongs to a send order. This event
///            alone has no effect
struct RemoteEvent {
    enum Kind : std::uint32_t { post, delay, data, request, sent };
    static constexpr std::uint32_t kNumberMask = (1U << 28U) - 1;

    std::int64_t time = 0;
    std::uint32_t endpoint_index = 0;  // for a post, index of a send endpoint; otherwise, index of a receive endpoint
    std::uint32_t kind : 3 = data;
    std::uint32_t number : 28 = 0;   // for data, index of its cost; for a request, number of its message
    std::uint32_t in_calls : 1 = 0;  // for a request: 1 if it is acknowledged in a call

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
    static RemoteEvent of_sent(ReceiveEndpointId endpoint) { return {0, endpoint.index, sent}; }
    /// Returns the lower bits of a message's number on its channel, which an event stores.
    static std::uint32_t number_of(std::uint32_t message) { return message & kNumberMask; }

    SendEndpointId send_endpoint() const { return {endpoint_index}; }
    ReceiveEndpointId receive_endpoint() const { return {endpoint_index}; }
    CostId cost() const { return {number}; }
};
static_assert(sizeof(RemoteEvent) == 16);

/// The numbers of messages of a node that still have to depart, or to request own links.
struct PendingMessages {
    /// Messages that wait for a post, or for the time to depart. Counted only if messages depart in order.
    std::uint32_t departing = 0;
    /// Messages of channels that request own links when they leave. Counted only if there are collectives.
    std::uint32_t on_own_links = 0;
};

struct PartitionContext {
    /// Makes a context. Without `takes`, every block takes the time of its program.
    PartitionContext(const Layout& of_run, State& of_partition, const variation::ComputeTime* takes = nullptr)
        : layout(of_run),
          state(of_partition),
          compute_time(takes),
          backlog(of_partition.queues, of_partition.delay_numbers, of_partition.budget),
          order(of_run, of_partition, begun, link_requests, revocable),
          calendar(order),
          send_orders(of_run),
          choices(of_run, send_orders),
          pending(of_run.departs_in_order || of_run.collective_steps > 0 ? of_run.nodes : 0) {}
    PartitionContext(const PartitionContext&) = delete;
    PartitionContext& operator=(const PartitionContext&) = delete;

    const Layout& layout;
    State& state;
    const variation::ComputeTime* const compute_time;
    Backlog backlog;
    BegunMessages begun;
    NumberedList<LinkRequest> link_requests;
    NumberedList<RevocableEvent> revocable;
    const EventOrder order;
    Calendar<EventOrder> calendar;
    PacketGrants packets{*this};
    ChannelLines lines{link_requests};
    Time window{1};  // length of a window (parallel/simulation.hpp)
    std::int64_t window_begin = -1;
    std::int64_t now = 0;           // the time of the current event
    std::int64_t limit = 0;         // events before this time take place in this round
    bool nothing_else_now = false;  // true if a request for the present time can be granted at once

    std::vector<Rank> ready;  // ranks that can continue
    std::vector<Rank> turn;   // ranks that are simulated before the ranks that they wake
    std::uint32_t done = 0;
    std::uint64_t messages = 0;
    std::uint64_t messages_of_collectives = 0;
    std::uint32_t in_collectives = 0;                        // number of ranks in a collective
    std::array<variation::ComputeTime::Block, 64> blocks{};  // the latest blocks of computing, by instruction modulo 64

    // Pausing: a rank that has ended an iteration is paused at the beginning of the next iteration until the state is
    // observed. If a paused rank would act before an event that has already taken place, pausing ends for the rest of
    // the run.
    bool pauses_at_iterations = false;
    std::vector<Rank> paused;                                    // paused ranks
    std::int64_t paused_until = kHorizon.ps;                     // no paused rank acts before this time
    std::uint64_t first_wave_after_pausing = ~std::uint64_t{0};  // first wave after pausing ended, in a window
    std::int64_t pausing_ended_until = 0;                        // end of the window in which pausing ended
    IterationTracker tracker;

    // Members for features that only some programs or machines have.
    SendOrders send_orders;
    Choices choices;
    CallProgress progress;
    IndexedVector<Rank, std::uint32_t> block_ends;  // event at the end of each rank's block, for SharedMemory
    IndexedVector<Node, PendingMessages> pending;   // only if messages depart in order, or if there are collectives
    /// Arrival of the message that leaves now, if it is known; for senders that wait for the arrival.
    std::optional<std::int64_t> arrival;
    const IndexedVector<Node, std::uint16_t>* partition_of = nullptr;  // null if there is one partition
    bool keeps_groups = false;                                         // as in Division::keeps_groups
    std::vector<std::vector<RemoteEvent>> remote_events{1};  // remote events of this round, by target partition
    std::vector<machine::LinkId> route;                      // memory that is used again
    std::uint64_t requests_for_links = 0;                    // number of requests for links so far
    std::vector<LinkRequestId> links_wanted;                 // requests for links that are granted between rounds
    std::int64_t soonest_effect = kHorizon.ps;               // earliest effect of remote events since the window began
    std::uint64_t events = 0;                                // number of events of the calendar, and of turns of ranks

    /// The number of messages of collectives that have been sent but have not been granted links. They may use own
    /// links of nodes in an order that differs from the order in which messages leave.
    std::uint32_t astray = 0;
    /// A message of a collective that is sent in this window or later requests its links at this time or later.
    std::int64_t none_astray_until = 0;
    std::uint32_t ranks = layout.ranks;              // number of ranks in this partition
    const CollectiveIntervals* intervals = nullptr;  // null if not requested
    CollectivesLeft collectives_left;

    /// Returns true in the usual case, for which there is specialised code: nothing is recorded, ranks wait for each of
    /// their messages, and messages are received in the order of the program.
    bool is_plain() const {
        return state.paths == nullptr && state.timeline == nullptr && !state.records_activity && !layout.has_choices &&
               !layout.has_begun && !layout.progress_in_calls && !layout.senders_wait && !layout.memory.shared;
    }

    std::uint64_t all_messages() const { return messages + messages_of_collectives; }
    /// Requests the resources of a message of this cost, or computing, at the rank's clock. The clock may precede the
    /// present time in one case: the rank has begun to copy out a message whose arrival becomes known only now
    /// (packet_trains.hpp).
    [[gnu::always_inline]] void request(Rank rank, RankLine& line, RankState what, CostId cost) {
        check_horizon(rank, line);
        line.state = what;
        line.request_cost = cost;
        calendar.add(std::max(line.clock, now), {EventKind::request, rank});
    }
    /// Ends the rank's wait.
    void wake(Rank rank, RankLine& line) {
        check_horizon(rank, line);
        line.state = RankState::running;
        ready.push_back(rank);
    }
    /// Throws TimeOverflow if a clock exceeds `kHorizon`. `kHorizon` itself means never.
    void check_horizon(Rank rank, const RankLine& line) const {
        if (line.clock >= kHorizon.ps) throw_overflow(rank, layout.code[line.at].site);
    }
    [[noreturn, gnu::cold, gnu::noinline]] static void throw_overflow(Rank rank, std::uint16_t site) {
        throw TimeOverflow(rank, site);
    }

    /// Returns the end of the window. The state is observed only when all events before this time have taken place.
    std::int64_t window_end() const { return window_begin + window.ps; }
    /// Advances to an event at `time`.
    void come_to(std::int64_t time) {
        now = time;
        if (now >= window_end()) begin_window();
    }
    /// Returns the time up to which a round has served events: all events before it have taken place, and no later
    /// ones. It is the limit of the round. If no event is left, it may be the end of the last event's window.
    std::int64_t granted_until() { return calendar.first_time() < kHorizon.ps ? limit : std::min(limit, window_end()); }
    /// Begins the window of the present event. With several partitions, Simulation does this between rounds.
    void begin_window() {
        window_begin = now / window.ps * window.ps;
        if (partition_of != nullptr) return;
        note_astray(astray, collectives_left);
    }
    /// Determines until when no message is astray. It follows from the number of astray messages in the whole machine
    /// at the beginning of the window, and from the ranks that have left collectives.
    void note_astray(std::uint64_t are_astray, const CollectivesLeft& left) {
        none_astray_until = 0;
        if (are_astray > 0) return;
        const bool none_in_one = intervals != nullptr && left.is_over_at(window_begin, layout.ranks);
        const std::int64_t soonest = none_in_one ? std::max(window_begin, left.soonest_next) : window_begin;
        none_astray_until = std::min(soonest, kHorizon.ps - 1) + layout.soonest_collective.ps;
    }
    /// Records that a rank leaves its current collective.
    void leave_collective(const RankLine& line) {
        --in_collectives;
        if (intervals != nullptr) collectives_left.leave(line.clock, intervals->after(line.at), ranks);
    }
    /// Ends the round at the end of this window. It is called when a rank has ended an iteration, since the state may
    /// then be observed.
    void end_window() { limit = std::min(limit, window_end()); }

    /// Returns true if a message that leaves at `time` can be granted own links now. There are three conditions: no
    /// message of its node still has to request own links; no message was astray at the beginning of the window;
    /// messages of collectives that have been sent since then leave later.
    bool may_take_own_link(Node node, std::int64_t time) const {
        if (!layout.own_links_ahead) return false;
        if (layout.collective_steps == 0) return true;
        return time < none_astray_until && pending[node].on_own_links == 0;
    }
    /// Returns true if links can be granted now to a message that requests them now. There are two conditions: the
    /// links are used by this partition only, or there is one partition; and messages of collectives come later, as for
    /// own links. If two routes have a link in common, the result is the same for both.
    bool may_grant_route(SendEndpointId sender) const {
        if (partition_of == nullptr) return true;
        if (layout.is_of_collective(sender)) return false;
        const std::uint32_t own = state.send_endpoint(sender).own_link;
        const bool alone = own != kRouted || (keeps_groups && layout.stored_routes.contains(sender));
        return alone && (layout.collective_steps == 0 || now < none_astray_until);
    }

    /// Returns the list of events for the node of rank `to`. They have no effect there before `effect`.
    std::vector<RemoteEvent>& events_for(Rank to, std::int64_t effect) {
        soonest_effect = std::min(soonest_effect, effect);
        return remote_events[partition_of == nullptr ? 0 : (*partition_of)[layout.node_of[to]]];
    }

    std::uint64_t bytes() const {
        std::uint64_t sum = backlog.bytes() + begun.bytes() + link_requests.bytes() + revocable.bytes() +
                            calendar.bytes() + packets.bytes() + lines.bytes() + choices.bytes() + send_orders.bytes() +
                            progress.bytes() + (ready.capacity() + turn.capacity() + paused.capacity()) * sizeof(Rank) +
                            block_ends.capacity() * sizeof(std::uint32_t) +
                            links_wanted.capacity() * sizeof(LinkRequestId);
        for (const auto& box : remote_events) sum += box.capacity() * sizeof(RemoteEvent);
        return sum;
    }
};

/// The features of a run beyond plain messages, for the code that simulates the run.
template <bool kPlain>
struct Features {
    const Layout& layout;
    const State& state;

    CriticalPaths* paths() const { return kPlain ? nullptr : state.paths; }
    TimelineRecorder* timeline() const { return kPlain ? nullptr : state.timeline; }
    bool records_activity() const { return !kPlain && state.records_activity; }
    bool has_choices() const { return !kPlain && layout.has_choices; }
    bool has_begun() const { return !kPlain && layout.has_begun; }
    bool numbers_messages() const { return !kPlain && layout.numbers_messages; }
    bool progress_in_calls() const { return !kPlain && layout.progress_in_calls; }
    bool senders_wait() const { return !kPlain && layout.senders_wait; }
    bool memory_shared() const { return !kPlain && layout.memory.shared; }
};

}  // namespace warpfront::engine
