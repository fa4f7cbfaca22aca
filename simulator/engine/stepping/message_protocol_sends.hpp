// A message from its send to its receiver (message_protocol.hpp).
#pragma once

#include "simulator/engine/stepping/message_protocol.hpp"

#include <algorithm>
#include <utility>

namespace warpfront::engine {

// --- a rank sends ----------------------------------------------------------------------------------------------------

/// Returns true if the message need not wait for a post: it is no rendezvous, or its post is known.
template <bool kPlain>
bool MessageProtocol<kPlain>::may_leave(SendEndpointId send_endpoint, const network::MessageCost& cost) const {
    return !cost.rendezvous || state_.send_endpoints[send_endpoint].has_post;
}

/// Returns the time at which a message whose o_send ends at `requested` may leave. For a rendezvous it is one `answer`
/// after request and post have met.
template <bool kPlain>
std::int64_t MessageProtocol<kPlain>::leaves_at(SendEndpointId send_endpoint, std::int64_t requested,
                                                const network::MessageCost& cost) const {
    if (!cost.rendezvous) return requested;
    return std::max(state_.send_endpoints[send_endpoint].posted, requested + cost.request.ps) + cost.answer.ps;
}

template <bool kPlain>
Next MessageProtocol<kPlain>::send(Rank rank, RankLine& line, SendEndpointId send_endpoint, SizeId size) {
    const CostId cost = layout_.cost_of(size, state_.send_endpoint(send_endpoint).path);
    number_message(send_endpoint);
    return start(rank, line, send_endpoint, cost);
}

/// Begins a message of a send or an isend: at once, or when its processing is granted.
template <bool kPlain>
Next MessageProtocol<kPlain>::start(Rank rank, RankLine& line, SendEndpointId send_endpoint, CostId cost) {
    if (costs_[cost].processed) {
        context_.request(rank, line, RankState::requests_processing, cost);
        return Next::stop;
    }
    return begin_send(rank, line, send_endpoint, cost);
}

/// Makes the rank busy with its message from the grant of the processing. If messages leave their node in the order of
/// processing, the message is granted its next resources at once.
template <bool kPlain>
inline Next MessageProtocol<kPlain>::serve_processing(Rank rank, RankLine& line) {
    const CostId cost = line.request_cost;
    const SendEndpointId send_endpoint = send_endpoint_in_use(rank, line);
    resources_.grant_server(rank, line, costs_[cost], run_.paths() == nullptr ? nullptr : &run_.paths()->of(rank));
    line.state = RankState::running;
    advance(rank, line, record::Activity::wait);
    if (run_.has_begun() && leaves_by_itself(cost) && line.collective_position == 0 &&
        program::operation(code_[line.at].op).effect == program::Effect::begin_send) {
        return begin_isend(rank, line, send_endpoint, cost);
    }
    return begin_send(rank, line, send_endpoint, cost);
}

template <bool kPlain>
Next MessageProtocol<kPlain>::isend(Rank rank, RankLine& line, SendEndpointId send_endpoint, SizeId size) {
    PostedSendEndpoint& out = state_.send_endpoints[send_endpoint];
    const CostId cost = layout_.cost_of(size, out.path);
    number_message(send_endpoint);
    if (costs_[cost].processed || !leaves_by_itself(cost)) return start(rank, line, send_endpoint, cost);
    return begin_isend(rank, line, send_endpoint, cost);
}

/// Returns true for an isend that may have to wait for its post, or for a bus or NIC, while its rank continues.
template <bool kPlain>
bool MessageProtocol<kPlain>::leaves_by_itself(CostId cost) const {
    const network::MessageCost& costs = costs_[cost];
    return costs.rendezvous || costs.holds_nic || (costs.holds_server && !costs.processed);
}

/// Begins an isend that leaves by itself: o_send, and the steps that need no further information. Its rank continues.
template <bool kPlain>
Next MessageProtocol<kPlain>::begin_isend(Rank rank, RankLine& line, SendEndpointId send_endpoint, CostId cost) {
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

template <bool kPlain>
Next MessageProtocol<kPlain>::wait_send(Rank rank, RankLine& line, SendEndpointId send_endpoint) {
    const BegunMessage* const message = begun_.find(send_endpoint);
    if (message == nullptr) {
        ++line.at;
        return Next::go_on;
    }
    if (message->state == RankState::done) return end_wait(rank, line, *message);
    line.state = RankState::sending;
    return Next::stop;
}

/// Ends the wait of the rank for a message that has left.
template <bool kPlain>
Next MessageProtocol<kPlain>::end_wait(Rank rank, RankLine& line, const BegunMessage& message) {
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

/// Copies in the rest of a message that has left; the rank continues no sooner than at `until`.
template <bool kPlain>
Next MessageProtocol<kPlain>::complete_send(Rank rank, RankLine& line, SendEndpointId send_endpoint, CostId cost,
                                            std::int64_t until) {
    advance(rank, line, record::Activity::wait);
    be_busy(rank, line, costs_[cost].busy_after, record::Activity::send);
    if (run_.paths() != nullptr) run_.paths()->end_wait_for_bytes(rank, send_endpoint, until);
    line.clock = std::max(line.clock, until);
    return complete(rank, line, {}, record::Activity::wait);
}

/// Counts the waits of a nonblocking message for server and NIC. They are the last part of the time that the rank
/// waited for the message to leave.
template <bool kPlain>
void MessageProtocol<kPlain>::account_wait(Rank rank, RankLine& line, const BegunMessage& message) {
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

// --- a receive is posted, and the sender is notified -----------------------------------------------------------------

template <bool kPlain>
void MessageProtocol<kPlain>::post(std::int64_t time, ReceiveEndpointId receive_endpoint) {
    note_open_post(time, receive_endpoint);
    announce_post(time, receive_endpoint);
}

/// Notifies the sender if it may have to wait for the post.
template <bool kPlain>
void MessageProtocol<kPlain>::announce_post(std::int64_t time, ReceiveEndpointId receive_endpoint) {
    const ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
    if (!head.needs_post_notice) return;
    if (is_acknowledged_in_calls(receive_endpoint)) return post_in_calls(time, receive_endpoint);
    if (run_.paths() != nullptr) {
        run_.paths()->post(head.send_endpoint, layout_.rank_of(receive_endpoint));
    }
    notify_post(time, receive_endpoint);
}

/// Handles a post at the sender. If a message waits for the post, its acknowledgement comes one `answer` after its
/// request and the post have met.
template <bool kPlain>
void MessageProtocol<kPlain>::accept_post(SendEndpointId send_endpoint, std::int64_t posted) {
    state_.add_post(send_endpoint, posted);
    PostedSendEndpoint& out = state_.send_endpoints[send_endpoint];
    if (!out.blocked) return;
    BegunMessage* const begun = run_.has_begun() ? begun_.find(send_endpoint) : nullptr;
    const Rank rank = layout_.rank_of(send_endpoint);
    RankLine& line = ranks_[rank];
    const auto waiting = begun == nullptr ? DepartingMessage{rank, send_endpoint, line}
                                          : DepartingMessage{rank, send_endpoint, *begun, begun};
    if (!may_leave(send_endpoint, costs_[waiting.requester.request_cost])) return;
    out.blocked = 0;
    meet(waiting);
    const Next next = begun == nullptr ? request_departure(waiting) : leave_in_call(waiting);
    if (next == Next::go_on) context_.wake(rank, line);
}

// --- a message leaves its node: bus and NIC granted to it, then the links of its route -------------------------------

template <bool kPlain>
inline Next MessageProtocol<kPlain>::serve(Rank rank, RankLine& line) {
    if (line.state == RankState::requests_receive) return serve_receive(rank, line);
    if (line.state == RankState::requests_processing) return serve_processing(rank, line);
    return depart({rank, send_endpoint_in_use(rank, line), line});
}

template <bool kPlain>
void MessageProtocol<kPlain>::depart_begun(SendEndpointId send_endpoint) {
    BegunMessage* const begun = begun_.find(send_endpoint);
    const Rank rank = layout_.rank_of(send_endpoint);
    if (depart({rank, send_endpoint, *begun, begun}) == Next::go_on) context_.wake(rank, ranks_[rank]);
}

template <bool kPlain>
inline Next MessageProtocol<kPlain>::serve_receive(Rank rank, RankLine& line) {
    const network::MessageCost& cost = costs_[line.request_cost];
    Chain* const chain = run_.paths() == nullptr ? nullptr : &run_.paths()->of(rank);
    resources_.grant_server(rank, line, cost, chain, cost.service_early);
    line.state = RankState::running;
    return complete(rank, line, cost.busy_recv - cost.before_service, record::Activity::recv);
}

template <bool kPlain>
bool MessageProtocol<kPlain>::is_between_nodes(const SendEndpoint& out) const {
    const SendEndpointId send_endpoint = receive_endpoints_[out.receive_endpoint].send_endpoint;
    return layout_.node_of[layout_.rank_of(send_endpoint)] != layout_.node_of[layout_.rank_of(out.receive_endpoint)];
}

/// Takes the links of a message. Own links are granted at once if no other message can request them before. All other
/// links are requested when the message leaves its node.
template <bool kPlain>
void MessageProtocol<kPlain>::take_links(const DepartingMessage& message, const SendEndpoint& out) {
    const std::int64_t leaves = message.requester.clock;
    const CostId cost = message.requester.request_cost;
    if (out.own_link != kRouted && context_.may_take_own_link(message.send_endpoint, ranks_[message.rank].node, leaves))
        [[likely]] {
        const LinkUser user{message.rank, code_[ranks_[message.rank].at].site};
        const bool holds = costs_[cost].holds_links;
        const std::int64_t granted =
            holds ? resources_.grant_own_links(user, message.send_endpoint, out, leaves, cost) : leaves;
        return transmit(out, delayed(leaves, granted - leaves, cost), cost);
    }
    count_on_own_links(message, out);
    if (run_.paths() != nullptr) run_.paths()->depart(message.send_endpoint, *chain_of(message));
    const LinkRequestId request{context_.link_requests.add(link_request(message))};
    if (!layout_.has_lookahead && leaves == context_.now) return serve_links(request);
    context_.calendar.add(leaves, {EventKind::links, request});
}

template <bool kPlain>
void MessageProtocol<kPlain>::count_on_own_links(const DepartingMessage& message, const SendEndpoint& out) {
    if (layout_.collective_steps == 0 || out.own_link == kRouted || layout_.is_of_collective(message.send_endpoint))
        return;
    ++context_.pending[ranks_[message.rank].node].on_own_links;
}

template <bool kPlain>
void MessageProtocol<kPlain>::end_request(const SendEndpoint& out, SendEndpointId send_endpoint) {
    if (layout_.collective_steps == 0) return;
    if (layout_.is_of_collective(send_endpoint)) {
        context_.end_collective_message(send_endpoint);
    } else if (out.own_link != kRouted) {
        --context_.pending[layout_.node_of[layout_.rank_of(send_endpoint)]].on_own_links;
    }
}

template <bool kPlain>
LinkRequest MessageProtocol<kPlain>::link_request(const DepartingMessage& message) {
    const network::Age age = message.begun == nullptr ? age_of(layout_, ranks_[message.rank]) : message.begun->age;
    LinkRequest request;
    request.order = {{message.requester.clock}, age, message.rank};
    request.number = context_.requests_for_links++;
    request.send_endpoint = message.send_endpoint;
    request.cost = message.requester.request_cost;
    request.leaves = {message.requester.clock};
    request.events = 1;
    return request;
}

template <bool kPlain>
void MessageProtocol<kPlain>::serve_links(LinkRequestId id) {
    if (layout_.cuts_packets) return grant_packets(id);
    const LinkRequest request = context_.link_requests.take(id.index);
    if (context_.may_grant_route(request.send_endpoint)) return grant_links(request);
    context_.links_wanted.push_back(request);
}

/// Grants links to the next packets of a message, on a machine whose messages are cut into packets. The messages of its
/// channel are transmitted in the order in which they left.
template <bool kPlain>
void MessageProtocol<kPlain>::grant_packets(LinkRequestId id) {
    if (!packets_.takes_place(id)) return;
    const LinkRequest request = context_.link_requests[id.index];
    if (costs_[request.cost].holds_links) {
        packets_.grant(id);
    } else {
        packets_.pass_by(id, request.leaves + costs_[request.cost].flight);
    }
    while (const std::optional<LinkRequest> next = packets_.take_granted(request.send_endpoint)) {
        const SendEndpoint& out = state_.send_endpoint(next->send_endpoint);
        end_request(out, next->send_endpoint);
        if (run_.paths() != nullptr) run_.paths()->wait_for_links(next->send_endpoint, next->delay);
        transmit(out, {next->leaves.ps, next->delay.ps, next->arrives.ps}, next->cost);
    }
}

template <bool kPlain>
void MessageProtocol<kPlain>::grant_links(const LinkRequest& request) {
    const SendEndpoint& out = state_.send_endpoint(request.send_endpoint);
    end_request(out, request.send_endpoint);
    if (run_.paths() != nullptr) run_.paths()->begin_leaving(request.send_endpoint);
    const RouteGrant granted = grant_route(context_, request);
    const std::int64_t leaves = request.leaves.ps;
    transmit(out, delayed(leaves, granted.time - leaves, request.cost, granted.detour), request.cost);
}

template <bool kPlain>
inline void MessageProtocol<kPlain>::transmit(const SendEndpoint& out, const Transmission& way, CostId cost) {
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

/// Throws for a message that arrives too late, with the first statement of its sender that has this cost.
template <bool kPlain>
void MessageProtocol<kPlain>::throw_arrives_too_late(const SendEndpoint& out, CostId cost) const {
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

// --- a message comes to its receiver: in flight, received by the NIC, taken by the rank that waits for it ------------

template <bool kPlain>
void MessageProtocol<kPlain>::take(const std::vector<RemoteEvent>& events) {
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

template <bool kPlain>
inline void MessageProtocol<kPlain>::arrive(ReceiveEndpointId receive_endpoint, std::int64_t time,
                                            std::int64_t link_delay, CostId cost) {
    ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
    const bool in_flight = layout_.ejects && costs_[cost].holds_nic;
    if (!is(head, ReceiveState::empty)) {
        const bool others_in_flight = is(head, ReceiveState::in_flight) ||
                                      (head.queued && context_.backlog.first_in_flight(receive_endpoint) != nullptr);
        Backlog::Entry entry{.time = time, .delay = {link_delay, 0}};
        entry.set_cost(cost);
        entry.in_flight = in_flight;
        context_.backlog.push(receive_endpoint, entry);
        head.queued = 1;
        if (in_flight && !others_in_flight) await_arrival(receive_endpoint, time);
        if (!in_flight) accept_behind(receive_endpoint);
        return;
    }
    head.time = time;
    head.set_cost(cost);
    head.delayed = link_delay > 0 && !layout_.is_of_collective(receive_endpoint);
    if (head.delayed) context_.backlog.delay_head(receive_endpoint, {link_delay, 0});
    if (in_flight) {
        set(head, ReceiveState::in_flight);
        await_arrival(receive_endpoint, time);
        return;
    }
    set(head, ReceiveState::data);
    if (!head.awaited && !head.in_choice) return;
    const Rank rank = layout_.rank_of(receive_endpoint);
    if (deliver(rank, receive_endpoint) == Next::go_on) context_.wake(rank, ranks_[rank]);
}

/// Delivers the head's data, which has arrived, to a rank that waits for it or may take it in the order of arrival.
template <bool kPlain>
inline Next MessageProtocol<kPlain>::deliver(Rank rank, ReceiveEndpointId receive_endpoint) {
    RankLine& line = ranks_[rank];
    if (receive_endpoints_[receive_endpoint].awaited) return receive(rank, line, receive_endpoint);
    accept_candidate(rank, receive_endpoint);
    return Next::stop;
}

template <bool kPlain>
Rank MessageProtocol<kPlain>::receive_at_nic(ReceiveEndpointId receive_endpoint) {
    ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
    const Rank rank = layout_.rank_of(receive_endpoint);
    Backlog::Entry* const behind =
        is(head, ReceiveState::in_flight) ? nullptr : context_.backlog.first_in_flight(receive_endpoint);
    const std::int64_t arrived = behind == nullptr ? head.time : behind->time;
    const CostId cost = behind == nullptr ? head.cost() : behind->cost();
    const ServerId server = resources_.ejection_server(ranks_[rank].node, rank, receive_endpoint);
    const std::int64_t granted = resources_.grant_ejection(server, arrived, costs_[cost]);
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
        await_arrival(receive_endpoint, next->time);
    }
    if (behind != nullptr) accept_behind(receive_endpoint);
    if (behind != nullptr || !(head.awaited || head.in_choice)) return kNone;
    if (deliver(rank, receive_endpoint) == Next::stop) return kNone;
    ranks_[rank].state = RankState::running;
    return rank;
}

/// Receives the head of the endpoint, whose data has a known time. The rank takes the data at this time or at its own
/// clock, whichever is later.
template <bool kPlain>
Next MessageProtocol<kPlain>::receive(Rank rank, RankLine& line, ReceiveEndpointId receive_endpoint) {
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
    if (run_.timeline() != nullptr) run_.timeline()->receive(rank, receive_endpoint, line.clock);
    const CostId cost = head.cost();
    if (run_.has_choices()) [[unlikely]] {
        choices_.take(receive_endpoint);
        const bool was_posted = program::operation(code_[line.at].op).effect == program::Effect::end_receive;
        if (!was_posted) leave_send_orders(receive_endpoint);
    }
    if (layout_.counts_unexpected) [[unlikely]]
        copy_unexpected(rank, line, arrived, end_open_post(receive_endpoint, came), cost);
    pop(receive_endpoint, head);
    return unpack(rank, line, cost);
}

/// Closes the open receive of the endpoint and returns the time of its post. `came` is the time at which the rank began
/// to wait for the message.
template <bool kPlain>
std::int64_t MessageProtocol<kPlain>::end_open_post(ReceiveEndpointId receive_endpoint, std::int64_t came) {
    if (!layout_.posts_ahead && !layout_.is_of_collective(receive_endpoint)) return came;
    return std::exchange(state_.open_posts[receive_endpoint], OpenPost{}).time();
}

/// Keeps the rank busy with a message that arrived before its receive was posted.
template <bool kPlain>
void MessageProtocol<kPlain>::copy_unexpected(Rank rank, RankLine& line, std::int64_t arrived, std::int64_t posted,
                                              CostId cost) {
    const network::MessageCost& costs = costs_[cost];
    if (!costs.counts_unexpected || arrived >= posted) return;
    advance(rank, line, record::Activity::wait);
    be_busy(rank, line, costs.unexpected, record::Activity::recv);
    RankStatistics& sums = state_.statistics[rank];
    ++sums.unexpected_messages;
    if (line.collective_position == 0) sums.unexpected_time += costs.unexpected.ps;
}

template <bool kPlain>
void MessageProtocol<kPlain>::pop(ReceiveEndpointId receive_endpoint, ReceiveEndpoint& head) {
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

// --- what is counted and recorded ------------------------------------------------------------------------------------

template <bool kPlain>
void MessageProtocol<kPlain>::record_activity(Rank rank, const RankLine& line, record::Activity activity) {
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

/// Counts the waits of a message at the NIC and at links, which are part of the time that its receiver waited.
template <bool kPlain>
void MessageProtocol<kPlain>::account_wait(Rank rank, const Delay& delay, std::int64_t waited) {
    const std::int64_t ejection = std::min(waited, delay.ejection);
    ranks_[rank].nic_wait += ejection;
    const std::int64_t links = std::min(waited - ejection, delay.link);
    if (links > 0) state_.statistics[rank].link_wait += links;
}

/// Records the wait of a receiver in the timeline. The waits of the message in the network are its last part.
template <bool kPlain>
void MessageProtocol<kPlain>::record_wait(Rank rank, const RankLine& line, std::int64_t until, const Delay& delay,
                                          std::int64_t waited) {
    const std::int64_t ejection = std::min(waited, delay.ejection);
    const std::int64_t links = std::min(waited - ejection, delay.link);
    const std::uint16_t site = code_[line.at].site;
    run_.timeline()->advance(rank, record::Activity::wait, until - ejection - links, site);
    run_.timeline()->advance(rank, record::Activity::link_wait, until - ejection, site);
    run_.timeline()->advance(rank, record::Activity::nic_wait, until, site);
}

}  // namespace warpfront::engine
