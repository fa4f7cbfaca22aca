// The protocol of every message, from its send to its receiver, performed on the state of a partition.
//
// Protocol (network/cost.hpp gives the costs):
//   eager       busy_send; bus; NIC; links; the message arrives `flight` after it has left; its sender: busy_after
//   rendezvous  busy_send; request arrives `request` later; met by the posted receive at the later of the two times;
//               acknowledgement `answer` back; then as eager. The receiver notifies the sender when it posts; the
//               arrival of the request itself is computed by the sender alone
//   isend       eager: as a send. Rendezvous: busy_send; then the rank continues while request and post meet and the
//               message leaves (begun_messages.hpp). The rank waits later until the message has left
//   in calls    a rendezvous that is nonblocking on one side or both is acknowledged, and its data leaves, only while
//               the rank that has to act is in a call (call_progress.hpp)
//   any source  the receiver matches the earliest of the messages, and of the requests of rendezvous, that have arrived
//               (matching.hpp), and the messages of one source in the order of sending; this match meets a rendezvous.
//               A receive that is posted for any source is matched while its rank continues
//   processed   if one core processes the messages of a node, this core is requested before busy_send and busy_recv
//   receive     received by the NIC on arrival; at the later of posting and being received: bus; busy_recv; continues
// A sender continues once the last resource of its node is granted; link waits delay only the message. The sender of a
// rendezvous may wait longer, until its bytes have left or arrived (`sender_goes_on`; network/cost.hpp). The first link
// is requested when the message leaves its node, and each further link when the previous one is granted.
//
// The methods for operations of a rank's program return whether the program continues, and set the rank's clock to the
// end of the operation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/engine/recording/timeline_recorder.hpp"
#include "simulator/engine/stepping/begun_messages.hpp"
#include "simulator/engine/stepping/call_progress.hpp"
#include "simulator/engine/stepping/matching.hpp"
#include "simulator/engine/stepping/node_resources.hpp"
#include "simulator/engine/stepping/packet_grants.hpp"
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

/// A message that is about to leave its node. All messages depart through the same functions. Blocking and nonblocking
/// messages differ only in the object that stores the request, and in the effect of the end of the departure.
struct DepartingMessage {
    Rank rank;  // the sender
    SendEndpointId send_endpoint;
    Requester& requester;           // the line of the rank, if it waits for the message; otherwise the message itself
    BegunMessage* begun = nullptr;  // the nonblocking message; null: the rank waits for the message
};

/// The endpoints of a blocked rank outside collectives, any of which could end its wait.
struct Partners {
    bool sends = false;
    std::vector<std::uint32_t> places;  // places of send endpoints if `sends`, otherwise of receive endpoints
};

/// GCC ignores attributes at a member's definition outside the class, so `always_inline` is given at its declaration.
/// The functions that every message calls have this attribute, except where a caller would run out of registers
/// (`take_links`, `receive_at_nic`).
template <bool kPlain>
class MessageProtocol {
public:
    explicit MessageProtocol(PartitionContext& context)
        : context_(context),
          layout_(context.layout),
          state_(context.state),
          run_{layout_, state_},
          ranks_(state_.ranks),
          receive_endpoints_(state_.receive_endpoints),
          costs_(layout_.costs),
          code_(layout_.code),
          resources_(context),
          begun_(context.begun),
          choices_(context.choices),
          send_orders_(context.send_orders),
          candidates_(context.candidates),
          open_(context.open),
          progress_(context.progress),
          packets_(context) {}

    // Operations of a rank's program. `size` is an index into Layout::sizes.
    Next send(Rank rank, RankLine& line, SendEndpointId send_endpoint, SizeId size);
    Next isend(Rank rank, RankLine& line, SendEndpointId send_endpoint, SizeId size);
    Next wait_send(Rank rank, RankLine& line, SendEndpointId send_endpoint);
    /// Waits for the first message of the choice.
    Next choose(Rank rank, RankLine& line);
    /// Posts a nonblocking receive for the first message of the choice.
    Next post_for_any(Rank rank, RankLine& line);
    /// Waits for the receive that the rank has posted for the choice.
    Next wait_for_open(Rank rank, RankLine& line);
    /// Sends a message to the source of the message that the rank has taken last.
    Next reply(Rank rank, RankLine& line, SizeId size);
    Next ireply(Rank rank, RankLine& line, SizeId size);
    Next wait_reply(Rank rank, RankLine& line);
    /// Posts a receive: now, or at `time`.
    void post(const RankLine& line, ReceiveEndpointId receive_endpoint) { post(line.clock, receive_endpoint); }
    void post(std::int64_t time, ReceiveEndpointId receive_endpoint);
    Next wait_receive(Rank rank, RankLine& line, ReceiveEndpointId receive_endpoint);

