// The protocol of every message, from its send to its receiver, acted out on the state of a partition.
//
// Protocol (network/cost.hpp gives the costs):
//   eager       busy_send; bus; NIC; links; arrives `flight` after it has left, its sender busy_after
//   rendezvous  busy_send; request arrives `request` later; met by the posted receive at the later of the two times;
//               acknowledgement `answer` back; then as eager. The receiver notifies the sender when it posts; when the
//               request itself arrives, only the sender needs to know
//   isend       eager: as a send. Rendezvous: busy_send; its rank goes on while request and post meet and the message
//               leaves (begun_messages.hpp), and waits for that later
//   any source  the receiver matches the earliest of the messages, and of the requests of rendezvous, that have arrived
//               (choices.hpp); a rendezvous is met by that. A receive that is posted for any source is matched while its
//               rank goes on (open_receives.hpp)
//   limited     where the machine limits eager messages (eager_window.hpp): one that goes beyond waits for a post as a
//               rendezvous does, but makes no request
//   receive     received by the NIC as it arrives; at the later of posting and being received: bus; busy_recv; goes on
// A sender goes on once the last resource of its node is granted; link waits delay the message alone. Links are
// requested when the message leaves its node: each in turn, later by what was waited before.
//
// Methods of a rank's side return whether its program goes on. They leave the rank's clock at the end of what was done.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulator/engine/recording/timeline_recorder.hpp"
#include "simulator/engine/stepping/arbitration.hpp"
#include "simulator/engine/stepping/begun_messages.hpp"
#include "simulator/engine/stepping/choices.hpp"
#include "simulator/engine/stepping/nic_arrivals.hpp"
#include "simulator/engine/stepping/node_resources.hpp"
#include "simulator/engine/stepping/open_receives.hpp"
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

/// By how much links delay a message: only link waiting beyond the sender's copy time does.
inline std::int64_t link_delay_of(const Layout& layout, std::int64_t link_wait, std::uint32_t cost) {
    return std::max<std::int64_t>(0, link_wait - layout.costs[cost].idle.ps);
}
/// When a message that leaves its node arrives: `flight`, and the additional latency of a detour, later.
inline std::int64_t arrival_of(const Layout& layout, std::int64_t leaves, std::int64_t link_wait, std::uint32_t cost,
                               Time detour) {
    return leaves + link_delay_of(layout, link_wait, cost) + layout.costs[cost].flight.ps + detour.ps;
}

class MessageProtocol {
public:
    explicit MessageProtocol(PartitionContext& context);

    // A rank's side. `size`: index into Layout::sizes.
    Next send(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, std::uint32_t size);
    Next isend(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, std::uint32_t size);
    Next wait_send(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint);
    /// Waits for whichever message of the choice is there first.
    Next choose(std::uint32_t rank, RankLine& line);
    /// A receive is posted for whichever message of the choice is there first; the rank waits for it.
    Next post_for_any(std::uint32_t rank, RankLine& line);
    Next wait_for_open(std::uint32_t rank, RankLine& line);
    /// Sends to the rank whose message was taken last.
    Next reply(std::uint32_t rank, RankLine& line, std::uint32_t size);
    Next ireply(std::uint32_t rank, RankLine& line, std::uint32_t size);
    Next wait_reply(std::uint32_t rank, RankLine& line);
    /// A receive is posted: now, or at `time`.
    void post(const RankLine& line, std::uint32_t receive_endpoint) { post(line.clock, receive_endpoint); }
    void post(std::int64_t time, std::uint32_t receive_endpoint);
    Next wait_receive(std::uint32_t rank, RankLine& line, std::uint32_t receive_endpoint);

    /// Where it is recorded: the rank's time up to its clock went to this.
    void advance(std::uint32_t rank, const RankLine& line, record::Activity activity);

    // A node's side.
    /// Grants the rank's request, the earliest of its node.
    Next serve(std::uint32_t rank, std::int64_t limit);
    /// The NIC receives the message that arrives first at the node.
    void receive_at_nic(std::uint32_t node);
    /// The node's NICs receive what has arrived before `time`, for which no rank waits.
    void drain_nics(std::uint32_t node, std::int64_t time);

