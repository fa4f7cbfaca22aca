// Receives that take messages in the order of arrival (matching.hpp): blocking receives from any source, and
// nonblocking receives for the first message.
#pragma once

#include <algorithm>
#include <utility>

#include "simulator/engine/stepping/message_protocol.hpp"

namespace warpfront::engine {

// --- a rank waits for the first message ------------------------------------------------------------------------------

template <bool kPlain>
Next MessageProtocol<kPlain>::choose(Rank rank, RankLine& line) {
    line.state = RankState::choosing;
    choices_.matches(rank) = {};
    consider(rank, line);
    return Next::stop;
}

/// Counts a message whose send begins. If its receiver takes messages in the order of sending, adds it to this order.
template <bool kPlain>
void MessageProtocol<kPlain>::count_sent(SendEndpointId send_endpoint) {
    choices_.send(send_endpoint);
    const SendEndpoint& out = state_.send_endpoint(send_endpoint);
    if (!is_in_send_order(out.receive_endpoint)) return;
    if (out.is_local) return add_to_send_orders(out.receive_endpoint);
    auto& events = context_.events_for(layout_.rank_of(out.receive_endpoint), kHorizon.ps);
    state_.budget.push(events, RemoteEvent::of_sent(out.receive_endpoint));
}

template <bool kPlain>
void MessageProtocol<kPlain>::add_to_send_orders(ReceiveEndpointId receive_endpoint) {
    const Rank rank = layout_.rank_of(receive_endpoint);
    send_orders_.send(rank, layout_.class_at(ranks_[rank].at), receive_endpoint);
}

/// Removes from the send orders the message of this endpoint that is taken, or that belongs to the receive posted
/// there. The next message of its source may then become a candidate.
template <bool kPlain>
void MessageProtocol<kPlain>::leave_send_orders(ReceiveEndpointId receive_endpoint) {
    if (!is_in_send_order(receive_endpoint)) return;
    const Rank rank = layout_.rank_of(receive_endpoint);
    const std::uint32_t rank_class = layout_.class_at(ranks_[rank].at);
    send_orders_.take(rank, rank_class, receive_endpoint);
    const std::uint32_t place = layout_.receive_endpoint_numbers.place_of(receive_endpoint);
    for (const SendOrderId order : layout_.send_orders_of_place[rank_class][place]) {
        const std::optional<std::uint32_t> next = send_orders_.next(rank, order);
        if (next && *next != place) refresh_candidate(layout_.receive_endpoint_numbers.at(rank, *next));
    }
}

/// Updates the candidate of this endpoint after a change of its first messages or of a posted receive.
template <bool kPlain>
void MessageProtocol<kPlain>::refresh_candidate(ReceiveEndpointId receive_endpoint) {
    const Rank rank = layout_.rank_of(receive_endpoint);
    const std::uint32_t rank_class = layout_.class_at(ranks_[rank].at);
    const OpenReceive* const by_name = choices_.posted(receive_endpoint);
    const ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
    Choices::Since since{.of_any = first_since(rank, receive_endpoint)};
    if (by_name != nullptr && by_name->there) {
        since.of_posted = by_name->time;
    } else if (by_name != nullptr && is(head, ReceiveState::data)) {
        since.of_posted = head.time;
    }
    choices_.set_candidate(rank, rank_class, receive_endpoint, since);
}

/// Returns the time since which a receive from any source may take the first message of this endpoint; kHorizon if
/// there is none. If the data of a message is at the front, but belongs to another receive, the request behind it
/// counts.
template <bool kPlain>
std::int64_t MessageProtocol<kPlain>::first_since(Rank rank, ReceiveEndpointId receive_endpoint) {
    const ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
    if (is(head, ReceiveState::data)) return head.time;
    if (is(head, ReceiveState::in_flight) && !choices_.expects(rank, receive_endpoint)) return kHorizon.ps;
    const MessageRequest* const request = choices_.request(receive_endpoint);
    return request == nullptr ? kHorizon.ps : request->time;
}

/// Notes a receive that the rank posts by name. It takes the next message of its channel, which may have arrived.
template <bool kPlain>
void MessageProtocol<kPlain>::post_by_name(const RankLine& line, ReceiveEndpointId receive_endpoint) {
    choices_.post(receive_endpoint, line.clock);
    leave_send_orders(receive_endpoint);
    if (holds_posted_data(receive_endpoint)) store_data(*choices_.posted(receive_endpoint));
    if (receive_endpoints_[receive_endpoint].in_choice) refresh_candidate(receive_endpoint);
}

/// Waits for the message of a receive that was posted by name.
template <bool kPlain>
Next MessageProtocol<kPlain>::await_posted(Rank rank, RankLine& line, ReceiveEndpointId receive_endpoint) {
    const OpenReceive posted = choices_.complete(receive_endpoint);
    if (!posted.there) return wait_receive(rank, line, receive_endpoint);
    refresh_candidate(receive_endpoint);
    return receive_stored(rank, line, posted);
}

/// Returns true if the head of the endpoint is data for a receive that is posted by name, and choices may take the
/// messages behind it.
template <bool kPlain>
bool MessageProtocol<kPlain>::holds_posted_data(ReceiveEndpointId receive_endpoint) const {
    if (!is_from_any_source(receive_endpoint) || !is(receive_endpoints_[receive_endpoint], ReceiveState::data)) {
        return false;
    }
    const OpenReceive* const by_name = choices_.posted(receive_endpoint);
    return by_name != nullptr && !by_name->there;
}

/// Stores data that has arrived for a receive that is posted by name. The next message of the channel comes forward.
template <bool kPlain>
Next MessageProtocol<kPlain>::deliver_posted(Rank rank, ReceiveEndpointId receive_endpoint) {
    store_data(*choices_.posted(receive_endpoint));
    const ReceiveEndpoint& head = receive_endpoints_[receive_endpoint];
    if (head.awaited && is(head, ReceiveState::data)) return receive(rank, ranks_[rank], receive_endpoint);
    accept_candidate(rank, receive_endpoint);
    return Next::stop;
}

/// Counts the message that the rank takes at its clock, unless it was counted when its receive was posted.
template <bool kPlain>
void MessageProtocol<kPlain>::count_taken(Rank rank, const RankLine& line, ReceiveEndpointId receive_endpoint) {
    const bool was_posted = program::operation(code_[line.at].op).effect == program::Effect::end_receive;
    if (was_posted) {
        if (run_.timeline() != nullptr) run_.timeline()->receive(rank, receive_endpoint, line.clock);
        return;
    }
    const std::uint32_t number = choices_.take(receive_endpoint);
    if (run_.timeline() != nullptr) run_.timeline()->receive(rank, receive_endpoint, number, line.clock);
    leave_send_orders(receive_endpoint);
}

/// Handles a message or a request on an endpoint of a choice for which no blocked receive waits.
template <bool kPlain>
void MessageProtocol<kPlain>::accept_candidate(Rank rank, ReceiveEndpointId receive_endpoint) {
    const bool open = !choices_.open(rank).empty();
    if (open) store_matched_data(rank);
    refresh_candidate(receive_endpoint);
    if (open) advance_open(rank);
    RankLine& line = ranks_[rank];
    if (chooses(line)) consider(rank, line);
}

/// Searches for a message of the choice for which the rank waits.
template <bool kPlain>
void MessageProtocol<kPlain>::consider(Rank rank, RankLine& line) {
    const Candidate candidate = choices_.first_candidate(rank, ChoiceId{code_[line.at].operand});
    Candidate& first = choices_.matches(rank);
    if (!candidate.exists() || (first.exists() && !candidate.before(first))) return;
    if (first.exists()) context_.revocable[first.event].revoked = true;
    first = candidate;
    first.event = request_match(rank, line, candidate);
}

template <bool kPlain>
std::uint32_t MessageProtocol<kPlain>::request_match(Rank rank, RankLine& line, const Candidate& candidate) {
    const std::int64_t time = std::max(line.clock, candidate.time);
    if (time >= kHorizon.ps) PartitionContext::throw_overflow(rank, code_[line.at].site);
    line.state = RankState::requests_match;
    const std::uint32_t event =
        context_.revocable.add({.kind = RevocableEvent::Kind::match, .age = age_of(layout_, line), .rank = rank});
    context_.calendar.add(std::max(time, context_.now), {EventKind::revocable, event});
    return event;
}

template <bool kPlain>
Next MessageProtocol<kPlain>::match(Rank rank, RankLine& line) {
    const Candidate taken = std::exchange(choices_.matches(rank), {});
    line.state = RankState::running;
    const program::Instruction& step = code_[line.at];
    choices_.took(rank, ChoiceId{step.operand}, taken.index);
    if (step.op == program::Op::wait_any) return await_posted(rank, line, taken.receive_endpoint);
    const std::int64_t began = std::exchange(line.clock, std::max(line.clock, taken.time));
    post(line, taken.receive_endpoint);
    note_open_post(began, taken.receive_endpoint);
    if (is(receive_endpoints_[taken.receive_endpoint], ReceiveState::data)) {
        line.clock = began;  // since then, the rank has waited for the message
        return receive(rank, line, taken.receive_endpoint);
    }
    choices_.end_request(taken.receive_endpoint);
    refresh_candidate(taken.receive_endpoint);
    return wait_receive(rank, line, taken.receive_endpoint);
}

/// Sends the request of a rendezvous whose receiver may take it from any source, or acknowledges it in calls.
template <bool kPlain>
void MessageProtocol<kPlain>::send_request(SendEndpointId send_endpoint, const network::MessageCost& cost,
                                           std::int64_t requested) {
    const SendEndpoint& out = state_.send_endpoint(send_endpoint);
    const ReceiveEndpointId to = out.receive_endpoint;
    if (!cost.rendezvous || (!is_from_any_source(to) && !is_acknowledged_in_calls(to))) return;
    const std::int64_t time = requested + cost.request.ps;
    const std::uint32_t number = choices_.number_of_last(send_endpoint);
    if (out.is_local) return accept_request(out.receive_endpoint, {time, number, cost.in_calls});
    auto& events = context_.events_for(layout_.rank_of(out.receive_endpoint), time);
    state_.budget.push(events, RemoteEvent::of_request(time, out.receive_endpoint, number, cost.in_calls));
}

template <bool kPlain>
void MessageProtocol<kPlain>::accept_request(ReceiveEndpointId receive_endpoint, MessageRequest request) {
    if (is_acknowledged_in_calls(receive_endpoint)) {
        AcknowledgedChannel& channel = progress_.channel(receive_endpoint);
        channel.request = request;
        meet_request(receive_endpoint, channel);
        if (!is_from_any_source(receive_endpoint)) return;
    }
    choices_.add_request(receive_endpoint, request);
    accept_candidate(layout_.rank_of(receive_endpoint), receive_endpoint);
}

template <bool kPlain>
Next MessageProtocol<kPlain>::reply(Rank rank, RankLine& line, SizeId size) {
    return send(rank, line, reply_endpoint(rank, line), size);
}

template <bool kPlain>
Next MessageProtocol<kPlain>::ireply(Rank rank, RankLine& line, SizeId size) {
    const SendEndpointId send_endpoint = reply_endpoint(rank, line);
    choices_.replied(rank, ReplyId{code_[line.at].operand}, send_endpoint);
    return isend(rank, line, send_endpoint, size);
}

template <bool kPlain>
Next MessageProtocol<kPlain>::wait_reply(Rank rank, RankLine& line) {
    return wait_send(rank, line, choices_.replied_on(rank, ReplyId{code_[line.at].operand}));
}

template <bool kPlain>
SendEndpointId MessageProtocol<kPlain>::reply_endpoint(Rank rank, const RankLine& line) const {
    const ChoiceLayout& reply = layout_.replies[ReplyId{code_[line.at].operand}];
    return layout_.send_endpoint_numbers.at(rank, reply.places[choices_.taken_of(rank, reply.of)]);
}

template <bool kPlain>
Partners MessageProtocol<kPlain>::partners_of(Rank rank) const {
    const RankLine& line = ranks_[rank];
    const program::Instruction& step = code_[line.at];
    if (line.state == RankState::sending) {
        return {true, {layout_.send_endpoint_numbers.place_of(send_endpoint_in_use(rank, line))}};
    }
    const bool open = step.op == program::Op::wait_recv_any;
    const ChoiceId choice{step.operand};
    if (open && choices_.open(rank, choice).matched()) {
        return {false, {layout_.receive_endpoint_numbers.place_of(choices_.open(rank, choice).receive_endpoint)}};
    }
    if (!open && !chooses(line)) {
        if (step.op != program::Op::recv_any) return {false, {step.operand}};
        /// the rank waits for the data of a matched rendezvous
        return {false, {layout_.choices[choice].places[choices_.taken_of(rank, choice)]}};
    }
    Partners partners{false, {}};
    for (const std::uint32_t place : layout_.choices[choice].places) {
        const ReceiveEndpointId receive_endpoint = layout_.receive_endpoint_numbers.at(rank, place);
        if (step.op == program::Op::wait_any && choices_.posted(receive_endpoint) == nullptr) continue;
        partners.places.push_back(place);
    }
    return partners;
}

// --- nonblocking receives for the first message ----------------------------------------------------------------------

template <bool kPlain>
Next MessageProtocol<kPlain>::post_for_any(Rank rank, RankLine& line) {
    choices_.open(rank).push_back(
        {.choice = {code_[line.at].operand}, .posted = line.clock, .age = age_of(layout_, line)});
    advance_open(rank);
    ++line.at;
    return Next::go_on;
}

template <bool kPlain>
Next MessageProtocol<kPlain>::wait_for_open(Rank rank, RankLine& line) {
    const ChoiceId choice{code_[line.at].operand};
    if (choices_.open(rank, choice).there) return receive_open(rank, line, choice);
    line.state = RankState::receiving;
    return Next::stop;
}

/// Updates the rank's open receives after a change of matched messages or of candidates.
template <bool kPlain>
void MessageProtocol<kPlain>::advance_open(Rank rank) {
    request_next_match(rank);
    RankLine& line = ranks_[rank];
    const program::Instruction& step = code_[line.at];
    const bool waits = line.state == RankState::receiving && step.op == program::Op::wait_recv_any;
    const ChoiceId choice{step.operand};
    if (!waits || !choices_.open(rank, choice).there) return;
    if (receive_open(rank, line, choice) == Next::go_on) context_.wake(rank, line);
}

/// Removes data that has arrived for matched receives from its channel, and stores it.
template <bool kPlain>
void MessageProtocol<kPlain>::store_matched_data(Rank rank) {
    for (OpenReceive& each : choices_.open(rank)) {
        const bool comes = each.matched() && !each.there;
        if (comes && is(receive_endpoints_[each.receive_endpoint], ReceiveState::data)) store_data(each);
    }
}

/// Moves the head of its channel into the receive. A rank may wait for the next message of the channel.
template <bool kPlain>
void MessageProtocol<kPlain>::store_data(OpenReceive& receive) {
    ReceiveEndpoint& head = receive_endpoints_[receive.receive_endpoint];
    receive.there = true;
    receive.time = head.time;
    receive.cost = head.cost();
    receive.delay = head.delayed ? context_.backlog.delay(receive.receive_endpoint) : Delay{};
    const bool awaited = head.awaited;
    pop(receive.receive_endpoint, head);
    head.awaited = awaited;
}

template <bool kPlain>
void MessageProtocol<kPlain>::request_next_match(Rank rank) {
    PendingMatch next;
    for (const OpenReceive& each : choices_.open(rank)) {
        if (each.matched()) continue;
        const Candidate first = choices_.first_candidate(rank, each.choice);
        const std::int64_t time = std::max({each.posted, first.time, choices_.last_match(rank)});
        if (first.exists() && (!next.candidate.exists() || time < next.time))
            next = {time, each.age, each.choice, first};
    }
    PendingMatch& pending = choices_.next_match(rank);
    if (pending.candidate.exists()) context_.revocable[pending.candidate.event].revoked = true;
    pending = next;
    if (!next.candidate.exists()) return;
    if (next.time >= kHorizon.ps) PartitionContext::throw_overflow(rank, next.age.site);
    pending.candidate.event =
        context_.revocable.add({.kind = RevocableEvent::Kind::match_of_receive, .age = next.age, .rank = rank});
    context_.calendar.add(std::max(next.time, context_.now), {EventKind::revocable, pending.candidate.event});
}

template <bool kPlain>
void MessageProtocol<kPlain>::match_open(Rank rank) {
    const PendingMatch match = std::exchange(choices_.next_match(rank), {});
    const ReceiveEndpointId receive_endpoint = match.candidate.receive_endpoint;
    OpenReceive& receive = choices_.open(rank, match.choice);
    choices_.last_match(rank) = match.time;
    receive.matched_at = match.time;
    receive.index = match.candidate.index;
    receive.receive_endpoint = receive_endpoint;
    receive.number = choices_.take(receive_endpoint);
    leave_send_orders(receive_endpoint);
    if (!is(receive_endpoints_[receive_endpoint], ReceiveState::data)) {
        choices_.end_request(receive_endpoint);
        refresh_candidate(receive_endpoint);
    }
    announce_post(match.time, receive_endpoint);
    store_matched_data(rank);
    advance_open(rank);
}

/// Receives the data of the open receive for which the rank has waited.
template <bool kPlain>
Next MessageProtocol<kPlain>::receive_open(Rank rank, RankLine& line, ChoiceId choice) {
    const OpenReceive taken = choices_.open(rank, choice);
    choices_.end_open(rank, choice);
    choices_.took(rank, choice, taken.index);
    return receive_stored(rank, line, taken);
}

/// Takes data that has been stored for a receive.
template <bool kPlain>
Next MessageProtocol<kPlain>::receive_stored(Rank rank, RankLine& line, const OpenReceive& taken) {
    const std::int64_t until = std::max(taken.time, taken.matched_at);
    const std::int64_t waited = until - line.clock;
    if (waited > 0) {
        const Delay delay = until == taken.time ? taken.delay : Delay{};
        if (run_.timeline() != nullptr) record_wait(rank, line, until, delay, waited);
        account_wait(rank, delay, waited);
        line.clock = until;
    }
    if (run_.timeline() != nullptr) {
        run_.timeline()->receive(rank, taken.receive_endpoint, taken.number, line.clock);
    }
    if (layout_.counts_unexpected && taken.time < taken.posted) copy_unexpected(rank, line, taken.cost);
    return unpack(rank, line, taken.cost);
}

}  // namespace warpfront::engine