    /// Records, if requested, the activity of the rank up to its clock.
    void advance(Rank rank, const RankLine& line, record::Activity activity);

    // Events of the calendar.
    /// Grants the request of the rank.
    [[gnu::always_inline]] Next serve(Rank rank, RankLine& line);
    /// Grants the request of this nonblocking message.
    void depart_begun(SendEndpointId send_endpoint);
    /// Lets the NIC receive the first message in flight to this endpoint. Returns the rank that continues because of
    /// this message, or kNone.
    Rank receive_at_nic(ReceiveEndpointId receive_endpoint);
    /// Serves a request for links whose time has come.
    void serve_links(LinkRequestId request);
    /// Grants links to a message of one packet that has left its node.
    void grant_links(const LinkRequest& request);
    /// Performs an action of a rank for a rendezvous: at once, or at the end of its blocks if it is computing.
    void act(ProgressStep step);
    /// Matches a message of the rank's choice.
    Next match(Rank rank, RankLine& line);
    /// Matches the next open receive of the rank.
    void match_open(Rank rank);

    // Messages between nodes.
    /// Handles remote events that another partition has sent.
    void take(const std::vector<RemoteEvent>& events);
    /// A message that has left its node, with its delay by links.
    struct Transmission {
        std::int64_t leaves = 0;
        std::int64_t link_delay = 0;
        std::int64_t arrives = 0;
    };
    [[gnu::always_inline]] void transmit(const SendEndpoint& out, const Transmission& way, CostId cost);
    /// Reports that a message of this end would arrive after the end of virtual time.
    [[noreturn]] void throw_arrives_too_late(const SendEndpoint& out, CostId cost) const;

    /// Begins a block of a rank that makes progress in calls, and stops the rank until the end of the block.
    Next begin_block(Rank rank, RankLine& line, Time lasts);
    /// Notes that the rank is in no call from its clock on. It is called for a block that shares memory bandwidth.
    void leave_call(Rank rank, const RankLine& line) { progress_.leave_call(rank, line.clock); }
    /// Ends the blocks of the rank before a message operation: performs the actions that became due during the blocks.
    void enter_call(Rank rank, const RankLine& line);

    // Receives that a wait_any may complete, for ranks that take messages in the order of arrival.
    void post_for_wait_any(ReceiveEndpointId receive_endpoint);
    void complete_for_wait_any(ReceiveEndpointId receive_endpoint) { choices_.complete(receive_endpoint); }
    Partners partners_of(Rank rank) const;

private:
    // Sends, posts, receives.
    Next start(Rank rank, RankLine& line, SendEndpointId send_endpoint, CostId cost);
    [[gnu::always_inline]] Next serve_processing(Rank rank, RankLine& line);
    [[gnu::always_inline]] Next begin_send(Rank rank, RankLine& line, SendEndpointId send_endpoint, CostId cost);
    Next begin_isend(Rank rank, RankLine& line, SendEndpointId send_endpoint, CostId cost);
    [[gnu::always_inline]] void number_message(SendEndpointId send_endpoint);
    bool leaves_by_itself(CostId cost) const;
    [[gnu::always_inline]] bool uses_post(const SendEndpoint& out, const network::MessageCost& cost) const;
    bool may_leave(SendEndpointId send_endpoint, const network::MessageCost& cost) const;
    std::int64_t leaves_at(SendEndpointId send_endpoint, std::int64_t requested,
                           const network::MessageCost& cost) const;
    [[gnu::always_inline]] void notify_post(std::int64_t time, ReceiveEndpointId receive_endpoint);
    void accept_post(SendEndpointId send_endpoint, std::int64_t posted);
    void meet(const DepartingMessage& message);
    Next receive(Rank rank, RankLine& line, ReceiveEndpointId receive_endpoint);
    [[gnu::always_inline]] Next unpack(Rank rank, RankLine& line, CostId cost);
    void note_open_post(std::int64_t time, ReceiveEndpointId receive_endpoint) {
        if (!layout_.counts_unexpected) [[likely]]
            return;
        if (!layout_.posts_ahead && !layout_.is_of_collective(receive_endpoint)) return;
        state_.open_posts[receive_endpoint].time_and_one = time + 1;
    }
    void announce_post(std::int64_t time, ReceiveEndpointId receive_endpoint);
    std::int64_t end_open_post(ReceiveEndpointId receive_endpoint, std::int64_t came);
    [[gnu::cold]] void copy_unexpected(Rank rank, RankLine& line, std::int64_t arrived, std::int64_t posted,
                                       CostId cost);
    void account_wait(Rank rank, const Delay& delay, std::int64_t waited);
    void record_wait(Rank rank, const RankLine& line, std::int64_t until, const Delay& delay, std::int64_t waited);
    void pop(ReceiveEndpointId receive_endpoint, ReceiveEndpoint& head);

