// Messages that their rank begins without waiting for them (begun_messages.hpp).
#include <algorithm>

#include "simulator/engine/stepping/message_protocol.hpp"

namespace warpfront::engine {

Next MessageProtocol::isend(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, std::uint32_t size) {
    const SendEndpoint& out = state_.send_endpoints[send_endpoint];
    const std::uint32_t cost = size * layout_.paths + out.path;
    if (!begin_message(send_endpoint, cost)) return send_begun(rank, line, send_endpoint, cost);
    line.clock += layout_.costs[cost].busy_send.ps;
    advance(rank, line, record::Activity::send);
    if (state_.paths != nullptr) {
        state_.paths->pass(rank, line.clock, PathPart::overhead);
        state_.paths->begun(send_endpoint) = state_.paths->of(rank);
    }
    context_.check_horizon(rank, line);
    begun_.begin(send_endpoint, {.requested = line.clock, .cost = cost, .age = age_of(layout_, line)});
    if (may_leave(send_endpoint, layout_.costs[cost])) {
        meet_begun(send_endpoint, *begun_.find(send_endpoint));
    } else if (layout_.has_choices) {
        send_request(send_endpoint, layout_.costs[cost], line.clock);
    }
    ++line.at;
    return Next::go_on;
}

Chain* MessageProtocol::chain_of(std::uint32_t begun) const {
    return state_.paths == nullptr ? nullptr : &state_.paths->begun(begun);
}

/// The post is known: the message leaves as soon as what it holds is granted.
void MessageProtocol::meet_begun(std::uint32_t send_endpoint, BegunMessage& message) {
    const network::MessageCost& cost = layout_.costs[message.cost];
    const std::int64_t leaves = leaves_at(send_endpoint, message.requested, cost);
    message.met = true;
    Chain* const chain = chain_of(send_endpoint);
    if (chain != nullptr) meet(*chain, send_endpoint, message.requested, cost, leaves);
    state_.use_post(send_endpoint);
    if (cost.holds() || layout_.mixed_link_use) {
        begun_.request(send_endpoint, RankState::requests_departure, leaves);
        return;
    }
    if (chain != nullptr) state_.paths->begin_leaving(*chain);
    transmit(state_.send_endpoints[send_endpoint], leaves, 0, message.cost);
    leave_begun(send_endpoint, message, leaves);
}

void MessageProtocol::depart_begun(std::uint32_t send_endpoint, std::int64_t limit) {
    ++context_.events;
    BegunMessage& message = *begun_.find(send_endpoint);
    std::int64_t clock = message.time;
    if (!grant_begun(send_endpoint, message, clock)) return;
    if (!take_links_of_begun(send_endpoint, message, clock, limit)) return;
    leave_begun(send_endpoint, message, clock);
}

/// Bus and NIC, one after the other from `clock` on. False where the NIC has to be requested anew.
bool MessageProtocol::grant_begun(std::uint32_t send_endpoint, BegunMessage& message, std::int64_t& clock) {
    const network::MessageCost& cost = layout_.costs[message.cost];
    const std::uint32_t rank = layout_.rank_of_send_endpoint(send_endpoint);
    Chain* const chain = chain_of(send_endpoint);
    if (message.wants == RankState::requests_departure && cost.holds_bus) {
        const std::int64_t granted = resources_.grant_bus(rank, clock, cost, chain);
        message.bus_wait = granted - clock;
        if (cost.holds_nic && is_requested_anew(granted, clock)) {
            begun_.request(send_endpoint, RankState::requests_injection, granted);
            return false;
        }
        clock = granted;
    }
    if (message.wants != RankState::requests_links && cost.holds_nic) {
        const std::int64_t granted = resources_.grant_injection(rank, clock, cost, chain);
        message.nic_wait = granted - clock;
        clock = granted;
    }
    return true;
}

/// False where others may want its links before `clock`: then it requests them.
bool MessageProtocol::take_links_of_begun(std::uint32_t send_endpoint, BegunMessage& message, std::int64_t& clock,
                                          std::int64_t limit) {
    const SendEndpoint& out = state_.send_endpoints[send_endpoint];
    const std::uint32_t rank = layout_.rank_of_send_endpoint(send_endpoint);
    const std::uint32_t node = layout_.node_of[rank];
    const LinkRequest request{{{clock}, message.age, {rank}}, send_endpoint, message.cost};
    Chain* const chain = chain_of(send_endpoint);
    if (!layout_.costs[message.cost].holds_links) {
        if (chain != nullptr) state_.paths->begin_leaving(*chain);
        leaves_at_once(out) ? transmit(out, clock, 0, message.cost) : queue_for_links(request, chain);
        return true;
    }
    if (clock >= limit || (clock > message.time && !may_take_links_ahead(node, clock, out))) {
        begun_.request(send_endpoint, RankState::requests_links, clock);
        return false;
    }
    if (chain != nullptr) state_.paths->begin_leaving(*chain);
    request_links(out, node, request, chain);
    return true;
}

/// It has left its node; its rank may wait for that.
void MessageProtocol::leave_begun(std::uint32_t send_endpoint, BegunMessage& message, std::int64_t clock) {
    message.left = clock;
    const std::uint32_t rank = layout_.rank_of_send_endpoint(send_endpoint);
    RankLine& line = state_.ranks[rank];
    const bool waits = line.state == RankState::sending && send_endpoint_in_use(rank, line) == send_endpoint;
    if (waits && end_wait(rank, line, send_endpoint, message) == Next::go_on) context_.wake(rank, line);
}

/// The rank waits for a message that has left.
Next MessageProtocol::end_wait(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint,
                               const BegunMessage& message) {
    if (state_.paths != nullptr && *message.left > line.clock) {
        state_.paths->of(rank) = state_.paths->begun(send_endpoint);
    }
    if (*message.left > line.clock) account_wait(rank, line, message);
    line.clock = std::max(line.clock, *message.left);
    const Time busy = layout_.costs[message.cost].busy_after;
    begun_.end(send_endpoint);
    if (state_.paths != nullptr) state_.paths->end_begun(send_endpoint);
    return complete(rank, line, busy, record::Activity::send);
}

/// Of the time a rank waited for its message to leave, what the message itself waited, which comes last.
void MessageProtocol::account_wait(std::uint32_t rank, RankLine& line, const BegunMessage& message) {
    const std::int64_t waited = *message.left - line.clock;
    const std::int64_t nic = std::min(waited, message.nic_wait);
    const std::int64_t bus = std::min(waited - nic, message.bus_wait);
    line.nic_wait += nic;
    line.bus_wait += bus;
    if (state_.timeline == nullptr) return;
    const std::uint16_t site = layout_.code[line.at].site;
    state_.timeline->advance(rank, record::Activity::wait, *message.left - nic - bus, site);
    state_.timeline->advance(rank, record::Activity::bus_wait, *message.left - nic, site);
    state_.timeline->advance(rank, record::Activity::nic_wait, *message.left, site);
}

Next MessageProtocol::wait_send(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint) {
    const BegunMessage* const message = begun_.find(send_endpoint);
    if (message == nullptr) {
        ++line.at;
        return Next::go_on;
    }
    if (message->left) return end_wait(rank, line, send_endpoint, *message);
    line.state = RankState::sending;
    return Next::stop;
}

}  // namespace warpfront::engine
