// Receives that ranks post for whichever message is there first, and go on (open_receives.hpp).
#include <algorithm>

#include "simulator/engine/stepping/message_protocol.hpp"

namespace warpfront::engine {

using program::Op;

Next MessageProtocol::post_for_any(Rank rank, RankLine& line) {
    open_.post(rank, {.choice = {layout_.code[line.at].operand}, .posted = line.clock, .age = age_of(layout_, line)});
    advance_open(rank);
    ++line.at;
    return Next::go_on;
}

Next MessageProtocol::wait_for_open(Rank rank, RankLine& line) {
    const ChoiceId choice{layout_.code[line.at].operand};
    if (open_.find(rank, choice).there) return receive_open(rank, line, choice);
    line.state = RankState::receiving;
    return Next::stop;
}

/// What the rank's open receives have, or may have, has changed.
void MessageProtocol::advance_open(Rank rank) {
    request_next_match(rank);
    RankLine& line = state_.ranks[rank];
    const program::Instruction& step = layout_.code[line.at];
    const bool waits = line.state == RankState::receiving && step.op == Op::wait_recv_any;
    const ChoiceId choice{step.operand};
    if (!waits || !open_.find(rank, choice).there) return;
    if (receive_open(rank, line, choice) == Next::go_on) context_.wake(rank, line);
}

/// Data that is there for receives that are matched leaves its channel.
void MessageProtocol::store_matched_data(Rank rank) {
    for (OpenReceive& each : open_.of(rank)) {
        const bool comes = each.matched() && !each.there;
        if (!comes || !is(state_.receive_endpoints[each.receive_endpoint], ReceiveState::data)) continue;
        ReceiveEndpoint& head = state_.receive_endpoints[each.receive_endpoint];
        each.there = true;
        each.time = head.time;
        each.cost = head.cost();
        each.delay = head.delayed ? state_.delays[each.receive_endpoint] : Delay{};
        pop(each.receive_endpoint, head);
    }
}

void MessageProtocol::request_next_match(Rank rank) {
    const RankLine& line = state_.ranks[rank];
    PendingMatch next;
    for (const OpenReceive& each : open_.of(rank)) {
        if (each.matched()) continue;
        const Candidate first = candidates_.first(rank, each.choice);
        const std::int64_t time = std::max({each.posted, first.time, open_.last_match(rank)});
        if (first.exists() && (!next.candidate.exists() || time < next.time))
            next = {time, each.age, each.choice, first};
    }
    open_.set_next(line.node, rank, next);
    if (!next.candidate.exists()) return;
    if (next.time >= kHorizon.ps) PartitionContext::throw_overflow(rank, next.age.site);
    context_.requests.push_back(ResourceRequest::of_match(next.time, line.node, rank));
}

void MessageProtocol::match_open(Rank rank) {
    ++context_.events;
    const PendingMatch match = open_.next(rank);
    const ReceiveEndpointId receive_endpoint = match.candidate.receive_endpoint;
    OpenReceive& receive = open_.find(rank, match.choice);
    open_.note_match(rank, match.time);
    receive.index = match.candidate.index;
    receive.receive_endpoint = receive_endpoint;
    receive.number = choices_.take(receive_endpoint);
    if (!is(state_.receive_endpoints[receive_endpoint], ReceiveState::data)) {
        choices_.end_request(receive_endpoint);
        refresh_candidate(receive_endpoint);
    }
    post(match.time, receive_endpoint);
    store_matched_data(rank);
    advance_open(rank);
}

/// The rank takes the data of the receive that it has waited for.
Next MessageProtocol::receive_open(Rank rank, RankLine& line, ChoiceId choice) {
    const OpenReceive taken = open_.find(rank, choice);
    open_.end(rank, choice);
    choices_.took(rank, choice, taken.index);
    const std::int64_t waited = taken.time - line.clock;
    if (waited > 0) {
        if (state_.timeline != nullptr) record_wait(rank, line, taken.time, taken.delay, waited);
        account_wait(rank, taken.delay, waited);
        line.clock = taken.time;
    }
    if (state_.timeline != nullptr) {
        state_.timeline->receive(rank, taken.receive_endpoint, taken.number, line.clock);
    }
    return unpack(rank, line, taken.cost);
}

}  // namespace warpfront::engine