    // Waits for nonblocking messages.
    Next end_wait(Rank rank, RankLine& line, const BegunMessage& message);
    void account_wait(Rank rank, RankLine& line, const BegunMessage& message);

    // Progress in calls (message_protocol_progress.hpp).
    bool is_acknowledged_in_calls(ReceiveEndpointId receive_endpoint) const {
        return run_.progress_in_calls() && layout_.acknowledged_in_calls[receive_endpoint];
    }
    void post_in_calls(std::int64_t time, ReceiveEndpointId receive_endpoint);
    void meet_request(ReceiveEndpointId receive_endpoint, AcknowledgedChannel& channel);
    [[gnu::always_inline]] Next leave_in_call(const DepartingMessage& message);
    void request_step(Rank rank, const ProgressStep& step);
    void act_at(std::int64_t time, const ProgressStep& step);

    // Messages taken in the order of arrival (message_protocol_matching.hpp).
    [[gnu::cold]] void count_sent(SendEndpointId send_endpoint);
    [[gnu::cold]] void add_to_send_orders(ReceiveEndpointId receive_endpoint);
    void leave_send_orders(ReceiveEndpointId receive_endpoint);
    bool is_in_send_order(ReceiveEndpointId receive_endpoint) const {
        return layout_.in_send_order.contains(receive_endpoint) && layout_.in_send_order[receive_endpoint];
    }
    void refresh_candidate(ReceiveEndpointId receive_endpoint);
    std::int64_t first_since(Rank rank, ReceiveEndpointId receive_endpoint);
    std::int64_t second_since(ReceiveEndpointId receive_endpoint);
    void accept_candidate(Rank rank, ReceiveEndpointId receive_endpoint);
    /// Accepts a message behind the first one of its channel. It may be a candidate if a receive is posted by name.
    void accept_behind(ReceiveEndpointId receive_endpoint) {
        if (run_.has_choices() && choices_.is_posted(receive_endpoint) && is_from_any_source(receive_endpoint))
            [[unlikely]]
            accept_candidate(layout_.rank_of(receive_endpoint), receive_endpoint);
    }
    void consider(Rank rank, RankLine& line);
    std::uint32_t request_match(Rank rank, RankLine& line, const Candidate& candidate);
    void send_request(SendEndpointId send_endpoint, const network::MessageCost& cost, std::int64_t requested);
    void accept_request(ReceiveEndpointId receive_endpoint, MessageRequest request);
    SendEndpointId reply_endpoint(Rank rank, const RankLine& line) const;
    bool is_from_any_source(ReceiveEndpointId receive_endpoint) const {
        return layout_.from_any_source.contains(receive_endpoint) && layout_.from_any_source[receive_endpoint];
    }
    static bool chooses(const RankLine& line) {
        return line.state == RankState::choosing || line.state == RankState::requests_match;
    }

    // Open receives (message_protocol_matching.hpp).
    void advance_open(Rank rank);
    void store_matched_data(Rank rank);
    void request_next_match(Rank rank);
    Next receive_open(Rank rank, RankLine& line, ChoiceId choice);

