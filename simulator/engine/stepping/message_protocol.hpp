// The protocol of every message, from its send to its receiver, performed on the state of a partition.
//
// Protocol (network/cost.hpp gives the costs):
//   eager       busy_send; bus; NIC; links; the message arrives `flight` after it has left; its sender: busy_after
//   rendezvous  busy_send; the request arrives `request` later and meets the posted receive, at the later of the two
//               times; the acknowledgement takes `answer`; then like eager. The receiver notifies the sender when it
//               posts. The sender alone computes when the request arrives
//   isend       eager: like a send. Rendezvous: busy_send; then the rank continues while request and post meet and the
//               message leaves (begun_messages.hpp). The rank waits later until the message has left
//   in calls    a rendezvous that is nonblocking on at least one side is acknowledged, and its data leaves, only while
//               the rank that has to act is in a call (call_progress.hpp)
//   any source  the receiver matches the earliest of the messages, and of the requests of rendezvous, that have arrived
//               (matching.hpp). It matches messages of one source in the order of sending. At the match, a rendezvous
//               meets its receive. A receive that is posted for any source is matched while its rank continues
//   processed   if one core processes the messages of a node, this core is requested before busy_send and busy_recv
//   receive     the NIC receives the message on arrival; at the later of this time and the post: bus; busy_recv
// A sender continues when the last resource of its node is granted; waits for links delay only the message. The sender
// of a rendezvous may wait longer, until its bytes have left or arrived (`sender_goes_on`; network/cost.hpp). The first
// link is requested when the message leaves its node, and each further link when the previous one is granted.
//
// The functions for operations of a rank's program return whether the program continues, and set the rank's clock to
// the end of the operation. A `size` is an index into Layout::sizes.
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
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

/// A message that is about to leave its node. Blocking and nonblocking messages depart by the same functions. They
/// differ only in the object that stores the request, and in what follows the departure.
struct DepartingMessage {
    Rank rank;  // the sender
    SendEndpointId send_endpoint;
    /// the line of the rank if the rank waits for the message; otherwise the message itself
    Requester& requester;
    BegunMessage* begun = nullptr;  // the nonblocking message; null if the rank waits for the message
};

/// The endpoints, outside collectives, of which any could end the wait of a blocked rank.
struct Partners {
    bool sends = false;
    std::vector<std::uint32_t> places;  // indices of send endpoints if `sends`, otherwise of receive endpoints
};

/// The protocol of messages. Functions that every message calls are inline, except where their caller would run out of
/// registers. Rare features are defined in separate files.
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
          progress_(context.progress),
          packets_(context.packets) {}

    // --- a rank sends ------------------------------------------------------------------------------------------------

    Next send(Rank rank, RankLine& line, SendEndpointId send_endpoint, SizeId size) {
        const CostId cost = layout_.cost_of(size, state_.send_endpoint(send_endpoint).path);
        number_message(send_endpoint);
        return start(rank, line, send_endpoint, cost);
    }
    Next isend(Rank rank, RankLine& line, SendEndpointId send_endpoint, SizeId size) {
        PostedSendEndpoint& out = state_.send_endpoints[send_endpoint];
        const CostId cost = layout_.cost_of(size, out.path);
        number_message(send_endpoint);
        if (costs_[cost].processed || !leaves_by_itself(cost)) return start(rank, line, send_endpoint, cost);
        return begin_isend(rank, line, send_endpoint, cost);
    }
    [[gnu::noinline]] Next wait_send(Rank rank, RankLine& line, SendEndpointId send_endpoint) {
        const BegunMessage* const message = begun_.find(send_endpoint);
        if (message == nullptr) {
            ++line.at;
            return Next::go_on;
        }
        if (message->state == RankState::done) return end_wait(rank, line, *message);
        line.state = RankState::sending;
        return Next::stop;
    }

