#include "simulator/engine/simulation.hpp"

#include <algorithm>
#include <bit>
#include <queue>
#include <tuple>

#include "simulator/engine/blocked.hpp"

namespace warpfront::engine {

namespace {

/// Below this the windows would be too many and too empty: serve in order instead.
constexpr Time kLeastWindow{1024};
constexpr std::uint64_t kNoWindow = ~std::uint64_t{0};

bool asks(const RankLine& line) {
    return line.state == RankState::asks_to_send || line.state == RankState::asks_to_receive;
}

std::tuple<std::int64_t, std::uint64_t, std::uint32_t> order(const RankLine& line, std::uint32_t rank) {
    return {line.clock, line.request_age, rank};
}

/// What skips ahead needs blocks that recur.
Options for_noise(Options options) {
    if (!options.noise.recurs()) options.replay = Replay::full;
    return options;
}

std::optional<ComputeTime> compute_time(const Options& options, std::uint32_t ranks) {
    if (options.noise.off()) return std::nullopt;
    return ComputeTime(options.noise, options.seed, ranks);
}

}  // namespace

Simulation::Simulation(const program::Program& program, const machine::Machine& machine, const Options& options)
    : program_(program),
      options_(for_noise(options)),
      layout_(lay_out(program, machine)),
      state_(layout_),
      marks_(layout_.ranks),
      compute_time_(compute_time(options, layout_.ranks)),
      stepper_(layout_, state_, marks_, compute_time_ ? &*compute_time_ : nullptr),
      recurrence_(layout_, state_, marks_) {
    for (std::uint32_t rank = 0; rank < layout_.ranks; ++rank) {
        stepper_.start(rank, layout_.entry[program.class_of[rank]]);
    }
}

void Simulation::run() {
    if (!layout_.shares) {
        run_unshared();
    } else if (layout_.lookahead >= kLeastWindow) {
        run_windows();
    } else {
        run_in_order();
    }
    stop_if_deadlocked();
}

/// Ranks are held at their marks, where the state is observed; if some never get there the holding was in the way.
void Simulation::run_unshared() {
    stepper_.hold_at_marks = options_.replay == Replay::auto_;
    for (stepper_.settle(); !stepper_.held().empty(); stepper_.settle()) {
        std::vector<std::uint32_t> held;
        held.swap(stepper_.held());
        if (held.size() == layout_.ranks) {
            std::int64_t cut = kHorizon.ps;
            for (const RankLine& line : state_.ranks) cut = std::min(cut, line.clock);
            recurrence_.observe(cut);
        } else {
            stepper_.hold_at_marks = false;
        }
        for (const std::uint32_t rank : held) stepper_.release(rank);
    }
}

void Simulation::run_windows() {
    const auto lookahead = static_cast<std::uint64_t>(std::min(layout_.lookahead, kLongestCost).ps);
    window_shift_ = static_cast<unsigned>(std::bit_width(lookahead)) - 1;
    stepper_.settle();
    window_ = kNoWindow;
    schedule_asked();
    while (wheel_.advance(window_, entries_, [this](std::uint32_t rank) { return window_of(rank); })) {
        const auto end = static_cast<std::int64_t>((window_ + 1) << window_shift_);
        for (; !cuts_.empty() && cuts_.front() < end; cuts_.pop_front()) {
            serve_window(cuts_.front());
            recurrence_.observe(cuts_.front());
        }
        serve_window(end);
    }
}

void Simulation::serve_window(std::int64_t limit) {
    constexpr std::size_t kAhead = 8;
    for (std::size_t index = 0; index < entries_.size(); ++index) {
        if (index + kAhead < entries_.size()) __builtin_prefetch(&state_.ranks[entries_[index + kAhead]]);
        serve_node(state_.ranks[entries_[index]].node, limit);
    }
}

/// Serves what the node's ranks ask for before `limit`, earliest first; new requests join in.
void Simulation::serve_node(std::uint32_t node, std::int64_t limit) {
    const std::uint32_t* first = &layout_.ranks_on[std::size_t{node} * layout_.cores];
    for (;;) {
        std::uint32_t next = kNone;
        for (const std::uint32_t* at = first; at != first + layout_.cores; ++at) {
            if (*at == kNone) continue;
            const RankLine& line = state_.ranks[*at];
            if (!asks(line) || line.clock >= limit) continue;
            if (next == kNone || order(line, *at) < order(state_.ranks[next], next)) next = *at;
        }
        if (next == kNone) return;
        stepper_.serve(next);
        stepper_.settle();
        note_cut();
        schedule_asked();
    }
}

/// Requests of later windows go to the wheel; those of the present one are of the node being served, which looks again.
void Simulation::schedule_asked() {
    for (const std::uint32_t rank : stepper_.asked()) {
        const std::uint64_t window = window_of(rank);
        if (window != window_) wheel_.push(window, rank);
    }
    stepper_.asked().clear();
}

void Simulation::note_cut() {
    if (!stepper_.iteration_ended() || options_.replay == Replay::full) return;
    cuts_.push_back(marks_.last_end() + std::max<std::int64_t>(layout_.lookahead.ps, 1));
}

void Simulation::run_in_order() {
    using Entry = std::tuple<std::int64_t, std::uint64_t, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto enqueue = [&] {
        for (const std::uint32_t rank : stepper_.asked()) queue.push(order(state_.ranks[rank], rank));
        stepper_.asked().clear();
    };
    stepper_.settle();
    enqueue();
    while (!queue.empty()) {
        for (; !cuts_.empty() && cuts_.front() <= std::get<0>(queue.top()); cuts_.pop_front()) {
            recurrence_.observe(cuts_.front());
        }
        const std::uint32_t rank = std::get<2>(queue.top());
        queue.pop();
        stepper_.serve(rank);
        stepper_.settle();
        note_cut();
        enqueue();
    }
}

void Simulation::stop_if_deadlocked() const {
    if (stepper_.done() == layout_.ranks) return;
    throw Deadlock(blocked_ranks(program_, layout_, state_));
}

std::uint64_t Simulation::bytes() const {
    const std::uint64_t noise = compute_time_ ? compute_time_->bytes() : 0;
    return layout_.bytes() + state_.bytes() + noise + wheel_.bytes() + recurrence_.bytes();
}

}  // namespace warpfront::engine
