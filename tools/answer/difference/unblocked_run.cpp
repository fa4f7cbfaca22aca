#include "tools/answer/difference/unblocked_run.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "simulator/analytic/message.hpp"
#include "simulator/collectives/recursive_doubling.hpp"
#include "simulator/network/cost.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/units/bytes.hpp"
#include "tools/answer/runs/interrupt.hpp"

namespace warpfront::tools {

namespace {

using machine::Machine;
using program::Effect;
using program::Instruction;
using program::Op;
using program::Program;
using program::RankClass;

/// The initial capacity of a queue, in messages. It limits the memory. If a queue is full, its sender is simulated
/// later, which does not change any time.
constexpr std::size_t kFirstCapacity = 32;

/// The costs of one message.
struct UnblockedCost {
    Time send;
    Time isend;
    Time flight;  // time from the beginning of the send until the data arrives, a - s
    Time take;
    Time lag;
};

/// The costs by locality and size. Each is computed once, and references to it remain valid.
class UnblockedCosts {
public:
    UnblockedCosts(const machine::Machine& machine, MessageFormulas formulas)
        : machine_(machine), formulas_(formulas) {}

    const UnblockedCost& of(machine::Locality locality, Bytes size) {
        const auto [found, is_new] = costs_.try_emplace({locality.index, size.count});
        if (is_new) found->second = make(machine::row_for(machine_.profile(locality), size), size);
        return found->second;
    }

private:
    UnblockedCost make(const machine::ProfileRow& row, Bytes size) const {
        const analytic::MessageTime formula = analytic::message_cost(row, size);
        const network::MessageCost cost = network::fold(row, size, {}, machine_);
        const bool lags = cost.rendezvous || formulas_ == MessageFormulas::closed_form;
        return {.send = formula.send,
                .isend = cost.busy_send + cost.busy_after,
                .flight = formula.total - cost.busy_recv,
                .take = cost.busy_recv,
                .lag = lags ? formula.recv - cost.busy_recv : Time{}};
    }

