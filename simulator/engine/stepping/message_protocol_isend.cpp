// Messages that their rank begins without waiting for them.
#include <algorithm>

#include "simulator/engine/stepping/message_protocol.hpp"

namespace warpfront::engine {

/// Whether a message needs its rank for nothing once the receive is posted.
bool MessageProtocol::departs_asynchronously(std::uint32_t cost) const {
    return !layout_.costs[cost].holds() && !layout_.mixed_link_use;
}

Next MessageProtocol::isend(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, std::uint32_t size) {
    const SendEndpoint& out = state_.send_endpoints[send_endpoint];
    const std::uint32_t cost = size * layout_.paths + out.path;
    if (!begin_message(send_endpoint, cost)) return send_begun(rank, line, send_endpoint, cost);
    line.clock += layout_.costs[cost].busy_send.ps;
    advance(rank, line, record::Activity::send);
    if (state_.paths != nullptr) {
        state_.paths->pass(rank, line.clock, PathPart::overhead);
        state_.paths->started(send_endpoint) = state_.paths->of(rank);
    }
    context_.check_horizon(rank, line);
    started_[send_endpoint] = {line.clock, cost, std::nullopt};
    if (may_leave(send_endpoint, layout_.costs[cost]) && departs_asynchronously(cost)) {
        depart_asynchronously(send_endpoint);
    }
    ++line.at;
    return Next::go_on;
}

void MessageProtocol::depart_asynchronously(std::uint32_t send_endpoint) {
    Started& started = started_.at(send_endpoint);
    started.left = leaves_at(send_endpoint, started.requested, layout_.costs[started.cost]);
    if (state_.paths != nullptr) {
        Chain& chain = state_.paths->started(send_endpoint);
        meet(chain, send_endpoint, started.requested, layout_.costs[started.cost], *started.left);
        state_.paths->begin_leaving(chain);
    }
    state_.use_post(send_endpoint);
    transmit(state_.send_endpoints[send_endpoint], *started.left, 0, started.cost);
}

/// The rank waits, and the post is known.
Next MessageProtocol::depart_waited_for(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint) {
    const Started started = started_.at(send_endpoint);
    started_.erase(send_endpoint);
    if (started.left) {
        if (state_.paths != nullptr && *started.left > line.clock) {
            state_.paths->of(rank) = state_.paths->started(send_endpoint);
        }
        line.clock = std::max(line.clock, *started.left);
        return complete(rank, line, layout_.costs[started.cost].busy_after, record::Activity::send);
    }
    const std::int64_t leaves = leaves_at(send_endpoint, started.requested, layout_.costs[started.cost]);
    if (state_.paths != nullptr) {
        Chain& chain = state_.paths->started(send_endpoint);
        meet(chain, send_endpoint, started.requested, layout_.costs[started.cost], leaves);
        if (leaves > line.clock) state_.paths->of(rank) = chain;
    }
    line.clock = std::max(line.clock, leaves);
    state_.use_post(send_endpoint);
    return request_departure(rank, line, started.cost);
}

Next MessageProtocol::wait_send(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint) {
    const auto found = started_.find(send_endpoint);
    if (found == started_.end()) {
        ++line.at;
        return Next::go_on;
    }
    const bool leaves = found->second.left || may_leave(send_endpoint, layout_.costs[found->second.cost]);
    if (leaves) return depart_waited_for(rank, line, send_endpoint);
    line.state = RankState::sending;
    return Next::stop;
}

/// A post has come; false where it is for no message that was begun so, but for one sent before, say.
bool MessageProtocol::meet_started(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint) {
    const auto found = started_.find(send_endpoint);
    if (found == started_.end() || found->second.left) return false;
    if (!may_leave(send_endpoint, layout_.costs[found->second.cost])) return false;
    if (departs_asynchronously(found->second.cost)) depart_asynchronously(send_endpoint);
    const bool waits = line.state == RankState::sending && send_endpoint_in_use(rank, line) == send_endpoint;
    if (waits && depart_waited_for(rank, line, send_endpoint) == Next::go_on) context_.wake(rank, line);
    return true;
}

}  // namespace warpfront::engine