    // Departure of messages.
    [[gnu::always_inline]] Next serve_receive(Rank rank, RankLine& line);
    [[gnu::always_inline]] Next request_departure(const DepartingMessage& message);
    [[gnu::always_inline]] Next depart(const DepartingMessage& message);
    void request(const DepartingMessage& message, RankState what);
    bool has_early_post(const RankLine& line, SendEndpointId send_endpoint) const;
    [[gnu::always_inline]] bool departs_at_once(const DepartingMessage& message, std::int64_t soonest) const;
    void count_departing(Node node) {
        if (layout_.departs_in_order) ++context_.pending[node].departing;
    }
    void count_departed(Node node) {
        if (layout_.departs_in_order) --context_.pending[node].departing;
    }
    /// Counts a message that requests its own links later.
    void count_on_own_links(const DepartingMessage& message, const SendEndpoint& out);
    /// Removes a message that is granted its links from that count, or from the count of messages of collectives.
    void end_request(const SendEndpoint& out, SendEndpointId send_endpoint);
    [[gnu::always_inline]] Next leave(const DepartingMessage& message);
    [[gnu::cold]] Next leave_and_wait(Rank rank, SendEndpointId send_endpoint, BegunMessage* begun);
    [[gnu::always_inline]] void send_off(const DepartingMessage& message, const SendEndpoint& out);
    bool is_between_nodes(const SendEndpoint& out) const;
    void note_arrival(const SendEndpoint& out, std::int64_t arrives, CostId cost);
    Next end_departure(const DepartingMessage& message, std::int64_t until);
    Next complete_send(Rank rank, RankLine& line, SendEndpointId send_endpoint, CostId cost, std::int64_t until);
    void take_links(const DepartingMessage& message, const SendEndpoint& out);
    void grant_packets(LinkRequestId id);
    Transmission undelayed(std::int64_t leaves, CostId cost) const {
        return {leaves, 0, leaves + costs_[cost].flight.ps};
    }
    /// Returns the transmission of a message that has waited for links. Only the part of the wait that exceeds the
    /// sender's copy time delays the message. A longer route adds `detour`.
    Transmission delayed(std::int64_t leaves, std::int64_t link_wait, CostId cost, Time detour = {}) const {
        const std::int64_t delay = std::max<std::int64_t>(0, link_wait - costs_[cost].idle.ps);
        return {leaves, delay, leaves + delay + costs_[cost].flight.ps + detour.ps};
    }
    LinkRequest link_request(const DepartingMessage& message);
    [[gnu::always_inline]] Next end_departure(const DepartingMessage& message);
    /// Returns the chain of the message; null if no path is requested.
    Chain* chain_of(const DepartingMessage& message) const;

    // Arrival of messages.
    [[gnu::always_inline]] void arrive(ReceiveEndpointId receive_endpoint, std::int64_t time, std::int64_t link_delay,
                                       CostId cost);
    void await_arrival(ReceiveEndpointId receive_endpoint, std::int64_t time) {
        context_.calendar.add(std::max(time, context_.now), {EventKind::arrival, receive_endpoint});
    }
    [[gnu::always_inline]] Next deliver(Rank rank, ReceiveEndpointId receive_endpoint);

    SendEndpointId send_endpoint_in_use(Rank rank, const RankLine& line) const;
    [[gnu::always_inline]] void be_busy(Rank rank, RankLine& line, Time busy, record::Activity activity);
    [[gnu::always_inline]] Next complete(Rank rank, RankLine& line, Time busy, record::Activity activity);
    void record_activity(Rank rank, const RankLine& line, record::Activity activity);

    PartitionContext& context_;
    const Layout& layout_;
    State& state_;
    const Features<kPlain> run_;
    const IndexedSpan<Rank, RankLine> ranks_;
    const IndexedSpan<ReceiveEndpointId, ReceiveEndpoint> receive_endpoints_;
    const IndexedSpan<CostId, const network::MessageCost> costs_;
    const IndexedSpan<InstructionId, const program::Instruction> code_;
    NodeResources<kPlain> resources_;
    BegunMessages& begun_;
    Choices& choices_;
    SendOrders& send_orders_;
    Candidates& candidates_;
    OpenReceives& open_;
    CallProgress& progress_;
    PacketGrants packets_;
};