    const machine::Machine& machine_;
    MessageFormulas formulas_;
    std::map<std::pair<std::uint8_t, std::int64_t>, UnblockedCost> costs_;
};

struct UnblockedMessage {
    WideTime arrival;
    const UnblockedCost* cost = nullptr;
};

/// The messages of one channel that have not been received yet, in order.
class UnblockedQueue {
public:
    bool empty() const { return first_ == messages_.size(); }
    std::size_t size() const { return messages_.size() - first_; }
    void push(UnblockedMessage message) { messages_.push_back(message); }
    UnblockedMessage pop() {
        const UnblockedMessage message = messages_[first_++];
        if (first_ == messages_.size()) {
            messages_.clear();
            first_ = 0;
        } else if (first_ > kFirstCapacity && 2 * first_ > messages_.size()) {
            messages_.erase(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
        return message;
    }

private:
    std::vector<UnblockedMessage> messages_;
    std::size_t first_ = 0;
};

/// Everything on which later iterations depend, at a point where no message is in flight.
struct IterationState {
    std::vector<program::Position> positions;
    std::vector<WideTime> times;  // clocks of ranks, then times of isends and irecvs
};

/// Returns the remaining iterations of the outermost loop if two states determine them: each rank is one iteration
/// further in the same loop, and all times are later by the same amount. Returns 0 otherwise, or if ranks have
/// different numbers of remaining iterations.
std::int64_t known_trips(const IterationState& before, const IterationState& now) {
    const WideTime shift = now.times.front() - before.times.front();
    for (std::size_t k = 0; k < now.times.size(); ++k) {
        // an isend or irecv that has never happened has no time
        const bool unused = now.times[k] == WideTime{} && before.times[k] == WideTime{};
        if (!unused && now.times[k] - before.times[k] != shift) return 0;
    }
    const std::int64_t trips = now.positions.front().iterations_left[0] - 1;
    for (std::size_t k = 0; k < now.positions.size(); ++k) {
        program::Position next = before.positions[k];
        --next.iterations_left[0];
        if (next != now.positions[k] || next.iterations_left[0] - 1 != trips) return 0;
    }
    return trips;
}

struct UnblockedRank {
    enum class State : std::uint8_t { ready, receiving, full, at_allreduce, at_mark, done };

    program::Position position;
    WideTime clock;
    State state = State::ready;
    std::size_t queue = 0;  // the queue for which the rank waits: its own, or a full queue of its peer
    std::size_t first_send_endpoint = 0;
    std::size_t first_receive_endpoint = 0;
};

struct SendEnd {
    std::size_t queue = 0;  // queue of the channel at the receiver
    machine::Locality locality;
    WideTime sent{};  // time at which the last isend has left
    Bytes size{-1};   // size of the last message; `cost` is its cost
    const UnblockedCost* cost = nullptr;
};

struct ReceiveEnd {
    UnblockedQueue queue;
    WideTime posted;  // time of the last irecv
};

class UnblockedRun {
public:
    UnblockedRun(const Program& program, const Machine& machine, MessageFormulas formulas)
        : program_(program), machine_(machine), formulas_(formulas), costs_(machine, formulas) {
        if (program::has_choices(program)) throw std::logic_error("a run without queues takes no message as it comes");
        connect();
    }

    std::vector<WideTime> finish() {
        while (!all_in(UnblockedRank::State::done)) {
            end_if_interrupted();
            if (!step_all()) resolve();
        }
        std::vector<WideTime> times;
        for (const UnblockedRank& rank : ranks_) times.push_back(rank.clock);
        return times;
    }

private:
    using State = UnblockedRank::State;

    void connect() {
        const auto count = static_cast<std::uint32_t>(program_.class_of.size());
        ranks_.resize(count);
        for (std::uint32_t rank = 0; rank < count; ++rank) {
            ranks_[rank].first_receive_endpoint = receive_ends_.size();
            receive_ends_.resize(receive_ends_.size() + program_.of({rank}).receive_endpoints.size());
        }
        for (std::uint32_t rank = 0; rank < count; ++rank) {
            ranks_[rank].first_send_endpoint = send_ends_.size();
            for (const program::Channel& channel : program_.of({rank}).send_endpoints) {
                const Rank peer{static_cast<std::uint32_t>(std::int64_t{rank} + channel.delta)};
                const auto& ends = program_.of(peer).receive_endpoints;
                const auto end = std::find(ends.begin(), ends.end(), program::Channel{-channel.delta, channel.tag});
                const std::size_t queue =
                    ranks_[peer.index].first_receive_endpoint + static_cast<std::size_t>(end - ends.begin());
                send_ends_.push_back({queue, machine_.locality({rank}, peer)});
            }
        }
    }

    /// Advances every rank that is ready, alternately from first to last and from last to first. Returns false if no
    /// rank was ready.
    bool step_all() {
        forward_ = !forward_;
        bool stepped = false;
        for (std::size_t k = 0; k < ranks_.size(); ++k) {
            const std::size_t index = forward_ ? k : ranks_.size() - 1 - k;
            if (!can_go_on(ranks_[index])) continue;
            stepped = true;
            step({static_cast<std::uint32_t>(index)}, ranks_[index]);
        }
        return stepped;
    }

    bool can_go_on(const UnblockedRank& rank) const {
        if (rank.state == State::receiving) return !receive_ends_[rank.queue].queue.empty();
        if (rank.state == State::full) return receive_ends_[rank.queue].queue.size() < capacity_;
        return rank.state == State::ready;
    }

    void step(Rank number, UnblockedRank& rank) {
        const std::vector<Instruction>& code = program_.of(number).code;
        rank.state = State::ready;
        while (rank.state == State::ready) {
            const Instruction& now = code[rank.position.at];
            if (execute(now, rank)) rank.position.pass(now);
        }
    }

    /// Executes an instruction. If this is not possible yet, returns false, and the state of the rank contains the
    /// cause.
    bool execute(const Instruction& now, UnblockedRank& rank) {
        switch (program::operation(now.op).effect) {
            case Effect::work: rank.clock += Time{now.amount}; return true;
            case Effect::send:
            case Effect::begin_send: return send(now, rank);
            case Effect::end_send:
                rank.clock = std::max(rank.clock, send_ends_[rank.first_send_endpoint + now.operand].sent);
                return true;
            case Effect::post:
                receive_ends_[rank.first_receive_endpoint + now.operand].posted = rank.clock;
                return true;
            case Effect::receive:
            case Effect::end_receive: return receive(now, rank);
            case Effect::collective: rank.state = State::at_allreduce; return false;
            case Effect::loop: return true;
            case Effect::mark: rank.state = now.op == Op::iteration ? State::at_mark : State::ready; return true;
            case Effect::finish: rank.state = State::done; return false;
        }
        return false;
    }

    bool send(const Instruction& now, UnblockedRank& rank) {
        SendEnd& end = send_ends_[rank.first_send_endpoint + now.operand];
        UnblockedQueue& queue = receive_ends_[end.queue].queue;
        if (queue.size() >= capacity_) {
            rank.state = State::full;
            rank.queue = end.queue;
            return false;
        }
        if (end.size.count != now.amount) {
            end.size = {now.amount};
            end.cost = &costs_.of(end.locality, end.size);
        }
        queue.push({rank.clock + end.cost->flight, end.cost});
        ++on_the_way_;
        end.sent = rank.clock + end.cost->send;
        rank.clock += now.op == Op::isend ? end.cost->isend : end.cost->send;
        return true;
    }

    bool receive(const Instruction& now, UnblockedRank& rank) {
        const std::size_t index = rank.first_receive_endpoint + now.operand;
        ReceiveEnd& end = receive_ends_[index];
        if (end.queue.empty()) {
            rank.state = State::receiving;
            rank.queue = index;
            return false;
        }
        const UnblockedMessage message = end.queue.pop();
        --on_the_way_;
        const WideTime posted = now.op == Op::recv ? rank.clock : end.posted;
        rank.clock = std::max({rank.clock, posted + message.cost->lag, message.arrival}) + message.cost->take;
        return true;
    }

    bool all_in(State state) const {
        return std::all_of(ranks_.begin(), ranks_.end(), [state](const auto& rank) { return rank.state == state; });
    }

    /// Handles a state in which no rank is ready.
    void resolve() {
        const auto any_in = [this](State state) {
            return std::any_of(ranks_.begin(), ranks_.end(), [state](const auto& rank) { return rank.state == state; });
        };
        if (all_in(State::at_allreduce)) {
            allreduce(program_.of({0}).code[ranks_[0].position.at]);
        } else if (all_in(State::at_mark)) {
            skip_iterations();
            release(State::at_mark);
        } else if (any_in(State::at_mark)) {
            earlier_.reset();  // a rank needs a message that another rank sends after its mark
            release(State::at_mark);
        } else if (any_in(State::full)) {
            capacity_ *= 2;
        } else {
            throw std::logic_error("a program without deadlock is blocked");
        }
    }

    void release(State state) {
        for (UnblockedRank& rank : ranks_) {
            if (rank.state == state) rank.state = State::ready;
        }
    }

    void allreduce(const Instruction& now) {
        const Bytes size{now.amount};
        if (formulas_ == MessageFormulas::closed_form) {
            WideTime last;
            for (const UnblockedRank& rank : ranks_) last = std::max(last, rank.clock);
            for (UnblockedRank& rank : ranks_) rank.clock = last + analytic::allreduce_time(machine_, size);
        } else {
            butterfly(size);
        }
        for (UnblockedRank& rank : ranks_) rank.position.pass(now);
        release(State::at_allreduce);
    }

    /// Executes an allreduce. In each step a rank posts its receive, sends and waits.
    void butterfly(Bytes size) {
        const collectives::RecursiveDoubling steps(static_cast<std::uint32_t>(ranks_.size()));
        std::vector<UnblockedMessage> sent(ranks_.size());  // messages that have been sent, by receiver
        std::vector<WideTime> posted(ranks_.size());
        for (std::uint32_t step = 0; step < steps.steps(); ++step) {
            for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
                WideTime& clock = ranks_[rank].clock;
                posted[rank] = clock;
                const std::optional<Rank> to = steps.step({rank}, step).send_to;
                if (!to) continue;
                const UnblockedCost& cost = costs_.of(machine_.locality({rank}, *to), size);
                sent[to->index] = {clock + cost.flight, &cost};
                clock += cost.send;
            }
            for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
                if (!steps.step({rank}, step).recv_from) continue;
                WideTime& clock = ranks_[rank].clock;
                const UnblockedMessage& message = sent[rank];
                clock = std::max({clock, posted[rank] + message.cost->lag, message.arrival}) + message.cost->take;
            }
        }
    }

