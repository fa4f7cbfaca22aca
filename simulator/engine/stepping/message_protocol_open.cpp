// Receives that ranks post for whichever message is there first, and go on (open_receives.hpp).
#include <algorithm>

#include "simulator/engine/stepping/message_protocol.hpp"

namespace warpfront::engine {

using program::Op;

Next MessageProtocol::post_for_any(std::uint32_t rank, RankLine& line) {
    open_.post(rank, {.choice = layout_.code[line.at].operand, .posted = line.clock, .age = age_of(layout_, line)});
    settle(rank);
    ++line.at;
    return Next::go_on;
}

Next MessageProtocol::wait_for_open(std::uint32_t rank, RankLine& line) {
    const std::uint32_t choice = layout_.code[line.at].operand;
    if (open_.find(rank, choice).there) return receive_open(rank, line, choice);
    line.state = RankState::receiving;
    return Next::stop;
}

/// Something has come on this endpoint. True where the rank has a receive open that it may be for.
bool MessageProtocol::offer(std::uint32_t rank, std::uint32_t receive_endpoint) {
    if (!open_.has(rank)) return false;
    const std::vector<OpenReceive>& open = open_.of(rank);
    const bool may_be = std::any_of(open.begin(), open.end(), [&](const OpenReceive& each) {
        if (each.there) return false;
        if (each.matched()) return each.receive_endpoint == receive_endpoint;
        const std::vector<std::uint32_t>& places = layout_.choices[each.choice].places;
        return std::any_of(places.begin(), places.end(), [&](std::uint32_t place) {
            return layout_.receive_endpoint_numbers.at(rank, place) == receive_endpoint;
        });
    });
    if (may_be) settle(rank);
    return may_be;
}

/// After a change: takes in data that has come for what is matched, awaits what may still come, requests the next match, and
/// ends the rank's wait if it is over.
void MessageProtocol::settle(std::uint32_t rank) {
    take_in(rank);
    await_open(rank);
    request_next_match(rank);
    RankLine& line = state_.ranks[rank];
    const program::Instruction& step = layout_.code[line.at];
    const bool waits = line.state == RankState::receiving && step.op == Op::wait_recv_any;
    if (!waits || !open_.find(rank, step.operand).there) return;
    if (receive_open(rank, line, step.operand) == Next::go_on) context_.wake(rank, line);
}

void MessageProtocol::take_in(std::uint32_t rank) {
    for (OpenReceive& each : open_.of(rank)) {
        const bool comes = each.matched() && !each.there;
        if (!comes || !is(state_.receive_endpoints[each.receive_endpoint], ReceiveState::data)) continue;
        ReceiveEndpoint& head = state_.receive_endpoints[each.receive_endpoint];
        each.there = true;
        each.time = head.time;
        each.cost = head.cost;
        each.delay = head.delayed ? state_.delays[each.receive_endpoint] : Delay{};
        pop(each.receive_endpoint, head);
    }
}

/// What is in flight by now may be received by the NIC at once, and may settle the rank's receives before this returns.
void MessageProtocol::await_open(std::uint32_t rank) {
    std::vector<std::uint32_t> in_flight;
    const auto await = [&](std::uint32_t receive_endpoint) {
        ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
        head.awaited = 1;
        if (is(head, ReceiveState::in_flight)) in_flight.push_back(receive_endpoint);
    };
    for (const OpenReceive& each : open_.of(rank)) {
        if (each.there) continue;
        if (each.matched()) await(each.receive_endpoint);
        for (const std::uint32_t place : layout_.choices[each.choice].places) {
            if (!each.matched()) await(layout_.receive_endpoint_numbers.at(rank, place));
        }
    }
    for (const std::uint32_t receive_endpoint : in_flight) {
        const bool still = is(state_.receive_endpoints[receive_endpoint], ReceiveState::in_flight);
        if (still) await_in_flight(receive_endpoint, state_.ranks[rank].node);
    }
}

void MessageProtocol::request_next_match(std::uint32_t rank) {
    const RankLine& line = state_.ranks[rank];
    PendingMatch next;
    for (const OpenReceive& each : open_.of(rank)) {
        if (each.matched()) continue;
        const Candidate first = first_candidate(rank, each.choice);
        const std::int64_t time = std::max({each.posted, first.time, open_.last_match(rank)});
        if (first.exists() && (!next.candidate.exists() || time < next.time))
            next = {time, each.age, each.choice, first};
    }
    open_.set_next(line.node, rank, next);
    if (!next.candidate.exists()) return;
    if (next.time >= kHorizon.ps) PartitionContext::throw_overflow(rank, next.age.site);
    context_.requests.push_back({next.time, line.node, rank, ResourceRequest::Kind::match});
}

Candidate MessageProtocol::first_candidate(std::uint32_t rank, std::uint32_t choice) {
    Candidate first;
    const std::vector<std::uint32_t>& places = layout_.choices[choice].places;
    for (std::uint32_t index = 0; index < places.size(); ++index) {
        const Candidate candidate =
            open_candidate_on(rank, index, layout_.receive_endpoint_numbers.at(rank, places[index]));
        if (candidate.exists() && (!first.exists() || candidate.before(first))) first = candidate;
    }
    return first;
}

/// The data of a rendezvous that is matched is no candidate, and does not hide the request that follows it.
Candidate MessageProtocol::open_candidate_on(std::uint32_t rank, std::uint32_t index, std::uint32_t receive_endpoint) {
    const Candidate candidate = candidate_on(index, receive_endpoint);
    const bool in_flight = is(state_.receive_endpoints[receive_endpoint], ReceiveState::in_flight);
    if (candidate.exists() || !in_flight) return candidate;
    const std::vector<OpenReceive>& open = open_.of(rank);
    const bool matched = std::any_of(open.begin(), open.end(), [&](const OpenReceive& each) {
        return !each.there && each.receive_endpoint == receive_endpoint;
    });
    const MessageRequest* const request = matched ? choices_.request(receive_endpoint) : nullptr;
    return request == nullptr ? Candidate{} : Candidate{request->time, index, receive_endpoint};
}

void MessageProtocol::match_open(std::uint32_t rank) {
    ++context_.events;
    const PendingMatch match = open_.next(rank);
    const std::uint32_t receive_endpoint = match.candidate.receive_endpoint;
    OpenReceive& receive = open_.find(rank, match.choice);
    open_.note_match(rank, match.time);
    receive.index = match.candidate.index;
    receive.receive_endpoint = receive_endpoint;
    receive.number = choices_.take(receive_endpoint);
    if (!is(state_.receive_endpoints[receive_endpoint], ReceiveState::data)) choices_.end_request(receive_endpoint);
    for (const std::uint32_t place : layout_.choices[match.choice].places) {
        state_.receive_endpoints[layout_.receive_endpoint_numbers.at(rank, place)].awaited = 0;
    }
    post(state_.ranks[rank], match.time, receive_endpoint);
    settle(rank);
}

/// The rank takes the data of the receive that it has waited for.
Next MessageProtocol::receive_open(std::uint32_t rank, RankLine& line, std::uint32_t choice) {
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

/// Of a rank that is blocked in its wait.
MessageProtocol::Partners MessageProtocol::partners_of_open(std::uint32_t rank, std::uint32_t choice) const {
    const OpenReceive& receive = open_.find(rank, choice);
    if (receive.matched()) return {false, {receive.receive_endpoint}};
    Partners partners{false, {}};
    for (const std::uint32_t place : layout_.choices[choice].places) {
        partners.endpoints.push_back(layout_.receive_endpoint_numbers.at(rank, place));
    }
    return partners;
}

}  // namespace warpfront::engine