    // Between nodes.
    /// Events that other nodes have sent.
    void take(const std::vector<RemoteEvent>& events);
    /// A message leaves its node.
    void transmit(const SendEndpoint& out, std::int64_t leaves, std::int64_t link_wait, std::uint32_t cost,
                  Time detour = {});
    /// A message of this end would arrive after the end of virtual time.
    [[noreturn]] void throw_arrives_too_late(const SendEndpoint& out, std::uint32_t cost) const;

    BegunMessages& begun() { return begun_; }
    const BegunMessages& begun() const { return begun_; }
    /// Grants what the first of the node's begun messages requests.
    void serve_begun(std::uint32_t node, std::int64_t limit) { depart_begun(begun_.take_first(node), limit); }
    /// Grants what this begun message requests.
    void depart_begun(std::uint32_t send_endpoint, std::int64_t limit);

    const OpenReceives& open_receives() const { return open_; }
    /// An open receive of the rank is matched, the next of them.
    void match_open(std::uint32_t rank);

    // Receives that a wait_any may complete, where ranks take messages as they come.
    void post_for_wait_any(std::uint32_t receive_endpoint);
    void complete_for_wait_any(std::uint32_t receive_endpoint) { choices_.complete(receive_endpoint); }
    /// The endpoints of a blocked rank, any of which could end its wait.
    struct Partners {
        bool sends = false;
        std::vector<std::uint32_t> endpoints;
    };
    Partners partners_of(std::uint32_t rank) const;

    std::uint64_t bytes() const {
        return arrivals_.bytes() + begun_.bytes() + choices_.bytes() + candidates_.bytes() + open_.bytes();
    }

private:
    // message_protocol.cpp: sends, posts, receives
    Next send_begun(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, std::uint32_t cost);
    bool begin_message(std::uint32_t send_endpoint, std::uint32_t cost);
    bool may_leave(std::uint32_t send_endpoint, const network::MessageCost& cost) const;
    std::int64_t leaves_at(std::uint32_t send_endpoint, std::int64_t requested, const network::MessageCost& cost) const;
    void accept_post(std::uint32_t send_endpoint, std::int64_t posted);
    void meet(Chain& chain, std::uint32_t send_endpoint, std::int64_t requested, const network::MessageCost& cost,
              std::int64_t leaves) const;
    Next receive(std::uint32_t rank, RankLine& line, std::uint32_t receive_endpoint);
    Next unpack(std::uint32_t rank, RankLine& line, std::uint32_t cost);
    void account_wait(std::uint32_t rank, const Delay& delay, std::int64_t waited);
    void record_wait(std::uint32_t rank, const RankLine& line, std::int64_t until, const Delay& delay,
                     std::int64_t waited);
    void pop(std::uint32_t receive_endpoint, ReceiveEndpoint& head);

    // message_protocol_isend.cpp
    void meet_begun(std::uint32_t send_endpoint, BegunMessage& message);
    bool grant_begun(std::uint32_t send_endpoint, BegunMessage& message, std::int64_t& clock);
    bool take_links_of_begun(std::uint32_t send_endpoint, BegunMessage& message, std::int64_t& clock,
                             std::int64_t limit);
    void leave_begun(std::uint32_t send_endpoint, BegunMessage& message, std::int64_t clock);
    void account_wait(std::uint32_t rank, RankLine& line, const BegunMessage& message);
    Next end_wait(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, const BegunMessage& message);
    /// Null where no path is wanted.
    Chain* chain_of(std::uint32_t begun) const;

    // message_protocol_choice.cpp
    void refresh_candidate(std::uint32_t receive_endpoint);
    std::int64_t candidate_since(std::uint32_t rank, std::uint32_t receive_endpoint);
    void accept_candidate(std::uint32_t rank, std::uint32_t receive_endpoint);
    void consider(std::uint32_t rank, RankLine& line);
    void request_match(std::uint32_t rank, RankLine& line, const Candidate& candidate);
    Next match(std::uint32_t rank, RankLine& line);
    void send_request(std::uint32_t send_endpoint, const network::MessageCost& cost, std::int64_t requested);
    void accept_request(std::uint32_t receive_endpoint, MessageRequest request);
    std::uint32_t reply_endpoint(std::uint32_t rank, const RankLine& line) const;
    bool is_from_any_source(std::uint32_t receive_endpoint) const {
        return receive_endpoint < layout_.from_any_source.size() && layout_.from_any_source[receive_endpoint];
    }
    static bool chooses(const RankLine& line) {
        return line.state == RankState::choosing || line.state == RankState::requests_match;
    }