// Called for every message, and inline across the sources of the protocol.

template <bool kPlain>
inline SendEndpointId MessageProtocol<kPlain>::send_endpoint_in_use(Rank rank, const RankLine& line) const {
    if (line.collective_position == 0) {
        const program::Instruction& step = code_[line.at];
        if (run_.has_choices()) [[unlikely]] {
            if (program::sends(step.op, program::Operand::reply)) return reply_endpoint(rank, line);
            if (step.op == program::Op::wait_reply) return choices_.replied_on(rank, ReplyId{step.operand});
        }
        return layout_.send_endpoint_numbers.at(rank, step.operand);
    }
    const std::uint32_t step = (line.collective_position - 1U) / 3;
    return layout_.collective_send_endpoint(rank, step);
}

/// Counts the message if messages are numbered.
template <bool kPlain>
inline void MessageProtocol<kPlain>::number_message(SendEndpointId send_endpoint) {
    if (run_.numbers_messages()) [[unlikely]]
        count_sent(send_endpoint);
}

template <bool kPlain>
inline void MessageProtocol<kPlain>::advance(Rank rank, const RankLine& line, record::Activity activity) {
    if (run_.records_activity()) [[unlikely]]
        record_activity(rank, line, activity);
}

/// Keeps the rank's processor busy with a message.
template <bool kPlain>
inline void MessageProtocol<kPlain>::be_busy(Rank rank, RankLine& line, Time busy, record::Activity activity) {
    line.clock += busy.ps;
    advance(rank, line, activity);
    if (run_.paths() != nullptr) [[unlikely]]
        run_.paths()->pass(rank, line.clock, PathPart::overhead);
}

/// Completes the present instruction, or part of a collective, after the rank was `busy`.
template <bool kPlain>
inline Next MessageProtocol<kPlain>::complete(Rank rank, RankLine& line, Time busy, record::Activity activity) {
    advance(rank, line, record::Activity::wait);
    be_busy(rank, line, busy, activity);
    context_.check_horizon(rank, line);
    if (line.collective_position > 0) {
        ++line.collective_position;
    } else {
        ++line.at;
    }
    return Next::go_on;
}

/// Takes data that has arrived: the bus, then o_recv.
template <bool kPlain>
inline Next MessageProtocol<kPlain>::unpack(Rank rank, RankLine& line, CostId cost) {
    const network::MessageCost& costs = costs_[cost];
    if (costs.holds_server) {
        advance(rank, line, record::Activity::wait);
        be_busy(rank, line, costs.before_service, record::Activity::recv);
        line.request_cost = cost;
        if (context_.nothing_else_now && line.clock == context_.now) return serve_receive(rank, line);
        context_.request(rank, line, RankState::requests_receive, cost);
        return Next::stop;
    }
    return complete(rank, line, costs.busy_recv, record::Activity::recv);
}

template <bool kPlain>
inline Next MessageProtocol<kPlain>::wait_receive(Rank rank, RankLine& line, ReceiveEndpointId receive_endpoint) {
    ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
    if (is(head, ReceiveState::data)) return receive(rank, line, receive_endpoint);
    head.awaited = 1;
    line.state = RankState::receiving;
    return Next::stop;
}

template <bool kPlain>
inline Chain* MessageProtocol<kPlain>::chain_of(const DepartingMessage& message) const {
    if (run_.paths() == nullptr) return nullptr;
    return message.begun == nullptr ? &run_.paths()->of(message.rank) : &run_.paths()->begun(message.send_endpoint);
}

template <bool kPlain>
inline void MessageProtocol<kPlain>::request(const DepartingMessage& message, RankState what) {
    if (message.begun != nullptr) {
        if (message.begun->clock >= kHorizon.ps)
            PartitionContext::throw_overflow(message.rank, message.begun->age.site);
        message.begun->state = what;
        context_.calendar.add(message.begun->clock, {EventKind::departure, message.send_endpoint});
        return;
    }
    context_.request(message.rank, ranks_[message.rank], what, message.requester.request_cost);
}

