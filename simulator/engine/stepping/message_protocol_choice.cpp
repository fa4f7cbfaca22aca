// Messages that ranks take as they come (choices.hpp), and replies to those that were taken.
#include <algorithm>
#include <utility>

#include "simulator/engine/stepping/message_protocol.hpp"

namespace warpfront::engine {

using program::Op;

/// Places and endpoints of what the present instruction may take.
template <class Visit>
void MessageProtocol::for_each_of_choice(std::uint32_t rank, const RankLine& line, Visit visit) const {
    const program::Instruction& step = layout_.code[line.at];
    const std::vector<std::uint32_t>& places = layout_.choices[step.operand].places;
    for (std::uint32_t index = 0; index < places.size(); ++index) {
        const std::uint32_t receive_endpoint = layout_.receive_endpoint_numbers.at(rank, places[index]);
        if (step.op == Op::wait_any && !choices_.is_posted(receive_endpoint)) continue;
        visit(index, receive_endpoint);
    }
}

Next MessageProtocol::choose(std::uint32_t rank, RankLine& line) {
    for_each_of_choice(rank, line, [&](std::uint32_t, std::uint32_t receive_endpoint) {
        if (is(state_.receive_endpoints[receive_endpoint], ReceiveState::in_flight)) {
            await_in_flight(receive_endpoint, line.node);
        }
    });
    line.state = RankState::choosing;
    Candidate& first = choices_.first(rank) = {};
    for_each_of_choice(rank, line, [&](std::uint32_t index, std::uint32_t receive_endpoint) {
        state_.receive_endpoints[receive_endpoint].awaited = 1;
        const Candidate candidate = candidate_on(index, receive_endpoint);
        if (candidate.exists() && candidate.before(first)) first = candidate;
    });
    if (first.exists()) request_match(rank, line, first);
    return Next::stop;
}

/// A rendezvous whose receive is posted has been met, and is there with its data alone.
Candidate MessageProtocol::candidate_on(std::uint32_t index, std::uint32_t receive_endpoint) {
    const ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
    if (is(head, ReceiveState::data)) return {head.time, index, receive_endpoint};
    const bool may_request = is(head, ReceiveState::empty) && !choices_.is_posted(receive_endpoint);
    const MessageRequest* const request = may_request ? choices_.request(receive_endpoint) : nullptr;
    return request == nullptr ? Candidate{} : Candidate{request->time, index, receive_endpoint};
}

/// Something has come that the rank may take.
void MessageProtocol::consider(std::uint32_t rank, RankLine& line, std::uint32_t receive_endpoint) {
    Candidate candidate;
    for_each_of_choice(rank, line, [&](std::uint32_t index, std::uint32_t each) {
        if (each == receive_endpoint) candidate = candidate_on(index, each);
    });
    Candidate& first = choices_.first(rank);
    if (!candidate.exists() || (first.exists() && !candidate.before(first))) return;
    first = candidate;
    request_match(rank, line, candidate);
}

/// Takes the place of a later one.
void MessageProtocol::request_match(std::uint32_t rank, RankLine& line, const Candidate& candidate) {
    const std::int64_t time = std::max(line.clock, candidate.time);
    if (time >= kHorizon.ps) PartitionContext::throw_overflow(rank, layout_.code[line.at].site);
    line.state = RankState::requests_match;
    state_.request_time(layout_.hot_state_of(line.node), line.core) = time;
    context_.requests.push_back({time, line.node, rank});
}

Next MessageProtocol::match(std::uint32_t rank, RankLine& line) {
    resources_.take_request(line);
    for_each_of_choice(rank, line, [&](std::uint32_t, std::uint32_t receive_endpoint) {
        state_.receive_endpoints[receive_endpoint].awaited = 0;
    });
    const Candidate taken = choices_.first(rank);
    choices_.end(rank);
    line.state = RankState::running;
    const program::Instruction& step = layout_.code[line.at];
    choices_.took(rank, step.operand, taken.index);
    if (step.op == Op::wait_any) {
        choices_.complete(taken.receive_endpoint);
        return receive(rank, line, taken.receive_endpoint);
    }
    const std::int64_t began = std::exchange(line.clock, std::max(line.clock, taken.time));
    post(line, taken.receive_endpoint);
    if (is(state_.receive_endpoints[taken.receive_endpoint], ReceiveState::data)) {
        line.clock = began;  // it has waited for the message
        return receive(rank, line, taken.receive_endpoint);
    }
    choices_.end_request(taken.receive_endpoint);
    return wait_receive(rank, line, taken.receive_endpoint);
}

/// A rendezvous has been begun, whose receiver may take it from any source.
void MessageProtocol::send_request(std::uint32_t send_endpoint, const network::MessageCost& cost,
                                   std::int64_t requested) {
    const SendEndpoint& out = state_.send_endpoint(send_endpoint);
    if (!cost.rendezvous || !is_from_any_source(out.receive_endpoint)) return;
    const std::int64_t time = requested + cost.request.ps;
    const std::uint32_t number = choices_.number_of_last(send_endpoint);
    if (out.is_local) return accept_request(out.receive_endpoint, {time, number});
    auto& events = context_.events_for(layout_.rank_of_receive_endpoint(out.receive_endpoint), time);
    state_.budget.push(events, RemoteEvent{time, out.receive_endpoint, RemoteEvent::request, number & 0x3FFFFFFFU});
}

void MessageProtocol::accept_request(std::uint32_t receive_endpoint, MessageRequest request) {
    choices_.add_request(receive_endpoint, request);
    if (!state_.receive_endpoints[receive_endpoint].awaited) return;
    const std::uint32_t rank = layout_.rank_of_receive_endpoint(receive_endpoint);
    if (offer(rank, receive_endpoint)) return;
    RankLine& line = state_.ranks[rank];
    if (chooses(line)) consider(rank, line, receive_endpoint);
}

Next MessageProtocol::reply(std::uint32_t rank, RankLine& line, std::uint32_t size) {
    return send(rank, line, reply_endpoint(rank, line), size);
}

Next MessageProtocol::ireply(std::uint32_t rank, RankLine& line, std::uint32_t size) {
    const std::uint32_t send_endpoint = reply_endpoint(rank, line);
    choices_.replied(rank, layout_.code[line.at].operand, send_endpoint);
    return isend(rank, line, send_endpoint, size);
}

Next MessageProtocol::wait_reply(std::uint32_t rank, RankLine& line) {
    return wait_send(rank, line, choices_.replied_on(rank, layout_.code[line.at].operand));
}

std::uint32_t MessageProtocol::reply_endpoint(std::uint32_t rank, const RankLine& line) const {
    const ChoiceLayout& reply = layout_.replies[layout_.code[line.at].operand];
    return layout_.send_endpoint_numbers.at(rank, reply.places[choices_.taken_of(rank, reply.of)]);
}

MessageProtocol::Partners MessageProtocol::partners_of(std::uint32_t rank) const {
    const RankLine& line = state_.ranks[rank];
    const program::Instruction& step = layout_.code[line.at];
    if (line.state == RankState::sending) return {true, {send_endpoint_in_use(rank, line)}};
    if (step.op == Op::wait_recv_any) return partners_of_open(rank, step.operand);
    if (!chooses(line) && step.op != Op::recv_any) {
        return {false, {layout_.receive_endpoint_numbers.at(rank, step.operand)}};
    }
    if (!chooses(line)) {  // the data of what it has taken
        const std::uint32_t place = layout_.choices[step.operand].places[choices_.taken_of(rank, step.operand)];
        return {false, {layout_.receive_endpoint_numbers.at(rank, place)}};
    }
    Partners partners{false, {}};
    for_each_of_choice(rank, line, [&](std::uint32_t, std::uint32_t each) { partners.endpoints.push_back(each); });
    return partners;
}

}  // namespace warpfront::engine