    // message_protocol_open.cpp
    void advance_open(std::uint32_t rank);
    void store_matched_data(std::uint32_t rank);
    void request_next_match(std::uint32_t rank);
    Next receive_open(std::uint32_t rank, RankLine& line, std::uint32_t choice);

    // message_protocol_departure.cpp
    Next request_departure(std::uint32_t rank, RankLine& line, std::uint32_t cost);
    bool request_again(std::uint32_t rank, RankLine& line, RankState what, std::int64_t granted);
    bool depart(std::uint32_t rank, RankLine& line, std::int64_t requested, std::int64_t limit);
    bool is_requested_anew(std::int64_t granted, std::int64_t requested) const;
    bool may_take_links_ahead(std::uint32_t node, std::int64_t time, const SendEndpoint& out) const;
    void request_links(const SendEndpoint& out, std::uint32_t node, const LinkRequest& request, const Chain* chain);
    bool leaves_at_once(const SendEndpoint& out) const;
    void queue_for_links(const LinkRequest& request, const Chain* chain);
    void depart_without_links(std::uint32_t rank, const RankLine& line, std::uint32_t cost);

    // message_protocol_arrival.cpp
    void arrive(std::uint32_t receive_endpoint, std::int64_t time, std::int64_t link_delay, std::uint32_t cost);
    void await_in_flight(std::uint32_t receive_endpoint, std::uint32_t node);
    void deliver(std::uint32_t rank, std::uint32_t receive_endpoint);

    std::uint32_t send_endpoint_in_use(std::uint32_t rank, const RankLine& line) const;
    Next complete(std::uint32_t rank, RankLine& line, Time busy, record::Activity activity);
    void record_activity(std::uint32_t rank, const RankLine& line, record::Activity activity);

    PartitionContext& context_;
    const Layout& layout_;
    State& state_;
    NodeResources resources_;
    NicArrivals arrivals_;
    BegunMessages begun_;
    Choices choices_;
    Candidates candidates_;
    OpenReceives open_;
};

// Called for every message, and inline across the sources of the protocol.

inline std::uint32_t MessageProtocol::send_endpoint_in_use(std::uint32_t rank, const RankLine& line) const {
    if (line.collective_position == 0) {
        const program::Instruction& step = layout_.code[line.at];
        if (layout_.has_choices) [[unlikely]] {
            if (program::answers(step.op)) return reply_endpoint(rank, line);
            if (step.op == program::Op::wait_reply) return choices_.replied_on(rank, step.operand);
        }
        return layout_.send_endpoint_numbers.at(rank, step.operand);
    }
    const std::uint32_t step = (line.collective_position - 1U) / 3;
    return layout_.first_collective_send_endpoint + rank * layout_.collective_steps + step;
}

/// Counts the message where the machine limits eager ones; true where it has to wait for a post of its own.
[[gnu::always_inline]] inline bool MessageProtocol::begin_message(std::uint32_t send_endpoint, std::uint32_t cost) {
    const bool rendezvous = layout_.costs[cost].rendezvous;
    if (layout_.has_choices) [[unlikely]]
        choices_.send(send_endpoint);
    if (send_endpoint >= state_.eager_windows.size()) return rendezvous;
    EagerWindow& window = state_.eager_windows[send_endpoint];
    if (!rendezvous) return window.begin_eager(layout_.sizes[cost / layout_.paths], *layout_.eager_limit);
    window.begin_rendezvous();
    return true;
}

inline void MessageProtocol::advance(std::uint32_t rank, const RankLine& line, record::Activity activity) {
    if (state_.records_activity) record_activity(rank, line, activity);
}