private:
    /// Begins a message of a send or an isend: at once, or when its processing is granted.
    Next start(Rank rank, RankLine& line, SendEndpointId send_endpoint, CostId cost) {
        if (!costs_[cost].processed) return begin_unprocessed(rank, line, send_endpoint, cost);
        context_.request(rank, line, RankState::requests_processing, cost);
        return Next::stop;
    }
    [[gnu::noinline]] Next begin_unprocessed(Rank rank, RankLine& line, SendEndpointId send_endpoint, CostId cost) {
        return begin_send(rank, line, send_endpoint, cost);
    }
    /// Begins a blocking send: performs o_send, and the steps that can be performed at once.
    [[gnu::always_inline]] Next begin_send(Rank rank, RankLine& line, SendEndpointId send_endpoint, CostId cost) {
        SendEndpoint& out = state_.send_endpoint(send_endpoint);
        be_busy(rank, line, costs_[cost].busy_send, record::Activity::send);
        if (line.collective_position > 0) ++context_.astray;
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
    /// Begins an isend that leaves by itself: performs o_send, and the steps that can be performed at once. Its rank
    /// continues.
    [[gnu::noinline]] Next begin_isend(Rank rank, RankLine& line, SendEndpointId send_endpoint, CostId cost) {
        PostedSendEndpoint& out = state_.send_endpoints[send_endpoint];
        be_busy(rank, line, costs_[cost].busy_send, record::Activity::send);
        if (run_.paths() != nullptr) run_.paths()->begun(send_endpoint) = run_.paths()->of(rank);
        context_.check_horizon(rank, line);
        count_departing(line.node);
        BegunMessage& message = begun_.begin(line, send_endpoint, cost, age_of(layout_, line));
        if (may_leave(send_endpoint, costs_[cost])) {
            const DepartingMessage departing{rank, send_endpoint, message, &message};
            if (uses_post(state_.send_endpoint(send_endpoint), costs_[cost])) meet(departing);
            leave_in_call(departing);
        } else {
            out.blocked = 1;
            if (run_.numbers_messages()) send_request(send_endpoint, costs_[cost], line.clock);
        }
        ++line.at;
        return Next::go_on;
    }
    /// Returns true for an isend that may have to wait for its post, or for a bus or NIC, while its rank continues.
    bool leaves_by_itself(CostId cost) const {
        const network::MessageCost& costs = costs_[cost];
        return costs.rendezvous || costs.holds_nic || (costs.holds_server && !costs.processed);
    }
    /// Returns true if the message need not wait for a post: it is no rendezvous, or its post is known.
    bool may_leave(SendEndpointId send_endpoint, const network::MessageCost& cost) const {
        return !cost.rendezvous || state_.send_endpoints[send_endpoint].has_post;
    }
    /// Returns true if the message uses a post. This is true for all messages on a channel that announces posts, except
    /// for an eager message if the receiver acknowledges in calls.
    [[gnu::always_inline]] bool uses_post(const SendEndpoint& out, const network::MessageCost& cost) const {
        if (!out.needs_post_notice) return false;
        return !run_.progress_in_calls() || cost.rendezvous || !layout_.acknowledged_in_calls[out.receive_endpoint];
    }
    /// Returns when a message may leave if its o_send ends at `requested`. A rendezvous leaves one `answer` after
    /// request and post have met.
    std::int64_t leaves_at(SendEndpointId send_endpoint, std::int64_t requested,
                           const network::MessageCost& cost) const {
        if (!cost.rendezvous) return requested;
        return std::max(state_.send_endpoints[send_endpoint].posted, requested + cost.request.ps) + cost.answer.ps;
    }
    /// Ends the wait of the message for its post, which began at its clock. The clock advances to the time at which the
    /// message may leave.
    void meet(const DepartingMessage& message) {
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
    /// Counts the message, if messages are numbered.
    [[gnu::always_inline]] void number_message(SendEndpointId send_endpoint) {
        if (run_.numbers_messages()) [[unlikely]]
            count_sent(send_endpoint);
    }

    // --- a receive is posted, and the sender is notified -------------------------------------------------------------

public:
    /// Posts a receive at the rank's clock. The other overload posts at a given time.
    void post(const RankLine& line, ReceiveEndpointId receive_endpoint) { post(line.clock, receive_endpoint); }
    [[gnu::noinline]] void post(std::int64_t time, ReceiveEndpointId receive_endpoint) {
        note_open_post(time, receive_endpoint);
        announce_post(time, receive_endpoint);
    }

private:
    void note_open_post(std::int64_t time, ReceiveEndpointId receive_endpoint) {
        if (!layout_.counts_unexpected) [[likely]]
            return;
        if (!layout_.posts_ahead && !layout_.is_of_collective(receive_endpoint)) return;
        state_.open_posts[receive_endpoint].time_and_one = time + 1;
    }
    /// Notifies the sender if it may have to wait for the post.
    void announce_post(std::int64_t time, ReceiveEndpointId receive_endpoint) {
        const ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
        if (!head.needs_post_notice) return;
        if (is_acknowledged_in_calls(receive_endpoint)) return post_in_calls(time, receive_endpoint);
        if (run_.paths() != nullptr) {
            run_.paths()->post(head.send_endpoint, layout_.rank_of(receive_endpoint));
        }
        notify_post(time, receive_endpoint);
    }
    /// Notifies the sender of a post, or that the receiver has acknowledged the message.
    [[gnu::always_inline]] void notify_post(std::int64_t time, ReceiveEndpointId receive_endpoint) {
        const ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
        if (head.is_local) {
            accept_post(head.send_endpoint, time);
            return;
        }
        auto& events = context_.events_for(layout_.rank_of(head.send_endpoint), time + layout_.lookahead.ps);
        state_.budget.push(events, RemoteEvent::of_post(time, head.send_endpoint));
    }
    /// Handles a post at the sender. If a message waits for the post, its acknowledgement arrives one `answer` after
    /// request and post have met.
    [[gnu::noinline]] void accept_post(SendEndpointId send_endpoint, std::int64_t posted) {
        state_.add_post(send_endpoint, posted);
        PostedSendEndpoint& out = state_.send_endpoints[send_endpoint];
        if (!out.blocked) return;
        const DepartingMessage waiting = message_on(send_endpoint);
        if (!may_leave(send_endpoint, costs_[waiting.requester.request_cost])) return;
        out.blocked = 0;
        meet(waiting);
        const Next next = waiting.begun == nullptr ? request_departure(waiting) : leave_in_call(waiting);
        if (next == Next::go_on) context_.wake(waiting.rank, ranks_[waiting.rank]);
    }

    // --- a message leaves its node: it is granted processing, bus and NIC, then the links of its route ---------------

public:
    /// Grants the request of a rank.
    [[gnu::always_inline]] Next serve(Rank rank, RankLine& line) {
        if (line.state == RankState::requests_receive) return serve_receive(rank, line);
        if (line.state == RankState::requests_processing) return serve_processing(rank, line);
        return depart({rank, send_endpoint_in_use(rank, line), line});
    }
    /// Grants the request of a nonblocking message.
    [[gnu::noinline]] void depart_begun(SendEndpointId send_endpoint) {
        const DepartingMessage message = message_on(send_endpoint);
        if (depart(message) == Next::go_on) context_.wake(message.rank, ranks_[message.rank]);
    }
    /// Serves a request for links when its time has come.
    [[gnu::noinline]] void serve_links(LinkRequestId id) {
        if (layout_.cuts_packets) return grant_packets(id);
        const LinkRequest& request = context_.link_requests[id.index];
        if (!context_.may_grant_route(request.send_endpoint)) return context_.links_wanted.push_back(id);
        if (!grant_links(id)) context_.calendar.add(request.order.time.ps, {EventKind::links, id});
    }
    /// Grants the next links to a message of one packet that has left its node. Returns true if it is transmitted, and
    /// false if it requests further links, at the new time of the request.
    [[gnu::noinline]] bool grant_links(LinkRequestId id) {
        LinkRequest& request = context_.link_requests[id.index];
        if (run_.paths() != nullptr) run_.paths()->begin_leaving(request.key());
        const bool granted_all = grant_next_links(context_, request);
        if (run_.paths() != nullptr && (!granted_all || layout_.messages_pass)) {
            run_.paths()->depart(request.key(), run_.paths()->leaving());
        }
        if (!granted_all) return false;
        const Transmission way = transmission_of(request);
        if (!layout_.messages_pass) {
            end_link_request(context_.link_requests.take(id.index), way);
        } else {
            request.granted = true;
            request.delay = {way.link_delay};
            request.arrives = {way.arrives};
            transmit_granted(request.send_endpoint);
        }
        return true;
    }

private:
    /// Keeps the rank busy with its message from the grant of the processing on. If messages leave their node in the
    /// order of processing, the message is granted its next resources at once.
    [[gnu::always_inline]] Next serve_processing(Rank rank, RankLine& line) {
        const CostId cost = line.request_cost;
        const SendEndpointId send_endpoint = send_endpoint_in_use(rank, line);
        Chain* const chain = run_.paths() == nullptr ? nullptr : &run_.paths()->of(rank);
        resources_.grant_server(rank, line, {costs_[cost].service, {}}, chain);
        line.state = RankState::running;
        advance(rank, line, record::Activity::wait);
        if (run_.has_begun() && leaves_by_itself(cost) && line.collective_position == 0 &&
            program::operation(code_[line.at].op).effect == program::Effect::begin_send) {
            return begin_isend(rank, line, send_endpoint, cost);
        }
        return begin_send(rank, line, send_endpoint, cost);
    }
    /// Returns the message that is about to leave on this channel.
    DepartingMessage message_on(SendEndpointId send_endpoint) {
        const Rank rank = layout_.rank_of(send_endpoint);
        BegunMessage* const begun = run_.has_begun() ? begun_.find(send_endpoint) : nullptr;
        if (begun == nullptr) return {rank, send_endpoint, ranks_[rank]};
        return {rank, send_endpoint, *begun, begun};
    }
    void request(const DepartingMessage& message, RankState what) {
        if (message.begun != nullptr) {
            if (message.begun->clock >= kHorizon.ps)
                PartitionContext::throw_overflow(message.rank, message.begun->age.site);
            message.begun->state = what;
            context_.calendar.add(message.begun->clock, {EventKind::departure, message.send_endpoint});
            return;
        }
        context_.request(message.rank, ranks_[message.rank], what, message.requester.request_cost);
    }
    /// Requests the departure of a message. The message leaves when it has been granted its resources of the node.
    [[gnu::always_inline]] Next request_departure(const DepartingMessage& message) {
        message.requester.state = RankState::requests_departure;
        if (!costs_[message.requester.request_cost].holds()) return leave(message);
        request(message, RankState::requests_departure);
        return Next::stop;
    }
    /// Lets a nonblocking message leave that is acknowledged at its clock: at once, or when its rank is next in a call.
    [[gnu::always_inline]] Next leave_in_call(const DepartingMessage& message) {
        if (costs_[message.requester.request_cost].in_calls) [[unlikely]] {
            message.begun->state = RankState::awaits_call;
            request_step(message.rank, ProgressStep::leave(message.begun->clock, message.send_endpoint));
            return Next::stop;
        }
        return request_departure(message);
    }
    /// Returns true if the post that a rendezvous uses was made before this window. Only then has the sender received
    /// it, with any number of partitions. So grants ahead of time, and the state that recurs, do not depend on the
    /// number of threads. If ranks were paused at the beginning of an iteration until this window, posts of this
    /// iteration are not early: another partition releases its paused ranks only at the end of the window.
    bool has_early_post(const RankLine& line, SendEndpointId send_endpoint) const {
        const PostedSendEndpoint& out = state_.send_endpoints[send_endpoint];
        if (!out.has_post || out.posted >= context_.window_begin) return false;
        return context_.window_begin >= context_.pausing_ended_until || line.wave < context_.first_wave_after_pausing;
    }
    /// Returns true if the message can be granted its resources now, since no other message of its node departs before
    /// it. The message may leave at the clock of its requester. Messages that are processed later leave later
    /// (Layout::departs_in_order), since this message leaves at `soonest`. No message that was processed earlier may
    /// still have to depart. The result is also false if a message of a collective may cross the own link earlier. Then
    /// the link is requested when the message leaves.
    [[gnu::always_inline]] bool departs_at_once(const DepartingMessage& message, std::int64_t soonest) const {
        if (!layout_.departs_in_order || message.requester.clock != soonest) return false;
        const network::MessageCost& cost = costs_[message.requester.request_cost];
        const Node node = ranks_[message.rank].node;
        const bool any_link = layout_.collective_steps == 0 || !cost.holds_links ||
                              state_.send_endpoint(message.send_endpoint).own_link == kRouted ||
                              context_.may_take_own_link(node, soonest);
        return cost.processed && any_link && context_.pending[node].departing == 0;
    }
    /// Grants the present request of the message and its next resources. If the message has waited for the bus, and the
    /// order of resources is not fixed, the NIC is requested separately.
    [[gnu::always_inline]] Next depart(const DepartingMessage& message) {
        Requester& requester = message.requester;
        const network::MessageCost& cost = costs_[requester.request_cost];
        if (requester.state == RankState::requests_departure && cost.holds_server && !cost.processed) {
            const std::int64_t requested = requester.clock;
            resources_.grant_server(message.rank, requester, {cost.service, {}}, chain_of(message));
            if (cost.holds_nic && !layout_.fixed_resource_order && requester.clock != requested) {
                request(message, RankState::requests_injection);
                return Next::stop;
            }
        }
        if (cost.holds_nic) resources_.grant_injection(message.rank, requester, cost, chain_of(message));
        return leave(message);
    }
    /// Lets the message leave when all its resources of the node have been granted.
    [[gnu::always_inline]] Next leave(const DepartingMessage& message) {
        const SendEndpoint& out = state_.send_endpoint(message.send_endpoint);
        if (message.requester.state != RankState::running) count_departed(ranks_[message.rank].node);
        if (run_.paths() != nullptr) [[unlikely]]
            run_.paths()->begin_leaving(*chain_of(message));
        if (run_.senders_wait()) [[unlikely]]
            return leave_and_wait(message.send_endpoint);
        send_off(message, out);
        return end_departure(message);
    }
    /// Sends the message. If only some messages between nodes use links, a message without links requests them too, so
    /// that messages of a channel remain in order.
    [[gnu::always_inline]] void send_off(const DepartingMessage& message, const SendEndpoint& out) {
        const CostId cost = message.requester.request_cost;
        if (costs_[cost].holds_links || (layout_.mixed_link_use && is_between_nodes(out))) {
            take_links(message, out);
        } else {
            if (layout_.is_of_collective(message.send_endpoint)) --context_.astray;
            transmit(out, undelayed(message.requester.clock, cost), cost);
        }
    }
    void count_departing(Node node) {
        if (layout_.departs_in_order) ++context_.pending[node].departing;
    }
    void count_departed(Node node) {
        if (layout_.departs_in_order) --context_.pending[node].departing;
    }
    bool is_between_nodes(const SendEndpoint& out) const {
        const SendEndpointId send_endpoint = receive_endpoints_[out.receive_endpoint].send_endpoint;
        return layout_.node_of[layout_.rank_of(send_endpoint)] !=
               layout_.node_of[layout_.rank_of(out.receive_endpoint)];
    }
    /// Grants or requests the links of a message. Own links are granted at once if no other message can request them
    /// earlier. All other links are requested when the message leaves its node.
    [[gnu::noinline]] void take_links(const DepartingMessage& message, const SendEndpoint& out) {
        const std::int64_t leaves = message.requester.clock;
        const CostId cost = message.requester.request_cost;
        if (out.own_link == kRouted || !context_.may_take_own_link(ranks_[message.rank].node, leaves)) [[unlikely]] {
            return request_links(message, out, link_request(message));
        }
        if (out.own_link == kOwnRoute) return take_own_route(message, out);
        const LinkUser user{message.rank, code_[ranks_[message.rank].at].site};
        const std::int64_t granted =
            costs_[cost].holds_links ? resources_.grant_own_link(user, out, leaves, cost) : leaves;
        transmit(out, delayed(leaves, granted - leaves, cost), cost);
    }
    /// Grants the links of an own route. If the message waits for a link, another message may request the next link
    /// before it. Then the message requests the next link when its time has come.
    [[gnu::noinline]] void take_own_route(const DepartingMessage& message, const SendEndpoint& out) {
        LinkRequest request = link_request(message);
        while (!grant_next_links(context_, request)) {
            if (!context_.may_take_own_link(ranks_[message.rank].node, request.order.time.ps)) {
                if (run_.paths() != nullptr) run_.paths()->depart(request.key(), run_.paths()->leaving());
                return request_links(message, out, request);
            }
        }
        transmit(out, transmission_of(request), request.cost);
    }
    /// Requests links of the message at the time of the request.
    void request_links(const DepartingMessage& message, const SendEndpoint& out, const LinkRequest& request) {
        if (layout_.collective_steps > 0 && out.own_link != kRouted && !layout_.is_of_collective(message.send_endpoint))
            ++context_.pending[ranks_[message.rank].node].on_own_links;
        if (run_.paths() != nullptr && request.next == 0) run_.paths()->depart(request.key(), *chain_of(message));
        const LinkRequestId id{context_.link_requests.add(request)};
        if (layout_.messages_pass) context_.lines.join(id);
        if (!layout_.has_lookahead && request.order.time.ps == context_.now) return serve_links(id);
        context_.calendar.add(request.order.time.ps, {EventKind::links, id});
    }
    LinkRequest link_request(const DepartingMessage& message) {
        const network::Age age = message.begun == nullptr ? age_of(layout_, ranks_[message.rank]) : message.begun->age;
        LinkRequest request;
        request.order = {{message.requester.clock}, age, message.rank};
        request.number = context_.requests_for_links++;
        request.send_endpoint = message.send_endpoint;
        request.cost = message.requester.request_cost;
        request.leaves = {message.requester.clock};
        request.events = layout_.cuts_packets ? 1 : 0;
        return request;
    }
    /// Grants links to the next packets of a message. The machine divides messages into packets. The messages of a
    /// channel are transmitted in the order in which they left.
    [[gnu::noinline]] void grant_packets(LinkRequestId id) {
        if (!packets_.takes_place(id)) return;
        const LinkRequest request = context_.link_requests[id.index];
        if (costs_[request.cost].holds_links) {
            packets_.grant(id);
        } else {
            packets_.pass_by(id, request.leaves + costs_[request.cost].flight);
        }
        transmit_granted(request.send_endpoint);
    }
    /// Stops counting a message that has been granted its links.
    void end_request(const SendEndpoint& out, SendEndpointId send_endpoint) {
        if (layout_.collective_steps == 0) return;
        if (layout_.is_of_collective(send_endpoint)) {
            --context_.astray;
        } else if (out.own_link != kRouted) {
            --context_.pending[layout_.node_of[layout_.rank_of(send_endpoint)]].on_own_links;
        }
    }
    /// A message that has left its node, and how long links delayed it.
    struct Transmission {
        std::int64_t leaves = 0;
        std::int64_t link_delay = 0;
        std::int64_t arrives = 0;
    };
    /// Transmits the messages at the front of the channel whose links have been granted, in the order of leaving.
    void transmit_granted(SendEndpointId channel) {
        while (const std::optional<LinkRequest> next = context_.lines.take_granted(channel)) {
            if (run_.paths() != nullptr) {
                layout_.cuts_packets ? run_.paths()->end_packets(next->key(), next->cost)
                                     : run_.paths()->begin_leaving(next->key());
                if (next->follows) run_.paths()->follow_transmitted();
            }
            end_link_request(*next, {next->leaves.ps, next->delay.ps, next->arrives.ps});
        }
    }
    void end_link_request(const LinkRequest& request, const Transmission& way) {
        const SendEndpoint& out = state_.send_endpoint(request.send_endpoint);
        end_request(out, request.send_endpoint);
        transmit(out, way, request.cost);
    }
    Transmission undelayed(std::int64_t leaves, CostId cost) const {
        return {leaves, 0, leaves + costs_[cost].flight.ps};
    }
    /// Returns the transmission of a message that has waited for links. The message is delayed only by the
    /// part of the wait that exceeds the sender's copying.
    Transmission delayed(std::int64_t leaves, std::int64_t link_wait, CostId cost) const {
        const std::int64_t delay = std::max<std::int64_t>(0, link_wait - costs_[cost].idle.ps);
        return {leaves, delay, leaves + delay + costs_[cost].flight.ps};
    }
    /// Returns the transmission of a message of one packet that has been granted all its links.
    Transmission transmission_of(const LinkRequest& request) const {
        Transmission way = delayed(request.leaves.ps, (request.order.time - request.leaves).ps, request.cost);
        if (request.detours.value_or(false)) {
            way.arrives += (request.detour + layout_.longer_on_detour[request.cost]).ps;
        }
        return way;
    }
    [[gnu::always_inline]] void transmit(const SendEndpoint& out, const Transmission& way, CostId cost) {
        const auto [leaves, link_delay, arrives] = way;
        if (arrives >= kHorizon.ps) throw_arrives_too_late(out, cost);
        if (run_.paths() != nullptr) {
            const bool in_flight = layout_.ejects && costs_[cost].holds_nic;
            run_.paths()->transmit(out.receive_endpoint, cost, link_delay > 0, arrives, in_flight);
        }
        if (run_.timeline() != nullptr) {
            const SendEndpointId send_endpoint = receive_endpoints_[out.receive_endpoint].send_endpoint;
            run_.timeline()->leave(layout_.rank_of(send_endpoint), out.receive_endpoint, cost, leaves);
        }
        if (run_.senders_wait()) [[unlikely]]
            note_arrival(out, arrives, cost);
        if (out.is_local) {
            arrive(out.receive_endpoint, arrives, link_delay, cost);
            return;
        }
        auto& events = context_.events_for(layout_.rank_of(out.receive_endpoint), arrives);
        if (link_delay > 0) state_.budget.push(events, RemoteEvent::of_delay(link_delay, out.receive_endpoint));
        state_.budget.push(events, RemoteEvent::of_data(arrives, out.receive_endpoint, cost));
    }
    /// Throws TimeOverflow for a message that arrives too late, with the first statement of its sender that has this
    /// cost.
    [[gnu::noinline]] void throw_arrives_too_late(const SendEndpoint& out, CostId cost) const {
        const SendEndpointId send_endpoint = receive_endpoints_[out.receive_endpoint].send_endpoint;
        const Rank rank = layout_.rank_of(send_endpoint);
        const InstructionId at = ranks_[rank].at;
        if (layout_.is_of_collective(send_endpoint)) {
            PartitionContext::throw_overflow(rank, code_[at].site);
        }
        const std::uint32_t place = layout_.send_endpoint_numbers.place_of(send_endpoint);
        const program::Instruction& sends = layout_.first_send(layout_.class_at(at), place, layout_.size_of(cost));
        PartitionContext::throw_overflow(rank, sends.site);
    }

    // --- the sender continues ----------------------------------------------------------------------------------------

    /// Ends the departure of a message. If the rank has waited for the departure, it continues.
    [[gnu::always_inline]] Next end_departure(const DepartingMessage& message) {
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
    /// Ends the departure of a message. The rank continues at `until` or later.
    Next end_departure(const DepartingMessage& message, std::int64_t until) {
        RankLine& line = ranks_[message.rank];
        if (message.begun != nullptr) {
            message.begun->until = until;
            return end_departure(message);
        }
        line.state = RankState::running;
        return complete_send(message.rank, line, message.send_endpoint, line.request_cost, until);
    }
    /// Lets the message leave. Its sender continues at the time that `sender_goes_on` specifies. The arrival is not
    /// known yet if links are granted between rounds.
    [[gnu::cold]] Next leave_and_wait(SendEndpointId send_endpoint) {
        using enum machine::SenderGoesOn;
        const DepartingMessage message = message_on(send_endpoint);
        const SendEndpoint& out = state_.send_endpoint(send_endpoint);
        const CostId number = message.requester.request_cost;
        const network::MessageCost& cost = costs_[number];
        context_.arrival.reset();
        send_off(message, out);
        if (cost.sender_goes_on == acknowledged) return end_departure(message);
        if (cost.sender_goes_on == sent) {
            const std::int64_t sent_at =
                message.requester.clock + (cost.flight - layout_.latency_of_cost[number] + cost.late).ps;
            if (run_.paths() != nullptr) {
                run_.paths()->wait_for_bytes(message.send_endpoint, number, *chain_of(message));
            }
            return end_departure(message, sent_at);
        }
        if (context_.arrival) return end_departure(message, *context_.arrival);
        message.requester.state = RankState::leaving;
        return Next::stop;
    }
    /// Stores when the last byte of the message arrives. A sender that waits for this arrival may be blocked because
    /// the time was not known. Then it continues.
    [[gnu::noinline]] void note_arrival(const SendEndpoint& out, std::int64_t arrives, CostId cost) {
        if (costs_[cost].sender_goes_on != machine::SenderGoesOn::received) return;
        arrives = std::max(arrives + costs_[cost].late.ps, context_.now);
        context_.arrival = arrives;
        const SendEndpointId send_endpoint = receive_endpoints_[out.receive_endpoint].send_endpoint;
        if (run_.paths() != nullptr) run_.paths()->wait_for_arrival(send_endpoint);
        const DepartingMessage waiting = message_on(send_endpoint);
        if (waiting.requester.state != RankState::leaving) return;
        if (end_departure(waiting, arrives) == Next::go_on) context_.wake(waiting.rank, ranks_[waiting.rank]);
    }
    /// Ends the rank's wait for a message that has left.
    [[gnu::noinline]] Next end_wait(Rank rank, RankLine& line, const BegunMessage& message) {
        const SendEndpointId send_endpoint = message.send_endpoint;
        if (message.clock > line.clock) {
            if (run_.paths() != nullptr) run_.paths()->of(rank) = run_.paths()->begun(send_endpoint);
            account_wait(rank, line, message);
            line.clock = message.clock;
        }
        const CostId cost = message.request_cost;
        const std::int64_t until = message.until;
        begun_.end(send_endpoint);
        if (run_.paths() != nullptr) run_.paths()->end_begun(send_endpoint);
        return complete_send(rank, line, send_endpoint, cost, until);
    }
    /// Copies in the rest of a message that has left. The rank continues at `until` or later.
    [[gnu::noinline]] Next complete_send(Rank rank, RankLine& line, SendEndpointId send_endpoint, CostId cost,
                                         std::int64_t until) {
        advance(rank, line, record::Activity::wait);
        be_busy(rank, line, costs_[cost].busy_after, record::Activity::send);
        if (run_.paths() != nullptr) run_.paths()->end_wait_for_bytes(rank, send_endpoint, until);
        line.clock = std::max(line.clock, until);
        return complete(rank, line, {}, record::Activity::wait);
    }

    // --- a message reaches its receiver: in flight, received by the NIC, received by the rank ------------------------

public:
    /// Handles remote events that another partition has sent.
    [[gnu::noinline]] void take(const std::vector<RemoteEvent>& events) {
        std::int64_t link_delay = 0;
        for (const RemoteEvent& event : events) {
            switch (event.kind) {
                case RemoteEvent::post: accept_post(event.send_endpoint(), event.time); break;
                case RemoteEvent::delay: link_delay = event.time; break;
                case RemoteEvent::request:
                    accept_request(event.receive_endpoint(), {event.time, event.number, event.in_calls == 1});
                    break;
                case RemoteEvent::data:
                    arrive(event.receive_endpoint(), event.time, std::exchange(link_delay, 0), event.cost());
                    break;
                case RemoteEvent::sent: add_to_send_orders(event.receive_endpoint());
            }
        }
    }
    /// Lets the NIC receive the first message in flight to this endpoint. Returns the rank that continues because of
    /// this message, or kNone.
    [[gnu::noinline]] Rank receive_at_nic(ReceiveEndpointId receive_endpoint) {
        ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
        const Rank rank = layout_.rank_of(receive_endpoint);
        Backlog::Entry* const behind =
            is(head, ReceiveState::in_flight) ? nullptr : context_.backlog.first_in_flight(receive_endpoint);
        const std::int64_t arrived = behind == nullptr ? head.time : behind->time;
        const CostId cost = behind == nullptr ? head.cost() : behind->cost();
        const ServerId server = resources_.ejection_server(ranks_[rank].node, rank, receive_endpoint);
        const bool in_packets = layout_.cuts_packets && layout_.packet_times[cost].cut.count > 1;
        const std::int64_t spread = in_packets ? link_delay_of(receive_endpoint, behind) : 0;
        const std::int64_t granted = resources_.grant_ejection(server, arrived, costs_[cost], spread);
        if (run_.timeline() != nullptr) {
            const std::int64_t begins = granted - costs_[cost].eject_early.ps;
            run_.timeline()->hold(rank, record::Resource::nic, begins, costs_[cost].eject.ps);
        }
        if (run_.paths() != nullptr) {
            run_.paths()->eject(receive_endpoint, server, arrived, granted, cost);
        }
        if (behind == nullptr) {
            head.time = granted;
            set(head, ReceiveState::data);
            if (granted > arrived && !layout_.is_of_collective(receive_endpoint)) {
                if (!head.delayed) context_.backlog.delay_head(receive_endpoint, {});
                context_.backlog.delay(receive_endpoint).ejection = granted - arrived;
                head.delayed = 1;
            }
        } else {
            behind->time = granted;
            behind->delay.ejection = granted - arrived;
            context_.backlog.land(receive_endpoint);
        }
        Backlog::Entry* const next = head.queued ? context_.backlog.first_in_flight(receive_endpoint) : nullptr;
        if (next != nullptr) {
            next->time = std::max(next->time, arrived);
            await_arrival(receive_endpoint, next->time, next->cost());
        }
        if (behind != nullptr || !(head.awaited || head.in_choice)) return kNone;
        if (deliver(rank, receive_endpoint) == Next::stop) return kNone;
        ranks_[rank].state = RankState::running;
        return rank;
    }
    Next wait_receive(Rank rank, RankLine& line, ReceiveEndpointId receive_endpoint) {
        ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
        if (is(head, ReceiveState::data)) return receive(rank, line, receive_endpoint);
        head.awaited = 1;
        line.state = RankState::receiving;
        return Next::stop;
    }

private:
    [[gnu::always_inline]] void arrive(ReceiveEndpointId receive_endpoint, std::int64_t time, std::int64_t link_delay,
                                       CostId cost) {
        ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
        const bool in_flight = layout_.ejects && costs_[cost].holds_nic;
        if (!is(head, ReceiveState::empty)) {
            const bool others_in_flight =
                is(head, ReceiveState::in_flight) ||
                (head.queued && context_.backlog.first_in_flight(receive_endpoint) != nullptr);
            Backlog::Entry entry{.time = time, .delay = {link_delay, 0}};
            entry.set_cost(cost);
            entry.in_flight = in_flight;
            context_.backlog.push(receive_endpoint, entry);
            head.queued = 1;
            if (in_flight && !others_in_flight) await_arrival(receive_endpoint, time, cost);
            return;
        }
        head.time = time;
        head.set_cost(cost);
        head.delayed = link_delay > 0 && !layout_.is_of_collective(receive_endpoint);
        if (head.delayed) context_.backlog.delay_head(receive_endpoint, {link_delay, 0});
        if (in_flight) {
            set(head, ReceiveState::in_flight);
            await_arrival(receive_endpoint, time, cost);
            return;
        }
        set(head, ReceiveState::data);
        if (!head.awaited && !head.in_choice) return;
        const Rank rank = layout_.rank_of(receive_endpoint);
        if (deliver(rank, receive_endpoint) == Next::go_on) context_.wake(rank, ranks_[rank]);
    }
    /// Returns how long links have delayed a message in flight: the entry, or the head if there is none. It is not
    /// known of heads of collectives.
    std::int64_t link_delay_of(ReceiveEndpointId receive_endpoint, const Backlog::Entry* entry) const {
        if (entry != nullptr) return entry->delay.link;
        return receive_endpoints_[receive_endpoint].delayed ? context_.backlog.delay(receive_endpoint).link : 0;
    }
    /// Adds the event in which the NIC is requested for a message that arrives at `time`.
    void await_arrival(ReceiveEndpointId receive_endpoint, std::int64_t time, CostId cost) {
        const std::int64_t requests = time - costs_[cost].eject_ahead.ps;
        context_.calendar.add(std::max(requests, context_.now), {EventKind::arrival, receive_endpoint});
    }
    /// Delivers the head, whose data has arrived, to a rank that waits for it or may take it in the order of arrival.
    [[gnu::always_inline]] Next deliver(Rank rank, ReceiveEndpointId receive_endpoint) {
        RankLine& line = ranks_[rank];
        if (run_.has_choices() && holds_posted_data(receive_endpoint)) [[unlikely]]
            return deliver_posted(rank, receive_endpoint);
        if (receive_endpoints_[receive_endpoint].awaited) return receive(rank, line, receive_endpoint);
        accept_candidate(rank, receive_endpoint);
        return Next::stop;
    }
    /// Receives the head of the endpoint. The time of its data must be known. The rank receives it at this time or at
    /// its own clock, whichever is later.
    [[gnu::noinline]] Next receive(Rank rank, RankLine& line, ReceiveEndpointId receive_endpoint) {
        ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
        const std::int64_t arrived = head.time;
        const std::int64_t came = line.clock;
        const std::int64_t waited = arrived - came;
        if (run_.paths() != nullptr) run_.paths()->receive(rank, line, receive_endpoint, waited);
        if (waited > 0) {
            if (run_.timeline() != nullptr) {
                const Delay delay = head.delayed ? context_.backlog.delay(receive_endpoint) : Delay{};
                record_wait(rank, line, head.time, delay, waited);
            }
            if (head.delayed && line.collective_position == 0)
                account_wait(rank, context_.backlog.delay(receive_endpoint), waited);
            line.clock = head.time;
        }
        const CostId cost = head.cost();
        if (run_.has_choices()) [[unlikely]] {
            count_taken(rank, line, receive_endpoint);
        } else if (run_.timeline() != nullptr) {
            run_.timeline()->receive(rank, receive_endpoint, line.clock);
        }
        if (layout_.counts_unexpected && arrived < end_open_post(receive_endpoint, came)) [[unlikely]]
            copy_unexpected(rank, line, cost);
        pop(receive_endpoint, head);
        return unpack(rank, line, cost);
    }
    /// Receives data that has arrived: requests the bus, then spends o_recv.
    [[gnu::always_inline]] Next unpack(Rank rank, RankLine& line, CostId cost) {
        const network::MessageCost& costs = costs_[cost];
        if (costs.receiver_holds_server) {
            advance(rank, line, record::Activity::wait);
            be_busy(rank, line, costs.before_service, record::Activity::recv);
            line.request_cost = cost;
            if (context_.nothing_else_now && line.clock == context_.now) return serve_receive(rank, line);
            context_.request(rank, line, RankState::requests_receive, cost);
            return Next::stop;
        }
        return complete(rank, line, costs.busy_recv, record::Activity::recv);
    }
    [[gnu::always_inline]] Next serve_receive(Rank rank, RankLine& line) {
        const network::MessageCost& cost = costs_[line.request_cost];
        Chain* const chain = run_.paths() == nullptr ? nullptr : &run_.paths()->of(rank);
        resources_.grant_server(rank, line, {cost.service_received, cost.service_early}, chain);
        line.state = RankState::running;
        return complete(rank, line, cost.busy_recv - cost.before_service, record::Activity::recv);
    }
    /// Closes the open receive of the endpoint and returns when it was posted. `came` is the time at which the rank
    /// began to wait for the message.
    std::int64_t end_open_post(ReceiveEndpointId receive_endpoint, std::int64_t came) {
        if (!layout_.posts_ahead && !layout_.is_of_collective(receive_endpoint)) return came;
        return std::exchange(state_.open_posts[receive_endpoint], OpenPost{}).time();
    }
    /// Keeps the rank busy with a message that arrived before its receive was posted.
    [[gnu::cold]] void copy_unexpected(Rank rank, RankLine& line, CostId cost) {
        const network::MessageCost& costs = costs_[cost];
        if (!costs.counts_unexpected) return;
        advance(rank, line, record::Activity::wait);
        be_busy(rank, line, costs.unexpected, record::Activity::recv);
        RankStatistics& sums = state_.statistics[rank];
        ++sums.unexpected_messages;
        if (line.collective_position == 0) sums.unexpected_time += costs.unexpected.ps;
    }
    void pop(ReceiveEndpointId receive_endpoint, ReceiveEndpoint& head) {
        head.awaited = 0;
        if (head.delayed) context_.backlog.end_delay(receive_endpoint);
        head.delayed = 0;
        if (!head.queued) {
            set(head, ReceiveState::empty);
            if (head.in_choice) [[unlikely]]
                refresh_candidate(receive_endpoint);
            return;
        }
        bool more = false;
        const Backlog::Entry next = context_.backlog.pop(receive_endpoint, more);
        head.queued = more;
        head.time = next.time;
        head.set_cost(next.cost());
        set(head, next.in_flight ? ReceiveState::in_flight : ReceiveState::data);
        const bool of_collective = layout_.is_of_collective(receive_endpoint);
        if (!of_collective && (next.delay.link > 0 || next.delay.ejection > 0)) {
            head.delayed = 1;
            context_.backlog.delay_head(receive_endpoint, next.delay);
        }
        if (head.in_choice) [[unlikely]]
            refresh_candidate(receive_endpoint);
    }

    // --- what is counted and recorded --------------------------------------------------------------------------------

public:
    /// Records what the rank has done up to its clock, if records are requested.
    void advance(Rank rank, const RankLine& line, record::Activity activity) {
        if (run_.records_activity()) [[unlikely]]
            record_activity(rank, line, activity);
    }

private:
    [[gnu::noinline]] void record_activity(Rank rank, const RankLine& line, record::Activity activity) {
        if (!state_.overheads.empty()) {
            Overheads& sum = state_.overheads[rank];
            const std::int64_t took = line.collective_position == 0 ? line.clock - sum.until : 0;
            if (activity == record::Activity::send) sum.send += took;
            if (activity == record::Activity::recv) sum.recv += took;
            sum.until = line.clock;
        }
        if (run_.timeline() == nullptr) return;
        run_.timeline()->advance(rank, activity, line.clock, code_[line.at].site);
    }
    /// Keeps the rank's processor busy with a message.
    [[gnu::always_inline]] void be_busy(Rank rank, RankLine& line, Time busy, record::Activity activity) {
        line.clock += busy.ps;
        advance(rank, line, activity);
        if (run_.paths() != nullptr) [[unlikely]]
            run_.paths()->be_busy(rank, line.clock);
    }
    /// Completes the present instruction, or a step of a collective, after the rank was busy for `busy`.
    [[gnu::always_inline]] Next complete(Rank rank, RankLine& line, Time busy, record::Activity activity) {
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
    /// Counts the waits of a nonblocking message for server and NIC. They are at the end of the time for which the rank
    /// waited for the message to leave.
    void account_wait(Rank rank, RankLine& line, const BegunMessage& message) {
        const std::int64_t left = message.clock;
        const std::int64_t nic = std::min(left - line.clock, message.nic_wait);
        const std::int64_t server = std::min(left - line.clock - nic, message.server_wait);
        line.nic_wait += nic;
        line.server_wait += server;
        if (run_.timeline() == nullptr) return;
        const std::uint16_t site = code_[line.at].site;
        run_.timeline()->advance(rank, record::Activity::wait, left - nic - server, site);
        run_.timeline()->advance(rank, resources_.waiting_for_server(), left - nic, site);
        run_.timeline()->advance(rank, record::Activity::nic_wait, left, site);
    }
    /// Counts the waits of a message at the NIC and at links. They belong to the time for which its receiver waited.
    void account_wait(Rank rank, const Delay& delay, std::int64_t waited) {
        const std::int64_t ejection = std::min(waited, delay.ejection);
        ranks_[rank].nic_wait += ejection;
        const std::int64_t links = std::min(waited - ejection, delay.link);
        if (links > 0) state_.statistics[rank].link_wait += links;
    }
    /// Records the wait of a receiver in the timeline. The waits of the message in the network are at its end.
    [[gnu::noinline]] void record_wait(Rank rank, const RankLine& line, std::int64_t until, const Delay& delay,
                                       std::int64_t waited) {
        const std::int64_t ejection = std::min(waited, delay.ejection);
        const std::int64_t links = std::min(waited - ejection, delay.link);
        const std::uint16_t site = code_[line.at].site;
        run_.timeline()->advance(rank, record::Activity::wait, until - ejection - links, site);
        run_.timeline()->advance(rank, record::Activity::link_wait, until - ejection, site);
        run_.timeline()->advance(rank, record::Activity::nic_wait, until, site);
    }
    /// Returns the chain of the message; null if no critical path is requested.
    Chain* chain_of(const DepartingMessage& message) const {
        if (run_.paths() == nullptr) return nullptr;
        return message.begun == nullptr ? &run_.paths()->of(message.rank) : &run_.paths()->begun(message.send_endpoint);
    }
    [[gnu::always_inline]] SendEndpointId send_endpoint_in_use(Rank rank, const RankLine& line) const {
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

    // --- progress in calls (message_protocol_progress.hpp) -----------------------------------------------------------

public:
    /// Begins a block of a rank that makes progress in calls, and stops the rank until the end of the block.
    Next begin_block(Rank rank, RankLine& line, Time lasts);
    /// Ends the blocks of the rank before a message operation. Performs the actions that became due during the blocks.
    void enter_call(Rank rank, const RankLine& line);
    /// Performs an action of a rank for a rendezvous: at once, or at the end of its blocks if the rank is computing.
    void act(ProgressStep step);
    /// Records that the rank is in no call from its clock on. It is called for a block that shares memory bandwidth.
    void leave_call(Rank rank, const RankLine& line) { progress_.leave_call(rank, line.clock); }

private:
    bool is_acknowledged_in_calls(ReceiveEndpointId receive_endpoint) const {
        return run_.progress_in_calls() && layout_.acknowledged_in_calls[receive_endpoint];
    }
    void act_at(std::int64_t time, const ProgressStep& step);
    void request_step(Rank rank, const ProgressStep& step);
    void post_in_calls(std::int64_t time, ReceiveEndpointId receive_endpoint);
    void meet_request(ReceiveEndpointId receive_endpoint, AcknowledgedChannel& channel);

    // --- messages taken in the order of arrival (message_protocol_matching.hpp) --------------------------------------

public:
    /// Waits for the first message of the choice.
    Next choose(Rank rank, RankLine& line);
    void post_by_name(const RankLine& line, ReceiveEndpointId receive_endpoint);
    Next await_posted(Rank rank, RankLine& line, ReceiveEndpointId receive_endpoint);
    /// Matches a message of the rank's choice.
    Next match(Rank rank, RankLine& line);
    /// Sends a message to the source of the message that the rank has taken last.
    Next reply(Rank rank, RankLine& line, SizeId size);
    Next ireply(Rank rank, RankLine& line, SizeId size);
    Next wait_reply(Rank rank, RankLine& line);
    Partners partners_of(Rank rank) const;
    /// Posts a nonblocking receive for the first message of the choice.
    Next post_for_any(Rank rank, RankLine& line);
    /// Waits for the receive that the rank has posted for the choice.
    Next wait_for_open(Rank rank, RankLine& line);
    /// Matches the next open receive of the rank.
    void match_open(Rank rank);

private:
    void refresh_candidate(ReceiveEndpointId receive_endpoint);
    std::int64_t first_since(Rank rank, ReceiveEndpointId receive_endpoint);
    void accept_candidate(Rank rank, ReceiveEndpointId receive_endpoint);
    bool holds_posted_data(ReceiveEndpointId receive_endpoint) const;
    [[gnu::cold]] Next deliver_posted(Rank rank, ReceiveEndpointId receive_endpoint);
    void store_data(OpenReceive& receive);
    Next receive_stored(Rank rank, RankLine& line, const OpenReceive& taken);
    [[gnu::cold, gnu::noinline]] void count_taken(Rank rank, const RankLine& line, ReceiveEndpointId receive_endpoint);
    [[gnu::cold, gnu::noinline]] void count_sent(SendEndpointId send_endpoint);
    [[gnu::cold]] void add_to_send_orders(ReceiveEndpointId receive_endpoint);
    void leave_send_orders(ReceiveEndpointId receive_endpoint);
    bool is_in_send_order(ReceiveEndpointId receive_endpoint) const {
        return layout_.in_send_order.contains(receive_endpoint) && layout_.in_send_order[receive_endpoint];
    }
    void consider(Rank rank, RankLine& line);
    std::uint32_t request_match(Rank rank, RankLine& line, const Candidate& candidate);
    void send_request(SendEndpointId send_endpoint, const network::MessageCost& cost, std::int64_t requested);
    void accept_request(ReceiveEndpointId receive_endpoint, MessageRequest request);
    SendEndpointId reply_endpoint(Rank rank, const RankLine& line) const;
    void advance_open(Rank rank);
    void store_matched_data(Rank rank);
    void request_next_match(Rank rank);
    Next receive_open(Rank rank, RankLine& line, ChoiceId choice);
    bool is_from_any_source(ReceiveEndpointId receive_endpoint) const {
        return layout_.from_any_source.contains(receive_endpoint) && layout_.from_any_source[receive_endpoint];
    }
    static bool chooses(const RankLine& line) {
        return line.state == RankState::choosing || line.state == RankState::requests_match;
    }

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
    CallProgress& progress_;
    PacketGrants& packets_;
};

}  // namespace warpfront::engine
