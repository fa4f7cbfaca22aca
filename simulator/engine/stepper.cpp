#include "simulator/engine/stepper.hpp"

#include <algorithm>
#include <utility>

#include "simulator/engine/engine.hpp"

namespace warpfront::engine {

namespace {

using program::Op;

/// A rank that nothing stops would fill its channels; after this many instructions it lets the others catch up.
constexpr unsigned kTurn = 96;

bool is(const Message& head, ChannelState state) { return head.state == static_cast<std::uint32_t>(state); }
void set(Message& head, ChannelState state) { head.state = static_cast<std::uint32_t>(state) & 0x7FU; }

void check_horizon(const RankLine& line) {
    if (line.clock > kHorizon.ps) throw TimeOverflow("virtual time passed its horizon of 53 days");
}

Message make(std::int64_t time, std::uint64_t age, std::uint32_t cost, ChannelState state) {
    Message message{.time = time, .age = age};
    message.cost = cost & 0xFFFFFFU;
    set(message, state);
    return message;
}

}  // namespace

Stepper::Stepper(const Layout& layout, State& state, Marks& marks, const ComputeTime* compute_time)
    : layout_(layout), state_(state), marks_(marks), compute_time_(compute_time) {}

void Stepper::start(std::uint32_t rank, std::uint32_t entry) {
    state_.ranks[rank].at = entry;
    ready_.push_back(rank);
}

void Stepper::wake(std::uint32_t rank, RankLine& line) {
    line.state = RankState::running;
    ready_.push_back(rank);
}

void Stepper::settle() {
    while (!ready_.empty()) {
        turn_.swap(ready_);
        for (const std::uint32_t rank : turn_) run(rank);
        turn_.clear();
    }
}

void Stepper::release(std::uint32_t rank) {
    wake(rank, state_.ranks[rank]);
}

void Stepper::ask(std::uint32_t rank, RankLine& line, RankState what, std::uint32_t cost, std::uint64_t age) {
    line.state = what;
    line.request_cost = cost;
    line.request_age = age;
    asked_.push_back(rank);
}

void Stepper::serve(std::uint32_t rank) {
    ++events_;
    RankLine& line = state_.ranks[rank];
    const network::MessageCost& cost = layout_.costs[line.request_cost];
    const Time granted = state_.buses[line.node].grant({line.clock}, cost.bus);
    if (line.micro == 0) state_.gathered[rank].bus_wait += granted.ps - line.clock;
    line.clock = granted.ps;
    if (line.state == RankState::asks_to_send) {
        std::uint32_t peer = 0;
        const std::uint32_t channel = outgoing_channel(rank, line, peer);
        leave(line, channel, peer, line.request_cost, line.request_age);
    } else {
        take(rank, line, cost.busy_recv);
    }
    advance(line);
    line.state = RankState::running;
    run(rank);
}

std::uint32_t Stepper::outgoing_channel(std::uint32_t rank, const RankLine& line, std::uint32_t& peer) const {
    if (line.micro > 0) {
        const std::uint32_t step = (line.micro - 1U) / 3;
        peer = layout_.doubling.step({rank}, step).send_to->index;
        return layout_.first_collective + peer * layout_.collective_steps + step;
    }
    const Outlet& outlet = layout_.outlets[line.first_outlet + layout_.code[line.at].place];
    peer = outlet.peer;
    return outlet.channel;
}

/// The data is on its way: the receiver's channel learns when it arrives, and a waiting receiver goes on.
void Stepper::leave(RankLine& sender, std::uint32_t channel, std::uint32_t peer, std::uint32_t cost, std::uint64_t age) {
    const network::MessageCost& costs = layout_.costs[cost];
    Message& head = state_.channels[channel];
    Message message = make(sender.clock + costs.flight.ps, age, cost, ChannelState::data);
    if (is(head, ChannelState::empty) || is(head, ChannelState::posted) || is(head, ChannelState::matched)) {
        message.next = head.next;
        message.awaited = head.awaited;
        head = message;
        if (head.awaited) {
            RankLine& receiver = state_.ranks[peer];
            if (receive(peer, receiver, head) == Next::go_on) wake(peer, receiver);
        }
        return;
    }
    queue_behind(head, message);
}

void Stepper::queue_behind(Message& head, const Message& message) {
    const std::uint32_t last = state_.backlog.put(message);
    std::uint32_t* link = &head.next;
    while (*link != kNone) link = &state_.backlog.at(*link).next;
    *link = last;
}

/// Blocks of one wave are told apart by their instructions: a statement may stand in the code several times.
void Stepper::compute(std::uint32_t rank, RankLine& line, Time nominal) {
    Time duration = nominal;
    if (compute_time_ != nullptr) {
        duration = (*compute_time_)({rank}, line.wave, static_cast<std::uint16_t>(line.at), nominal, {line.clock});
        state_.gathered[rank].compute += duration.ps;
    }
    line.clock += duration.ps;
    check_horizon(line);
    ++line.at;
}

Stepper::Next Stepper::send(std::uint32_t rank, RankLine& line, std::uint32_t channel, std::uint32_t peer, std::uint32_t cost) {
    const network::MessageCost& costs = layout_.costs[cost];
    const std::uint64_t age = age_of(line);
    if (line.micro == 0) ++messages_;
    line.clock += costs.busy_send.ps;
    if (costs.handshake) {
        const std::int64_t request = line.clock + costs.request.ps;
        Message& head = state_.channels[channel];
        if (!is(head, ChannelState::posted)) {
            const Message message = make(request, age, cost, ChannelState::request);
            is(head, ChannelState::empty) ? void(head = message) : queue_behind(head, message);
            line.state = RankState::sending;
            return Next::stop;
        }
        line.clock = std::max(head.time, request) + costs.request.ps;
        set(head, ChannelState::matched);
    }
    if (costs.holds_bus) {
        ask(rank, line, RankState::asks_to_send, cost, age);
        return Next::stop;
    }
    leave(line, channel, peer, cost, age);
    advance(line);
    return Next::go_on;
}

/// A waiting handshake is met: its sender learns when, and goes on to the bus or sends at once.
void Stepper::post(RankLine& line, std::uint32_t channel, std::uint32_t sender) {
    Message& head = state_.channels[channel];
    if (is(head, ChannelState::empty)) {
        set(head, ChannelState::posted);
        head.time = line.clock;
        return;
    }
    if (!is(head, ChannelState::request)) return;
    const std::uint32_t cost = head.cost;
    const network::MessageCost& costs = layout_.costs[cost];
    RankLine& from = state_.ranks[sender];
    from.clock = std::max(line.clock, head.time) + costs.request.ps;
    set(head, ChannelState::matched);
    if (costs.holds_bus) {
        ask(sender, from, RankState::asks_to_send, cost, head.age);
        return;
    }
    head.time = from.clock + costs.flight.ps;
    set(head, ChannelState::data);
    advance(from);
    wake(sender, from);
}

Stepper::Next Stepper::await(std::uint32_t rank, RankLine& line, std::uint32_t channel) {
    Message& head = state_.channels[channel];
    if (is(head, ChannelState::data)) return receive(rank, line, head);
    head.awaited = 1;
    line.state = RankState::receiving;
    return Next::stop;
}

/// The head's data is known: the rank takes it when both are there.
Stepper::Next Stepper::receive(std::uint32_t rank, RankLine& line, Message& head) {
    line.clock = std::max(line.clock, head.time);
    const std::uint32_t cost = head.cost;
    const std::uint64_t age = head.age;
    pop(head);
    const network::MessageCost& costs = layout_.costs[cost];
    if (costs.holds_bus) {
        ask(rank, line, RankState::asks_to_receive, cost, age);
        return Next::stop;
    }
    take(rank, line, costs.busy_recv);
    advance(line);
    return Next::go_on;
}

void Stepper::take(std::uint32_t rank, RankLine& line, Time busy_recv) {
    line.clock += busy_recv.ps;
    if (line.micro == 0) state_.gathered[rank].busy_recv += busy_recv.ps;
}

void Stepper::pop(Message& head) {
    const std::uint32_t next = head.next;
    if (next == kNone) {
        set(head, ChannelState::empty);
        head.awaited = 0;
        return;
    }
    head = state_.backlog.at(next);
    state_.backlog.free(next);
}

/// One allreduce, step by step: post, send, await. Both partners of a step number it alike.
Stepper::Next Stepper::collective(std::uint32_t rank, RankLine& line, std::uint32_t size) {
    if (line.micro == 0) {
        state_.gathered[rank].collective -= line.clock;
        line.micro = 1;
    }
    const std::uint32_t own = rank * layout_.collective_steps;
    for (;;) {
        const std::uint32_t step = (line.micro - 1U) / 3;
        if (step == layout_.collective_steps) break;
        const network::RecursiveDoubling::Step turn = layout_.doubling.step({rank}, step);
        const std::uint32_t channel = layout_.first_collective + own + step;
        Next next = Next::go_on;
        switch ((line.micro - 1U) % 3) {
            case 0:
                if (turn.recv_from) post(line, channel, turn.recv_from->index);
                ++line.micro;
                break;
            case 1:
                if (turn.send_to) {
                    const std::uint32_t to = turn.send_to->index;
                    const std::uint32_t at_peer = layout_.first_collective + to * layout_.collective_steps + step;
                    next = send(rank, line, at_peer, to, size * layout_.paths + layout_.collective_path[own + step]);
                } else {
                    ++line.micro;
                }
                break;
            default:
                if (turn.recv_from) {
                    next = await(rank, line, channel);
                } else {
                    ++line.micro;
                }
        }
        if (next == Next::stop) return Next::stop;
    }
    state_.gathered[rank].collective += line.clock;
    line.wave += layout_.collective_steps;
    line.micro = 0;
    ++line.at;
    return Next::go_on;
}

Stepper::Next Stepper::pass_mark(std::uint32_t rank, RankLine& line) {
    const std::uint64_t iteration = line.wave >> kWaveBits;
    iteration_ended_ = marks_.pass(iteration, line.clock) || iteration_ended_;
    line.wave = (iteration + 1) << kWaveBits;
    ++line.at;
    if (!hold_at_marks) return Next::go_on;
    line.state = RankState::at_mark;
    held_.push_back(rank);
    return Next::stop;
}

void Stepper::run(std::uint32_t rank) {
    ++events_;
    RankLine& line = state_.ranks[rank];
    for (unsigned turn = 0; turn < kTurn; ++turn) {
        const program::Instruction& step = layout_.code[line.at];
        Next next = Next::go_on;
        switch (step.op) {
            case Op::compute:
                compute(rank, line, {step.amount});
                break;
            case Op::send: {
                const Outlet& out = layout_.outlets[line.first_outlet + step.place];
                const auto size = static_cast<std::uint32_t>(step.amount);
                next = send(rank, line, out.channel, out.peer, size * layout_.paths + out.path);
                break;
            }
            case Op::recv:
                post(line, line.first_inlet + step.place, layout_.source[line.first_inlet + step.place]);
                next = await(rank, line, line.first_inlet + step.place);
                break;
            case Op::post:
                post(line, line.first_inlet + step.place, layout_.source[line.first_inlet + step.place]);
                ++line.at;
                break;
            case Op::await:
                next = await(rank, line, line.first_inlet + step.place);
                break;
            case Op::loop:
                line.trips_left[step.depth] = static_cast<std::uint32_t>(step.amount);
                ++line.at;
                break;
            case Op::end_loop:
                if (layout_.code[line.at - 1].op != Op::iteration) ++line.wave;  // each iteration begins at wave 0
                check_horizon(line);
                line.at = --line.trips_left[step.depth] > 0 ? step.place + 1 : line.at + 1;
                break;
            case Op::allreduce:
                next = collective(rank, line, static_cast<std::uint32_t>(step.amount));
                break;
            case Op::iteration:
                next = pass_mark(rank, line);
                break;
            case Op::finish:
                line.state = RankState::done;
                ++done_;
                return;
        }
        if (next == Next::stop) return;
    }
    ready_.push_back(rank);
}

}  // namespace warpfront::engine