/// The present instruction, or part of a collective, ends after the rank was `busy`.
[[gnu::always_inline]] inline Next MessageProtocol::complete(std::uint32_t rank, RankLine& line, Time busy,
                                                             record::Activity activity) {
    advance(rank, line, record::Activity::wait);
    line.clock += busy.ps;
    advance(rank, line, activity);
    if (state_.paths != nullptr) state_.paths->pass(rank, line.clock, PathPart::overhead);
    context_.check_horizon(rank, line);
    line.collective_position > 0 ? ++line.collective_position : ++line.at;
    return Next::go_on;
}

/// The rank takes data that is there: the bus, then o_recv.
[[gnu::always_inline]] inline Next MessageProtocol::unpack(std::uint32_t rank, RankLine& line, std::uint32_t cost) {
    const network::MessageCost& costs = layout_.costs[cost];
    if (costs.holds_bus) {
        advance(rank, line, record::Activity::wait);
        line.clock += costs.before_bus.ps;
        advance(rank, line, record::Activity::recv);
        if (state_.paths != nullptr) state_.paths->pass(rank, line.clock, PathPart::overhead);
        resources_.request(rank, line, RankState::requests_receive, cost);
        return Next::stop;
    }
    return complete(rank, line, costs.busy_recv, record::Activity::recv);
}

inline Next MessageProtocol::wait_receive(std::uint32_t rank, RankLine& line, std::uint32_t receive_endpoint) {
    ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
    if (is(head, ReceiveState::in_flight)) await_in_flight(receive_endpoint, line.node);
    if (is(head, ReceiveState::data)) return receive(rank, line, receive_endpoint);
    head.awaited = 1;
    line.state = RankState::receiving;
    return Next::stop;
}

/// The message may leave as soon as what it holds on the sender's node is granted.
[[gnu::always_inline]] inline Next MessageProtocol::request_departure(std::uint32_t rank, RankLine& line,
                                                                      std::uint32_t cost) {
    if (layout_.costs[cost].holds()) {
        resources_.request(rank, line, RankState::requests_departure, cost);
        return Next::stop;
    }
    if (line.collective_position > 0) --context_.collective_sends;
    depart_without_links(rank, line, cost);
    return complete(rank, line, layout_.costs[cost].busy_after, record::Activity::send);
}

[[gnu::always_inline]] inline Next MessageProtocol::send_begun(std::uint32_t rank, RankLine& line,
                                                               std::uint32_t send_endpoint, std::uint32_t cost) {
    SendEndpoint& out = state_.send_endpoint(send_endpoint);
    const network::MessageCost& costs = layout_.costs[cost];
    line.clock += costs.busy_send.ps;
    advance(rank, line, record::Activity::send);
    if (state_.paths != nullptr) state_.paths->pass(rank, line.clock, PathPart::overhead);
    if (line.collective_position > 0) ++context_.collective_sends;
    if (out.needs_post_notice) {
        if (!may_leave(send_endpoint, costs)) {
            context_.check_horizon(rank, line);
            line.request_cost = cost;
            line.state = RankState::sending;
            out.blocked = 1;
            if (layout_.has_choices) send_request(send_endpoint, costs, line.clock);
            return Next::stop;
        }
        const std::int64_t leaves = leaves_at(send_endpoint, line.clock, costs);
        if (state_.paths != nullptr) meet(state_.paths->of(rank), send_endpoint, line.clock, costs, leaves);
        line.clock = leaves;
        state_.use_post(send_endpoint);
    }
    return request_departure(rank, line, cost);
}

/// The message leaves its node; its links are granted at once where nothing else can want them first, and otherwise
/// between phases.
[[gnu::always_inline]] inline void MessageProtocol::request_links(const SendEndpoint& out, std::uint32_t node,
                                                                  const LinkRequest& request, const Chain* chain) {
    const std::int64_t leaves = request.order.time.ps;
    if (context_.in_order) {
        const RouteGrant granted = resources_.grant_route(request);
        transmit(out, leaves, granted.time - leaves, request.cost, granted.detour);
    } else if (out.own_link != kRouted && context_.own_links_at_once) {
        transmit(out, leaves, resources_.grant_own_link(node, out, request) - leaves, request.cost);
    } else {
        queue_for_links(request, chain);
    }
}

}  // namespace warpfront::engine