/// Ends the departure of a message. If the rank has waited for the departure, the rank continues.
template <bool kPlain>
inline Next MessageProtocol<kPlain>::end_departure(const DepartingMessage& message) {
    RankLine& line = ranks_[message.rank];
    if (message.begun != nullptr) {
        message.begun->state = RankState::done;
        const bool waits =
            line.state == RankState::sending && send_endpoint_in_use(message.rank, line) == message.send_endpoint;
        return waits ? end_wait(message.rank, line, *message.begun) : Next::stop;
    }
    line.state = RankState::running;
    return complete(message.rank, line, costs_[line.request_cost].busy_after, record::Activity::send);
}

/// Sends the message off. If only some messages between nodes use links, a message without links requests them too, so
/// that messages of a channel stay in order.
template <bool kPlain>
inline void MessageProtocol<kPlain>::send_off(const DepartingMessage& message, const SendEndpoint& out) {
    const CostId cost = message.requester.request_cost;
    if (costs_[cost].holds_links || (layout_.mixed_link_use && is_between_nodes(out))) {
        take_links(message, out);
    } else {
        if (layout_.is_of_collective(message.send_endpoint)) context_.end_collective_message(message.send_endpoint);
        transmit(out, undelayed(message.requester.clock, cost), cost);
    }
}

/// Lets the message leave, once all its resources of the node are granted.
template <bool kPlain>
inline Next MessageProtocol<kPlain>::leave(const DepartingMessage& message) {
    const SendEndpoint& out = state_.send_endpoint(message.send_endpoint);
    if (message.requester.state != RankState::running) count_departed(ranks_[message.rank].node);
    if (run_.paths() != nullptr) [[unlikely]]
        run_.paths()->begin_leaving(*chain_of(message));
    if (run_.senders_wait()) [[unlikely]]
        return leave_and_wait(message.rank, message.send_endpoint, message.begun);
    send_off(message, out);
    return end_departure(message);
}

/// Grants the present request of the message and its next resources. If the message has waited for the bus and the
/// order of resources is not fixed, the NIC is requested separately.
template <bool kPlain>
inline Next MessageProtocol<kPlain>::depart(const DepartingMessage& message) {
    Requester& requester = message.requester;
    const network::MessageCost& cost = costs_[requester.request_cost];
    if (requester.state == RankState::requests_departure && cost.holds_server && !cost.processed) {
        const std::int64_t requested = requester.clock;
        resources_.grant_server(message.rank, requester, cost, chain_of(message));
        if (cost.holds_nic && !layout_.fixed_resource_order && requester.clock != requested) {
            request(message, RankState::requests_injection);
            return Next::stop;
        }
    }
    if (cost.holds_nic) resources_.grant_injection(message.rank, requester, cost, chain_of(message));
    return leave(message);
}

/// Returns true if the post that a rendezvous uses was made before this window. Only then has the post reached the
/// sender with any number of partitions. So grants ahead of time, and the state that recurs, do not depend on the
/// number of threads. If ranks were paused at the beginning of an iteration until this window, posts for this iteration
/// are not early: another partition releases its paused ranks only at the end of the window.
template <bool kPlain>
bool MessageProtocol<kPlain>::has_early_post(const RankLine& line, SendEndpointId send_endpoint) const {
    const PostedSendEndpoint& out = state_.send_endpoints[send_endpoint];
    if (!out.has_post || out.posted >= context_.window_begin) return false;
    return context_.window_begin >= context_.released_until || line.wave < context_.first_wave_after_release;
}

/// Returns true if the message, which may leave at the clock of its requester, can be granted its resources now,
/// because no other message of its node departs before it. Messages that are processed later leave later
/// (Layout::departs_in_order), since this message leaves at `soonest`. No message that was processed earlier is still
/// to depart. If a message of a collective may cross the own link before, the result is false, and the link is
/// requested when the message leaves.
template <bool kPlain>
inline bool MessageProtocol<kPlain>::departs_at_once(const DepartingMessage& message, std::int64_t soonest) const {
    if (!layout_.departs_in_order || message.requester.clock != soonest) return false;
    const network::MessageCost& cost = costs_[message.requester.request_cost];
    const Node node = ranks_[message.rank].node;
    const bool any_link = layout_.collective_steps == 0 || !cost.holds_links ||
                          state_.send_endpoint(message.send_endpoint).own_link == kRouted ||
                          context_.may_take_own_link(message.send_endpoint, node, soonest);
    return cost.processed && any_link && context_.pending[node].departing == 0;
}