    IterationState iteration_state() const {
        IterationState state;
        for (const UnblockedRank& rank : ranks_) {
            state.positions.push_back(rank.position);
            state.times.push_back(rank.clock);
        }
        for (const SendEnd& end : send_ends_) state.times.push_back(end.sent);
        for (const ReceiveEnd& end : receive_ends_) state.times.push_back(end.posted);
        return state;
    }

    /// Skips iterations of the outermost loop whose times are known. All ranks must be at the end of an iteration
    /// (Op::iteration).
    void skip_iterations() {
        if (on_the_way_ != 0) {
            earlier_.reset();
            return;
        }
        IterationState now = iteration_state();
        if (const std::int64_t trips = earlier_ ? known_trips(*earlier_, now) : 0; trips > 0) {
            const Wide shift = (now.times.front() - earlier_->times.front()).ps * trips;
            for (UnblockedRank& rank : ranks_) {
                rank.clock += WideTime{shift};
                rank.position.iterations_left[0] = 1;
            }
            earlier_.reset();
            return;
        }
        earlier_ = std::move(now);
    }

    const Program& program_;
    const Machine& machine_;
    MessageFormulas formulas_;
    UnblockedCosts costs_;
    std::vector<UnblockedRank> ranks_;
    std::vector<SendEnd> send_ends_;
    std::vector<ReceiveEnd> receive_ends_;
    std::size_t capacity_ = kFirstCapacity;  // capacity of a queue, in messages
    std::uint64_t on_the_way_ = 0;
    bool forward_ = false;
    std::optional<IterationState> earlier_;
};

}  // namespace

std::vector<WideTime> unblocked_run(const Program& program, const Machine& machine, MessageFormulas formulas) {
    return UnblockedRun(program, machine, formulas).finish();
}

}  // namespace warpfront::tools
