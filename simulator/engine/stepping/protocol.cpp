// What messages do: sends, posts, arrivals, receives.
#include <algorithm>
#include <utility>

#include "simulator/engine/stepping/prefetch.hpp"
#include "simulator/engine/stepping/stepper.hpp"

namespace warpfront::engine {

namespace {

void set(ReceiveEndpoint& head, ReceiveState state) { head.state = static_cast<std::uint32_t>(state) & 3U; }
bool is(const ReceiveEndpoint& head, ReceiveState state) { return head.state == static_cast<std::uint32_t>(state); }

}  // namespace

std::uint32_t Stepper::send_endpoint_in_use(std::uint32_t rank, const RankLine& line) const {
    if (line.collective_position == 0) return layout_.send_endpoint_numbers.at(rank, layout_.code[line.at].operand);
    return layout_.first_collective_send_endpoint + rank * layout_.collective_steps +
           (line.collective_position - 1U) / 3;
}

/// Counts the message where the machine limits eager ones; true where it has to wait for a post of its own.
bool Stepper::begin_message(std::uint32_t send_endpoint, std::uint32_t cost) {
    const bool rendezvous = layout_.costs[cost].rendezvous;
    if (send_endpoint >= state_.eager_windows.size()) return rendezvous;
    EagerWindow& window = state_.eager_windows[send_endpoint];
    if (!rendezvous) return window.begin_eager(layout_.sizes[cost / layout_.paths], *layout_.eager_limit);
    window.begin_rendezvous();
    return true;
}

/// Whether the post is known that the message has to wait for.
bool Stepper::may_leave(std::uint32_t send_endpoint, const network::MessageCost& cost) const {
    if (cost.rendezvous) return state_.send_endpoints[send_endpoint].has_post;
    return send_endpoint >= state_.eager_windows.size() || state_.eager_windows[send_endpoint].admits();
}

/// When the sender, whose o_send is over at `asked`, learns of that post.
std::int64_t Stepper::leaves_at(std::uint32_t send_endpoint, std::int64_t asked,
                                const network::MessageCost& cost) const {
    if (cost.rendezvous)
        return std::max(state_.send_endpoints[send_endpoint].posted, asked + cost.request.ps) + cost.answer.ps;
    if (send_endpoint >= state_.eager_windows.size()) return asked;
    return std::max(asked, state_.eager_windows[send_endpoint].needed_at() + cost.answer.ps);
}

Stepper::Next Stepper::send(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, std::uint32_t size) {
    const std::uint32_t cost = size * layout_.paths + state_.send_endpoint(send_endpoint).path;
    begin_message(send_endpoint, cost);
    return send_begun(rank, line, send_endpoint, cost);
}

Stepper::Next Stepper::send_begun(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, std::uint32_t cost) {
    SendEndpoint& out = state_.send_endpoint(send_endpoint);
    const network::MessageCost& costs = layout_.costs[cost];
    line.clock += costs.busy_send.ps;
    if (line.collective_position > 0) ++collective_sends_;
    if (out.needs_post_notice) {
        if (!may_leave(send_endpoint, costs)) {
            check_horizon(rank, line);
            line.request_cost = cost;
            line.state = RankState::sending;
            out.blocked = 1;
            return Next::stop;
        }
        line.clock = leaves_at(send_endpoint, line.clock, costs);
        state_.use_post(send_endpoint);
    }
    return request_departure(rank, line, cost);
}

/// The message may leave as soon as what it holds on the sender's node is granted.
Stepper::Next Stepper::request_departure(std::uint32_t rank, RankLine& line, std::uint32_t cost) {
    if (layout_.costs[cost].holds()) {
        ask(rank, line, RankState::asks_to_send, cost);
        return Next::stop;
    }
    if (line.collective_position > 0) --collective_sends_;
    leave_without_links(rank, line, cost);
    line.clock += layout_.costs[cost].busy_after.ps;
    check_horizon(rank, line);
    advance(line);
    return Next::go_on;
}

void Stepper::transmit(const SendEndpoint& out, std::int64_t leaves, std::int64_t link_wait, std::uint32_t cost) {
    const std::int64_t link_delay = std::max<std::int64_t>(0, link_wait - layout_.costs[cost].idle.ps);
    const std::int64_t arrives = leaves + link_delay + layout_.costs[cost].flight.ps;
    if (arrives >= kHorizon.ps) arrives_too_late(out, cost);
    if (out.is_local) {
        arrive(out.receive_endpoint, arrives, link_delay, cost);
        return;
    }
    std::size_t partition = 0;
    if (partition_of_ != nullptr)
        partition = (*partition_of_)[layout_.node_of[layout_.rank_of_receive_endpoint(out.receive_endpoint)]];
    takes_effect_at(arrives);
    auto& box = signals_[partition];
    if (link_delay > 0) state_.budget.push(box, RemoteEvent{link_delay, out.receive_endpoint, RemoteEvent::delay, 0});
    state_.budget.push(box, RemoteEvent{arrives, out.receive_endpoint, RemoteEvent::data, cost & 0x3FFFFFFFU});
}

/// A receive is posted. Where its sender may have to wait for that, it is told.
void Stepper::post(RankLine& line, std::uint32_t receive_endpoint) {
    const ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
    if (!head.needs_post_notice) return;
    if (head.is_local) {
        accept_post(head.send_endpoint, line.clock);
        return;
    }
    std::size_t partition = 0;
    if (partition_of_ != nullptr)
        partition = (*partition_of_)[layout_.node_of[layout_.rank_of_send_endpoint(head.send_endpoint)]];
    takes_effect_at(line.clock + layout_.lookahead.ps);
    state_.budget.push(signals_[partition], RemoteEvent{line.clock, head.send_endpoint, RemoteEvent::post, 0});
}

/// The sender learns of a post. If it waits for this one, its acknowledgement comes one `answer` after both met.
void Stepper::accept_post(std::uint32_t send_endpoint, std::int64_t posted) {
    state_.add_post(send_endpoint, posted);
    PostedSendEndpoint& out = state_.send_endpoints[send_endpoint];
    const std::uint32_t rank = layout_.rank_of_send_endpoint(send_endpoint);
    if (!started_.empty() && meet_started(rank, state_.ranks[rank], send_endpoint)) return;
    if (!out.blocked) return;
    RankLine& line = state_.ranks[rank];
    const network::MessageCost& costs = layout_.costs[line.request_cost];
    if (!may_leave(send_endpoint, costs)) return;
    out.blocked = 0;
    line.clock = leaves_at(send_endpoint, line.clock, costs);
    state_.use_post(send_endpoint);
    if (request_departure(rank, line, line.request_cost) == Next::go_on) wake(rank, line);
}

void Stepper::take(const std::vector<RemoteEvent>& signals) {
    std::int64_t link_delay = 0;
    for (std::size_t k = 0; k < signals.size(); ++k) {
        prefetch(signals, k);
        const RemoteEvent& signal = signals[k];
        switch (signal.kind) {
            case RemoteEvent::post: accept_post(signal.target, signal.time); break;
            case RemoteEvent::delay: link_delay = signal.time; break;
            case RemoteEvent::data: arrive(signal.target, signal.time, std::exchange(link_delay, 0), signal.cost);
        }
    }
}

/// Brings what signals a few further on will touch into the cache: first their channels, then what these lead to.
void Stepper::prefetch(const std::vector<RemoteEvent>& signals, std::size_t k) const {
    constexpr std::size_t kChannel = 24;
    constexpr std::size_t kBehind = 12;
    if (k + kChannel < signals.size()) prefetch_channel(signals[k + kChannel]);
    if (k + kBehind >= signals.size()) return;
    const RemoteEvent& coming = signals[k + kBehind];
    if (coming.kind == RemoteEvent::post && state_.send_endpoints[coming.target].blocked) {
        prefetch_line(&state_.ranks[layout_.rank_of_send_endpoint(coming.target)]);
    }
    if (coming.kind != RemoteEvent::data) return;
    const ReceiveEndpoint& head = state_.receive_endpoints[coming.target];
    const std::uint32_t rank = layout_.rank_of_receive_endpoint(coming.target);
    if (layout_.ejects) prefetch_line(&state_.servers[layout_.hot_state_of(layout_.node_of[rank])]);
    if (!layout_.ejects && head.awaited) prefetch_line(&state_.ranks[rank]);
    if (!is(head, ReceiveState::empty) && coming.target < state_.queues.size()) {
        prefetch_line(&state_.queues[coming.target]);
    }
}

void Stepper::prefetch_channel(const RemoteEvent& coming) const {
    if (coming.kind == RemoteEvent::post) prefetch_line(&state_.send_endpoints[coming.target]);
    if (coming.kind == RemoteEvent::data) prefetch_line(&state_.receive_endpoints[coming.target]);
}

void Stepper::arrive(std::uint32_t receive_endpoint, std::int64_t time, std::int64_t link_delay, std::uint32_t cost) {
    ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
    const bool in_flight = layout_.ejects && layout_.costs[cost].holds_nic;
    if (!is(head, ReceiveState::empty)) {
        const bool others_in_flight = is(head, ReceiveState::in_flight) ||
                                      (head.queued && backlog_.first_in_flight_behind(receive_endpoint) != nullptr);
        Backlog::Entry entry{.time = time, .delay = {link_delay, 0}};
        entry.cost = cost & 0x7FFFFFFFU;
        entry.in_flight = in_flight;
        backlog_.push(receive_endpoint, entry);
        head.queued = 1;
        if (in_flight && !others_in_flight) enter_flight(receive_endpoint, time);
        return;
    }
    head.time = time;
    head.cost = cost & 0xFFFFFFU;
    head.delayed = link_delay > 0 && receive_endpoint < layout_.first_collective_receive_endpoint;
    if (head.delayed) state_.delays[receive_endpoint] = {link_delay, 0};
    if (in_flight) {
        set(head, ReceiveState::in_flight);
        enter_flight(receive_endpoint, time);
        return;
    }
    set(head, ReceiveState::data);
    if (!head.awaited) return;
    const std::uint32_t rank = layout_.rank_of_receive_endpoint(receive_endpoint);
    RankLine& line = state_.ranks[rank];
    if (receive(rank, line, receive_endpoint) == Next::go_on) wake(rank, line);
}

Stepper::Next Stepper::await(std::uint32_t rank, RankLine& line, std::uint32_t receive_endpoint) {
    ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
    if (is(head, ReceiveState::in_flight)) await_in_flight(receive_endpoint, line.node);
    if (is(head, ReceiveState::data)) return receive(rank, line, receive_endpoint);
    head.awaited = 1;
    line.state = RankState::receiving;
    return Next::stop;
}

/// The head's data is known: the rank takes it when both are there.
Stepper::Next Stepper::receive(std::uint32_t rank, RankLine& line, std::uint32_t receive_endpoint) {
    ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
    const std::int64_t waited = head.time - line.clock;
    if (waited > 0) {
        if (head.delayed && line.collective_position == 0) blame(rank, receive_endpoint, waited);
        line.clock = head.time;
    }
    const std::uint32_t cost = head.cost;
    pop(receive_endpoint, head);
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
void Stepper::blame(std::uint32_t rank, std::uint32_t receive_endpoint, std::int64_t waited) {
    const Delay& delay = state_.delays[receive_endpoint];
    const std::int64_t ejection = std::min(waited, delay.ejection);
    state_.ranks[rank].nic_wait += ejection;
    const std::int64_t links = std::min(waited - ejection, delay.link);
    if (links > 0) state_.statistics[rank].link_wait += links;
}

void Stepper::pop(std::uint32_t receive_endpoint, ReceiveEndpoint& head) {
    head.awaited = 0;
    head.delayed = 0;
    if (!head.queued) {
        set(head, ReceiveState::empty);
        return;
    }
    bool more = false;
    const Backlog::Entry next = backlog_.pop(receive_endpoint, more);
    head.queued = more;
    head.time = next.time;
    head.cost = next.cost & 0xFFFFFFU;
    set(head, next.in_flight ? ReceiveState::in_flight : ReceiveState::data);
    if (receive_endpoint < layout_.first_collective_receive_endpoint &&
        (next.delay.link > 0 || next.delay.ejection > 0)) {
        head.delayed = 1;
        state_.delays[receive_endpoint] = next.delay;
    }
}

}  // namespace warpfront::engine