/// Requests the departure of a message, which leaves as soon as its resources of the node are granted.
template <bool kPlain>
inline Next MessageProtocol<kPlain>::request_departure(const DepartingMessage& message) {
    message.requester.state = RankState::requests_departure;
    if (!costs_[message.requester.request_cost].holds()) return leave(message);
    request(message, RankState::requests_departure);
    return Next::stop;
}

/// Lets a nonblocking message leave that is acknowledged at its clock: at once, or once its rank is in a call.
template <bool kPlain>
inline Next MessageProtocol<kPlain>::leave_in_call(const DepartingMessage& message) {
    if (costs_[message.requester.request_cost].in_calls) [[unlikely]] {
        message.begun->state = RankState::awaits_call;
        request_step(message.rank, ProgressStep::leave(message.begun->clock, message.send_endpoint));
        return Next::stop;
    }
    return request_departure(message);
}

/// Notifies the sender of a post, or of the acknowledgement of the message.
template <bool kPlain>
inline void MessageProtocol<kPlain>::notify_post(std::int64_t time, ReceiveEndpointId receive_endpoint) {
    const ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
    if (head.is_local) {
        accept_post(head.send_endpoint, time);
        return;
    }
    auto& events = context_.events_for(layout_.rank_of(head.send_endpoint), time + layout_.lookahead.ps);
    state_.budget.push(events, RemoteEvent::of_post(time, head.send_endpoint));
}

/// Lets the message meet its post, for which it has waited since its clock. The clock advances to the time at which the
/// message may leave.
template <bool kPlain>
inline void MessageProtocol<kPlain>::meet(const DepartingMessage& message) {
    const SendEndpointId send_endpoint = message.send_endpoint;
    const network::MessageCost& cost = costs_[message.requester.request_cost];
    const std::int64_t requested = message.requester.clock;
    const std::int64_t leaves = leaves_at(send_endpoint, requested, cost);
    if (run_.paths() != nullptr) [[unlikely]] {
        const std::int64_t posted = state_.send_endpoints[send_endpoint].posted;
        if (cost.rendezvous) {
            run_.paths()->meet(*chain_of(message), send_endpoint, posted, requested, cost.request, leaves);
        }
        run_.paths()->use_post(send_endpoint);
    }
    message.requester.clock = leaves;
    state_.use_post(send_endpoint);
}

/// Returns true if a post belongs to the message. This is true for all messages on a channel that announces posts,
/// except for an eager message if the receiver acknowledges in calls.
template <bool kPlain>
inline bool MessageProtocol<kPlain>::uses_post(const SendEndpoint& out, const network::MessageCost& cost) const {
    if (!out.needs_post_notice) return false;
    return !run_.progress_in_calls() || cost.rendezvous || !layout_.acknowledged_in_calls[out.receive_endpoint];
}

/// Begins a blocking send: o_send, and the steps that need no further information.
template <bool kPlain>
inline Next MessageProtocol<kPlain>::begin_send(Rank rank, RankLine& line, SendEndpointId send_endpoint, CostId cost) {
    SendEndpoint& out = state_.send_endpoint(send_endpoint);
    be_busy(rank, line, costs_[cost].busy_send, record::Activity::send);
    if (line.collective_position > 0) context_.begin_collective_message(send_endpoint);
    line.request_cost = cost;
    const DepartingMessage message{rank, send_endpoint, line};
    const std::int64_t soonest = line.clock + costs_[cost].handshake().ps;
    const bool post_is_early = !costs_[cost].rendezvous || has_early_post(line, send_endpoint);
    if (out.needs_post_notice) {
        if (!may_leave(send_endpoint, costs_[cost])) {
            context_.check_horizon(rank, line);
            line.state = RankState::sending;
            out.blocked = 1;
            count_departing(line.node);
            if (run_.numbers_messages()) send_request(send_endpoint, costs_[cost], line.clock);
            return Next::stop;
        }
        if (uses_post(out, costs_[cost])) [[likely]]
            meet(message);
    }
    if (post_is_early && departs_at_once(message, soonest)) return depart(message);
    count_departing(line.node);
    return request_departure(message);
}

}  // namespace warpfront::engine
