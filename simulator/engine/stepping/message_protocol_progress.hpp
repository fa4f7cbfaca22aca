// Rendezvous that make progress only in MPI calls (call_progress.hpp), and senders that wait for their bytes to leave
// or to arrive (`sender_goes_on`).
#pragma once

#include <algorithm>

#include "simulator/engine/stepping/message_protocol.hpp"

namespace warpfront::engine {

// --- ranks in calls and in blocks ------------------------------------------------------------------------------------

template <bool kPlain>
Next MessageProtocol<kPlain>::begin_block(Rank rank, RankLine& line, Time lasts) {
    leave_call(rank, line);
    line.clock += lasts.ps;
    context_.check_horizon(rank, line);
    line.state = RankState::in_block;
    context_.calendar.add(line.clock, {EventKind::end_of_block, rank});
    return Next::stop;
}

template <bool kPlain>
void MessageProtocol<kPlain>::enter_call(Rank rank, const RankLine& line) {
    for (const ProgressStep& step : progress_.enter_call(rank)) act_at(line.clock, step);
}

template <bool kPlain>
void MessageProtocol<kPlain>::act(ProgressStep step) {
    progress_.end(step);
    const Rank rank = step.kind == ProgressStep::Kind::leave ? layout_.rank_of(step.send_endpoint())
                                                             : layout_.rank_of(step.receive_endpoint());
    if (progress_.is_outside(rank, step.time)) return progress_.hold(rank, step);
    act_at(step.time, step);
}

/// Performs an action at `time`. The rank is in a call then, unless the action needs no call. If `time` is the end of
/// the rank's blocks, the action is part of the rank's own chain.
template <bool kPlain>
void MessageProtocol<kPlain>::act_at(std::int64_t time, const ProgressStep& step) {
    if (step.kind == ProgressStep::Kind::acknowledge) {
        const ReceiveEndpointId receive_endpoint = step.receive_endpoint();
        if (run_.paths() != nullptr) {
            const bool at_post = time == progress_.channel(receive_endpoint).posted;
            run_.paths()->end_post(receive_endpoints_[receive_endpoint].send_endpoint,
                                   layout_.rank_of(receive_endpoint), at_post);
        }
        return notify_post(time, receive_endpoint);
    }
    const SendEndpointId send_endpoint = step.send_endpoint();
    const Rank rank = layout_.rank_of(send_endpoint);
    BegunMessage& message = *begun_.find(send_endpoint);
    if (run_.paths() != nullptr && time > message.clock) run_.paths()->begun(send_endpoint) = run_.paths()->of(rank);
    message.clock = time;
    const DepartingMessage departing{rank, send_endpoint, message, &message};
    if (request_departure(departing) == Next::go_on) context_.wake(rank, ranks_[rank]);
}

/// Requests an action at a time that may lie in a block of the rank.
template <bool kPlain>
void MessageProtocol<kPlain>::request_step(Rank rank, const ProgressStep& step) {
    const RankLine& line = ranks_[rank];
    if (step.time >= kHorizon.ps) PartitionContext::throw_overflow(rank, code_[line.at].site);
    progress_.request(step);
    const bool leaves = step.kind == ProgressStep::Kind::leave;
    context_.calendar.add(step.time, {leaves ? EventKind::leave : EventKind::acknowledge, step.endpoint_index});
}

// --- the receiver acknowledges ---------------------------------------------------------------------------------------

template <bool kPlain>
void MessageProtocol<kPlain>::post_in_calls(std::int64_t time, ReceiveEndpointId receive_endpoint) {
    AcknowledgedChannel& channel = progress_.channel(receive_endpoint);
    ++channel.posts;
    channel.posted = time;
    if (run_.paths() != nullptr) {
        run_.paths()->begin_post(receive_endpoints_[receive_endpoint].send_endpoint, layout_.rank_of(receive_endpoint));
    }
    meet_request(receive_endpoint, channel);
}

/// Lets a request and a posted receive meet, after either was added. They meet if the request belongs to the message
/// that uses this receive.
template <bool kPlain>
void MessageProtocol<kPlain>::meet_request(ReceiveEndpointId receive_endpoint, AcknowledgedChannel& channel) {
    if (!channel.request || channel.request->number != RemoteEvent::number_of(channel.posts - 1)) return;
    const std::int64_t met = std::max(channel.posted, channel.request->time);
    const bool asynchronous = !channel.request->in_calls;
    channel.request.reset();
    const Rank rank = layout_.rank_of(receive_endpoint);
    const ProgressStep step = ProgressStep::acknowledge(met, receive_endpoint);
    if (asynchronous) return act_at(met, step);
    if (met > channel.posted) return request_step(rank, step);
    // The rank's own events of that time are known: it posted the receive, or another of its receives was matched.
    if (progress_.is_outside(rank, met)) return progress_.hold(rank, step);
    act_at(met, step);
}

// --- the sender waits for its bytes ----------------------------------------------------------------------------------

/// Lets the message leave. Its sender continues at the time that `sender_goes_on` of its protocol specifies. The
/// arrival is not known yet if its links are granted between rounds.
template <bool kPlain>
Next MessageProtocol<kPlain>::leave_and_wait(Rank rank, SendEndpointId send_endpoint, BegunMessage* begun) {
    using enum machine::SenderGoesOn;
    const auto message = begun == nullptr ? DepartingMessage{rank, send_endpoint, ranks_[rank]}
                                          : DepartingMessage{rank, send_endpoint, *begun, begun};
    const SendEndpoint& out = state_.send_endpoint(message.send_endpoint);
    const CostId number = message.requester.request_cost;
    const network::MessageCost& cost = costs_[number];
    context_.arrival.reset();
    send_off(message, out);
    if (cost.sender_goes_on == acknowledged) return end_departure(message);
    if (cost.sender_goes_on == sent) {
        const std::int64_t sent_at =
            message.requester.clock + (cost.flight - layout_.latency_of_cost[number] + cost.late).ps;
        if (run_.paths() != nullptr) {
            run_.paths()->wait_for_bytes(message.send_endpoint, number, *chain_of(message), sent_at);
        }
        return end_departure(message, sent_at);
    }
    if (context_.arrival) return end_departure(message, *context_.arrival);
    message.requester.state = RankState::leaving;
    return Next::stop;
}

/// Notes when the last byte of the message arrives. A sender that waits for this arrival may be blocked because the
/// time was not known before; it then continues.
template <bool kPlain>
void MessageProtocol<kPlain>::note_arrival(const SendEndpoint& out, std::int64_t arrives, CostId cost) {
    if (costs_[cost].sender_goes_on != machine::SenderGoesOn::received) return;
    arrives = std::max(arrives + costs_[cost].late.ps, context_.now);
    context_.arrival = arrives;
    const SendEndpointId send_endpoint = receive_endpoints_[out.receive_endpoint].send_endpoint;
    if (run_.paths() != nullptr) {
        run_.paths()->wait_for_arrival(send_endpoint, cost, arrives);
    }
    const Rank rank = layout_.rank_of(send_endpoint);
    RankLine& line = ranks_[rank];
    BegunMessage* const begun = run_.has_begun() ? begun_.find(send_endpoint) : nullptr;
    const auto waiting = begun == nullptr ? DepartingMessage{rank, send_endpoint, line}
                                          : DepartingMessage{rank, send_endpoint, *begun, begun};
    if (waiting.requester.state != RankState::leaving) return;
    if (end_departure(waiting, arrives) == Next::go_on) context_.wake(rank, line);
}

/// Ends the departure of a message whose rank continues no sooner than at `until`.
template <bool kPlain>
Next MessageProtocol<kPlain>::end_departure(const DepartingMessage& message, std::int64_t until) {
    RankLine& line = ranks_[message.rank];
    if (message.begun != nullptr) {
        message.begun->until = until;
        return end_departure(message);
    }
    line.state = RankState::running;
    return complete_send(message.rank, line, message.send_endpoint, line.request_cost, until);
}

}  // namespace warpfront::engine
