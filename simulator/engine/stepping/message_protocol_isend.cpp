// Messages that their rank begins without waiting for them (begun_messages.hpp).
#include <algorithm>

#include "simulator/engine/stepping/message_protocol.hpp"

namespace warpfront::engine {

Next MessageProtocol::isend(Rank rank, RankLine& line, SendEndpointId send_endpoint, SizeId size) {
    PostedSendEndpoint& out = state_.send_endpoints[send_endpoint];
    const CostId cost = layout_.cost_of(size, out.path);
    if (!begin_message(send_endpoint, cost)) return begin_send(rank, line, send_endpoint, cost);
    be_busy(rank, line, layout_.costs[cost].busy_send, record::Activity::send);
    if (state_.paths != nullptr) state_.paths->begun(send_endpoint) = state_.paths->of(rank);
    context_.check_horizon(rank, line);
    BegunMessage& message = begun_.begin(line, send_endpoint, cost);
    if (may_leave(send_endpoint, layout_.costs[cost])) {
        const DepartingMessage departing{rank, send_endpoint, message, &message};
        meet(departing);
        request_departure(departing);
    } else {
        out.blocked = 1;
        if (layout_.has_choices) send_request(send_endpoint, layout_.costs[cost], line.clock);
    }
    ++line.at;
    return Next::go_on;
}

Next MessageProtocol::wait_send(Rank rank, RankLine& line, SendEndpointId send_endpoint) {
    const BegunMessage* const message = begun_.find(send_endpoint);
    if (message == nullptr) {
        ++line.at;
        return Next::go_on;
    }
    if (message->state == RankState::done) return end_wait(rank, line, *message);
    line.state = RankState::sending;
    return Next::stop;
}

/// The rank waits for a message that has left.
Next MessageProtocol::end_wait(Rank rank, RankLine& line, const BegunMessage& message) {
    const SendEndpointId send_endpoint = message.send_endpoint;
    if (message.clock > line.clock) {
        if (state_.paths != nullptr) state_.paths->of(rank) = state_.paths->begun(send_endpoint);
        account_wait(rank, line, message);
        line.clock = message.clock;
    }
    const Time busy = layout_.costs[message.request_cost].busy_after;
    begun_.end(send_endpoint);
    if (state_.paths != nullptr) state_.paths->end_begun(send_endpoint);
    return complete(rank, line, busy, record::Activity::send);
}

/// Counts, in the time that a rank waited for its message to leave, what the message waited, which comes last.
void MessageProtocol::account_wait(Rank rank, RankLine& line, const BegunMessage& message) {
    const std::int64_t left = message.clock;
    const std::int64_t nic = std::min(left - line.clock, message.nic_wait);
    const std::int64_t bus = std::min(left - line.clock - nic, message.bus_wait);
    line.nic_wait += nic;
    line.bus_wait += bus;
    if (state_.timeline == nullptr) return;
    const std::uint16_t site = layout_.code[line.at].site;
    state_.timeline->advance(rank, record::Activity::wait, left - nic - bus, site);
    state_.timeline->advance(rank, record::Activity::bus_wait, left - nic, site);
    state_.timeline->advance(rank, record::Activity::nic_wait, left, site);
}

}  // namespace warpfront::engine
