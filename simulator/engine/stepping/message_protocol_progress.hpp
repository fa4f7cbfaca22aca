// Rendezvous that make progress only in MPI calls (call_progress.hpp).
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
    if (progress_.is_outside(rank, step.time)) return progress_.postpone(rank, step);
    act_at(step.time, step);
}

/// Performs an action at `time`. The rank is then in a call, unless the action needs no call. If `time` is the end of
/// the rank's blocks, the action belongs to the rank's own chain.
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
    const DepartingMessage message = message_on(send_endpoint);
    if (run_.paths() != nullptr && time > message.requester.clock) {
        run_.paths()->begun(send_endpoint) = run_.paths()->of(message.rank);
    }
    message.requester.clock = time;
    if (request_departure(message) == Next::go_on) context_.wake(message.rank, ranks_[message.rank]);
}

/// Requests an action at a time that may be within a block of the rank.
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

/// Lets a request meet a posted receive, after one of them was added. They meet if the request belongs to the message
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
    // The rank's own events of that time are known: it has posted the receive, or another of its receives has been
    // matched.
    if (progress_.is_outside(rank, met)) return progress_.postpone(rank, step);
    act_at(met, step);
}

}  // namespace warpfront::engine
