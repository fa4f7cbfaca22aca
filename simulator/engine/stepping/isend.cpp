// Messages that their rank begins without waiting for them.
#include <algorithm>

#include "simulator/engine/stepping/stepper.hpp"

namespace warpfront::engine {

/// Whether a message needs its rank for nothing once the receive is posted.
bool Stepper::leaves_by_itself(std::uint32_t cost) const {
    return !layout_.costs[cost].holds() && !layout_.mixes_links;
}

Stepper::Next Stepper::start_send(std::uint32_t rank, RankLine& line, std::uint32_t outlet, std::uint32_t size) {
    const Outlet& out = state_.outlets[outlet];
    const std::uint32_t cost = size * layout_.paths + out.path;
    if (!begin_message(outlet, cost)) return send_begun(rank, line, outlet, cost);
    line.clock += layout_.costs[cost].busy_send.ps;
    check_horizon(rank, line);
    started_[outlet] = {line.clock, cost, std::nullopt};
    if (may_leave(outlet, layout_.costs[cost]) && leaves_by_itself(cost)) leave_by_itself(outlet);
    ++line.at;
    return Next::go_on;
}

void Stepper::leave_by_itself(std::uint32_t outlet) {
    Started& started = started_.at(outlet);
    started.left = leaves_at(outlet, started.asked, layout_.costs[started.cost]);
    state_.use_post(outlet);
    launch(state_.outlets[outlet], *started.left, 0, started.cost);
}

/// The rank is there, and so is the post.
Stepper::Next Stepper::leave_waited_for(std::uint32_t rank, RankLine& line, std::uint32_t outlet) {
    const Started started = started_.at(outlet);
    started_.erase(outlet);
    if (started.left) {
        line.clock = std::max(line.clock, *started.left) + layout_.costs[started.cost].busy_after.ps;
        check_horizon(rank, line);
        ++line.at;
        return Next::go_on;
    }
    line.clock = std::max(line.clock, leaves_at(outlet, started.asked, layout_.costs[started.cost]));
    state_.use_post(outlet);
    return go_out(rank, line, started.cost);
}

Stepper::Next Stepper::await_sent(std::uint32_t rank, RankLine& line, std::uint32_t outlet) {
    const auto found = started_.find(outlet);
    if (found == started_.end()) {
        ++line.at;
        return Next::go_on;
    }
    const bool leaves = found->second.left || may_leave(outlet, layout_.costs[found->second.cost]);
    if (leaves) return leave_waited_for(rank, line, outlet);
    line.state = RankState::sending;
    return Next::stop;
}

/// A post has come; false where it is for no message that was begun so, but for one sent before, say.
bool Stepper::meet_started(std::uint32_t rank, RankLine& line, std::uint32_t outlet) {
    const auto found = started_.find(outlet);
    if (found == started_.end() || found->second.left) return false;
    if (!may_leave(outlet, layout_.costs[found->second.cost])) return false;
    if (leaves_by_itself(found->second.cost)) leave_by_itself(outlet);
    const bool waits = line.state == RankState::sending && outlet_in_use(rank, line) == outlet;
    if (waits && leave_waited_for(rank, line, outlet) == Next::go_on) wake(rank, line);
    return true;
}

}  // namespace warpfront::engine
