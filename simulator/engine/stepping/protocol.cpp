// What messages do: sends, posts, arrivals, receives.
#include <algorithm>
#include <utility>

#include "simulator/engine/stepping/prefetch.hpp"
#include "simulator/engine/stepping/stepper.hpp"

namespace warpfront::engine {

namespace {

void set(Inlet& head, InletState state) {
    head.state = static_cast<std::uint32_t>(state) & 3U;
}
bool is(const Inlet& head, InletState state) {
    return head.state == static_cast<std::uint32_t>(state);
}

}  // namespace

std::uint32_t Stepper::outlet_in_use(std::uint32_t rank, const RankLine& line) const {
    if (line.micro == 0) return layout_.outlet_numbers.at(rank, layout_.code[line.at].place);
    return layout_.first_collective_outlet + rank * layout_.collective_steps + (line.micro - 1U) / 3;
}

/// Counts the message where the machine limits eager ones; true where it has to wait for a post of its own.
bool Stepper::begin_message(std::uint32_t outlet, std::uint32_t cost) {
    const bool handshake = layout_.costs[cost].handshake;
    if (outlet >= state_.eager_windows.size()) return handshake;
    EagerWindow& window = state_.eager_windows[outlet];
    if (!handshake) return window.begin_eager(layout_.sizes[cost / layout_.paths], *layout_.eager_limit);
    window.begin_rendezvous();
    return true;
}

/// Whether the post is known that the message has to wait for.
bool Stepper::may_leave(std::uint32_t outlet, const network::MessageCost& cost) const {
    if (cost.handshake) return state_.outlets[outlet].has_post;
    return outlet >= state_.eager_windows.size() || state_.eager_windows[outlet].admits();
}

/// When the sender, whose o_send is over at `asked`, learns of that post.
std::int64_t Stepper::leaves_at(std::uint32_t outlet, std::int64_t asked, const network::MessageCost& cost) const {
    if (cost.handshake) return std::max(state_.outlets[outlet].posted, asked + cost.request.ps) + cost.answer.ps;
    if (outlet >= state_.eager_windows.size()) return asked;
    return std::max(asked, state_.eager_windows[outlet].needed_at() + cost.answer.ps);
}

Stepper::Next Stepper::send(std::uint32_t rank, RankLine& line, std::uint32_t outlet, std::uint32_t size) {
    const std::uint32_t cost = size * layout_.paths + state_.outlet(outlet).path;
    begin_message(outlet, cost);
    return send_begun(rank, line, outlet, cost);
}

Stepper::Next Stepper::send_begun(std::uint32_t rank, RankLine& line, std::uint32_t outlet, std::uint32_t cost) {
    Outlet& out = state_.outlet(outlet);
    const network::MessageCost& costs = layout_.costs[cost];
    line.clock += costs.busy_send.ps;
    if (line.micro > 0) ++collective_sends_;
    if (out.announced) {
        if (!may_leave(outlet, costs)) {
            check_horizon(rank, line);
            line.request_cost = cost;
            line.state = RankState::sending;
            out.blocked = 1;
            return Next::stop;
        }
        line.clock = leaves_at(outlet, line.clock, costs);
        state_.use_post(outlet);
    }
    return go_out(rank, line, cost);
}

/// The message may leave as soon as what it holds on the sender's node is granted.
Stepper::Next Stepper::go_out(std::uint32_t rank, RankLine& line, std::uint32_t cost) {
    if (layout_.costs[cost].holds()) {
        ask(rank, line, RankState::asks_to_send, cost);
        return Next::stop;
    }
    if (line.micro > 0) --collective_sends_;
    leave_without_links(rank, line, cost);
    line.clock += layout_.costs[cost].busy_after.ps;
    check_horizon(rank, line);
    advance(line);
    return Next::go_on;
}

void Stepper::launch(const Outlet& out, std::int64_t leaves, std::int64_t link_wait, std::uint32_t cost) {
    const std::int64_t link_delay = std::max<std::int64_t>(0, link_wait - layout_.costs[cost].idle.ps);
    const std::int64_t arrives = leaves + link_delay + layout_.costs[cost].flight.ps;
    if (arrives >= kHorizon.ps) arrives_too_late(out, cost);
    if (out.is_local) {
        arrive(out.inlet, arrives, link_delay, cost);
        return;
    }
    std::size_t region = 0;
    if (region_of_ != nullptr) region = (*region_of_)[layout_.node_of[layout_.rank_of_inlet(out.inlet)]];
    takes_effect_at(arrives);
    auto& box = signals_[region];
    if (link_delay > 0) state_.budget.push(box, Signal{link_delay, out.inlet, Signal::delay, 0});
    state_.budget.push(box, Signal{arrives, out.inlet, Signal::data, cost & 0x3FFFFFFFU});
}

/// A receive is posted. Where its sender may have to wait for that, it is told.
void Stepper::post(RankLine& line, std::uint32_t inlet) {
    const Inlet& head = state_.inlets[inlet];
    if (!head.announces) return;
    if (head.is_local) {
        accept_post(head.outlet, line.clock);
        return;
    }
    std::size_t region = 0;
    if (region_of_ != nullptr) region = (*region_of_)[layout_.node_of[layout_.rank_of_outlet(head.outlet)]];
    takes_effect_at(line.clock + layout_.lookahead.ps);
    state_.budget.push(signals_[region], Signal{line.clock, head.outlet, Signal::post, 0});
}

/// The sender learns of a post. If it waits for this one, its acknowledgement comes one `answer` after both met.
void Stepper::accept_post(std::uint32_t outlet, std::int64_t posted) {
    state_.add_post(outlet, posted);
    PostedOutlet& out = state_.outlets[outlet];
    const std::uint32_t rank = layout_.rank_of_outlet(outlet);
    if (!started_.empty() && meet_started(rank, state_.ranks[rank], outlet)) return;
    if (!out.blocked) return;
    RankLine& line = state_.ranks[rank];
    const network::MessageCost& costs = layout_.costs[line.request_cost];
    if (!may_leave(outlet, costs)) return;
    out.blocked = 0;
    line.clock = leaves_at(outlet, line.clock, costs);
    state_.use_post(outlet);
    if (go_out(rank, line, line.request_cost) == Next::go_on) wake(rank, line);
}

void Stepper::take(const std::vector<Signal>& signals) {
    std::int64_t link_delay = 0;
    for (std::size_t k = 0; k < signals.size(); ++k) {
        prefetch(signals, k);
        const Signal& signal = signals[k];
        switch (signal.kind) {
            case Signal::post: accept_post(signal.target, signal.time); break;
            case Signal::delay: link_delay = signal.time; break;
            case Signal::data: arrive(signal.target, signal.time, std::exchange(link_delay, 0), signal.cost);
        }
    }
}

/// Brings what signals a few further on will touch into the cache: first their channels, then what these lead to.
void Stepper::prefetch(const std::vector<Signal>& signals, std::size_t k) const {
    constexpr std::size_t kChannel = 24;
    constexpr std::size_t kBehind = 12;
    if (k + kChannel < signals.size()) prefetch_channel(signals[k + kChannel]);
    if (k + kBehind >= signals.size()) return;
    const Signal& coming = signals[k + kBehind];
    if (coming.kind == Signal::post && state_.outlets[coming.target].blocked) {
        fetch_ahead(&state_.ranks[layout_.rank_of_outlet(coming.target)]);
    }
    if (coming.kind != Signal::data) return;
    const Inlet& head = state_.inlets[coming.target];
    const std::uint32_t rank = layout_.rank_of_inlet(coming.target);
    if (layout_.ejects) fetch_ahead(&state_.servers[layout_.desk_of(layout_.node_of[rank])]);
    if (!layout_.ejects && head.awaited) fetch_ahead(&state_.ranks[rank]);
    if (!is(head, InletState::empty) && coming.target < state_.queues.size()) {
        fetch_ahead(&state_.queues[coming.target]);
    }
}

void Stepper::prefetch_channel(const Signal& coming) const {
    if (coming.kind == Signal::post) fetch_ahead(&state_.outlets[coming.target]);
    if (coming.kind == Signal::data) fetch_ahead(&state_.inlets[coming.target]);
}

void Stepper::arrive(std::uint32_t inlet, std::int64_t time, std::int64_t link_delay, std::uint32_t cost) {
    Inlet& head = state_.inlets[inlet];
    const bool flies = layout_.ejects && layout_.costs[cost].holds_nic;
    if (!is(head, InletState::empty)) {
        const bool others_fly =
            is(head, InletState::flying) || (head.queued && backlog_.first_flying(inlet) != nullptr);
        Backlog::Entry entry{.time = time, .delay = {link_delay, 0}};
        entry.cost = cost & 0x7FFFFFFFU;
        entry.flying = flies;
        backlog_.push(inlet, entry);
        head.queued = 1;
        if (flies && !others_fly) fly(inlet, time);
        return;
    }
    head.time = time;
    head.cost = cost & 0xFFFFFFU;
    head.delayed = link_delay > 0 && inlet < layout_.first_collective_inlet;
    if (head.delayed) state_.delays[inlet] = {link_delay, 0};
    if (flies) {
        set(head, InletState::flying);
        fly(inlet, time);
        return;
    }
    set(head, InletState::data);
    if (!head.awaited) return;
    const std::uint32_t rank = layout_.rank_of_inlet(inlet);
    RankLine& line = state_.ranks[rank];
    if (receive(rank, line, inlet) == Next::go_on) wake(rank, line);
}

Stepper::Next Stepper::await(std::uint32_t rank, RankLine& line, std::uint32_t inlet) {
    Inlet& head = state_.inlets[inlet];
    if (is(head, InletState::flying)) await_flight(inlet, line.node);
    if (is(head, InletState::data)) return receive(rank, line, inlet);
    head.awaited = 1;
    line.state = RankState::receiving;
    return Next::stop;
}

/// The head's data is known: the rank takes it when both are there.
Stepper::Next Stepper::receive(std::uint32_t rank, RankLine& line, std::uint32_t inlet) {
    Inlet& head = state_.inlets[inlet];
    const std::int64_t waited = head.time - line.clock;
    if (waited > 0) {
        if (head.delayed && line.micro == 0) blame(rank, inlet, waited);
        line.clock = head.time;
    }
    const std::uint32_t cost = head.cost;
    pop(inlet, head);
    const network::MessageCost& costs = layout_.costs[cost];
    if (costs.holds_bus) {
        ask(rank, line, RankState::asks_to_receive, cost);
        return Next::stop;
    }
    line.clock += costs.busy_recv.ps;
    check_horizon(rank, line);
    advance(line);
    return Next::go_on;
}

/// Of the time a receiver waited for its message, what the message itself waited at the NIC and at links.
void Stepper::blame(std::uint32_t rank, std::uint32_t inlet, std::int64_t waited) {
    const Delay& delay = state_.delays[inlet];
    const std::int64_t ejection = std::min(waited, delay.ejection);
    state_.ranks[rank].nic_wait += ejection;
    const std::int64_t links = std::min(waited - ejection, delay.link);
    if (links > 0) state_.gathered[rank].link_wait += links;
}

void Stepper::pop(std::uint32_t inlet, Inlet& head) {
    head.awaited = 0;
    head.delayed = 0;
    if (!head.queued) {
        set(head, InletState::empty);
        return;
    }
    bool more = false;
    const Backlog::Entry next = backlog_.pop(inlet, more);
    head.queued = more;
    head.time = next.time;
    head.cost = next.cost & 0xFFFFFFU;
    set(head, next.flying ? InletState::flying : InletState::data);
    if (inlet < layout_.first_collective_inlet && (next.delay.link > 0 || next.delay.ejection > 0)) {
        head.delayed = 1;
        state_.delays[inlet] = next.delay;
    }
}

}  // namespace warpfront::engine
