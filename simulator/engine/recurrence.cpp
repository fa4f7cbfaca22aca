#include "simulator/engine/recurrence.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace warpfront::engine {

namespace {

using program::Op;

std::uint64_t since(std::int64_t time, std::int64_t cut) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(time - cut, 0));
}

/// True for the instructions of outermost loops that hold an iteration mark directly.
std::vector<bool> find_iteration_loops(const std::vector<program::Instruction>& code) {
    std::vector<bool> inside(code.size(), false);
    for (std::size_t first = 0; first < code.size(); ++first) {
        if (code[first].op != Op::loop || code[first].depth != 0) continue;
        const std::size_t last = code[first].place;
        unsigned depth = 0;
        bool marked = false;
        for (std::size_t at = first + 1; at < last; ++at) {
            if (code[at].op == Op::loop) ++depth;
            if (code[at].op == Op::end_loop) --depth;
            marked = marked || (code[at].op == Op::iteration && depth == 0);
        }
        std::fill(inside.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                  inside.begin() + static_cast<std::ptrdiff_t>(last) + 1, marked);
    }
    return inside;
}

}  // namespace

Recurrence::Recurrence(const Layout& layout, State& state, Iterations& iterations)
    : layout_(layout), state_(state), iterations_(iterations), in_iteration_loop_(find_iteration_loops(layout.code)) {}

void Recurrence::observe(std::int64_t cut) {
    if (!describe(cut)) return;
    ++observations_;
    if (now_ == kept_) {
        skip(cut);
    } else if (std::has_single_bit(observations_)) {
        keep(cut);
    }
}

/// False where some rank is not inside a loop of iterations: then nothing will recur from here.
bool Recurrence::describe(std::int64_t cut) {
    now_.clear();
    for (const RankLine& line : state_.ranks) {
        if (line.state == RankState::done || !in_iteration_loop_[line.at]) return false;
        describe_rank(line, cut, iterations_.ended());
    }
    describe_channels(cut);
    for (const network::Server& server : state_.servers) now_.push_back(since(server.free_at.ps, cut));
    for (const network::Turn turn : state_.turns) now_.push_back(turn % layout_.links.parallel);
    describe_marks(cut);
    return true;
}

void Recurrence::describe_rank(const RankLine& line, std::int64_t cut, std::uint64_t base) {
    const bool asked = asks(line.state) || line.state == RankState::sending;
    now_.push_back(line.at | std::uint64_t{line.micro} << 32 | std::uint64_t{static_cast<std::uint8_t>(line.state)} << 48);
    now_.push_back(since(line.clock, cut));
    now_.push_back(line.wave - (base << kWaveBits));
    now_.push_back((asked ? line.request_cost : 0U) | std::uint64_t{line.trips_left[1]} << 32);
    now_.push_back(line.trips_left[2] | std::uint64_t{line.trips_left[3]} << 32);
}

void Recurrence::describe_channels(std::int64_t cut) {
    for (std::uint32_t index = 0; index < state_.inlets.size(); ++index) {
        const Inlet& head = state_.inlets[index];
        if (head.state == static_cast<std::uint32_t>(InletState::empty)) continue;
        now_.push_back(std::uint64_t{index} << 32 | std::uint64_t{head.state} << 24 | std::uint64_t{head.cost});
        now_.push_back(since(head.time, cut));
        if (head.delayed) now_.push_back(static_cast<std::uint64_t>(state_.delays[index].link));
        if (head.delayed) now_.push_back(static_cast<std::uint64_t>(state_.delays[index].ejection));
        if (head.queued) describe_backlog(index, cut);
    }
    for (std::uint32_t index = 0; index < state_.outlets.size(); ++index) {
        const Outlet& out = state_.outlets[index];
        if (out.ahead == 0) continue;
        now_.push_back(std::uint64_t{index} << 32 | static_cast<std::uint64_t>(out.ahead + kMostUntaken + 1));
        now_.push_back(out.ahead > 0 ? since(out.posted, cut) : 0);
    }
}

void Recurrence::describe_backlog(std::uint32_t inlet, std::int64_t cut) {
    Backlog& backlog = region_at(layout_.node_of[layout_.rank_of_inlet(inlet)]).stepper.backlog();
    for (const Backlog::Entry* at = backlog.first(inlet); at != nullptr; at = backlog.after(*at)) {
        now_.push_back(std::uint64_t{at->flying} << 32 | std::uint64_t{at->cost});
        now_.push_back(since(at->time, cut));
        now_.push_back(static_cast<std::uint64_t>(at->delay.link));
        now_.push_back(static_cast<std::uint64_t>(at->delay.ejection));
    }
}

void Recurrence::describe_marks(std::int64_t cut) {
    std::size_t open = 0;
    for (const auto& region : *regions_) open = std::max(open, region->stepper.marks().size());
    for (std::size_t k = 0; k < open; ++k) {
        Marks::Open sum;
        for (const auto& region : *regions_) {
            const Marks::Open here = region->stepper.marks().at(k);
            sum.latest = std::max(sum.latest, here.latest);
            sum.passed += here.passed;
        }
        now_.push_back(static_cast<std::uint64_t>(sum.latest - cut));
        now_.push_back(sum.passed);
    }
}

/// A rank inside a collective has its entry time taken off already: count the collective up to the cut.
Waits Recurrence::gathered_at(std::size_t rank, std::int64_t cut) const {
    const RankLine& line = state_.ranks[rank];
    const Gathered& gathered = state_.gathered[rank];
    return {gathered.compute, line.bus_wait, line.nic_wait, gathered.link_wait, gathered.collective + (line.micro > 0 ? cut : 0)};
}

Waits Recurrence::waits_of(std::uint32_t rank) const {
    Waits sum = gathered_at(rank, 0);
    if (skipped_waits_.empty()) return sum;
    const Waits& skipped = skipped_waits_[rank];
    return {sum.compute + skipped.compute, sum.bus + skipped.bus, sum.nic + skipped.nic, sum.link + skipped.link,
            sum.collective + skipped.collective};
}

void Recurrence::keep(std::int64_t cut) {
    kept_.swap(now_);
    kept_cut_ = cut;
    kept_iteration_ = iterations_.ended();
    kept_gathered_.clear();
    kept_trips_.clear();
    for (std::size_t rank = 0; rank < state_.ranks.size(); ++rank) {
        kept_gathered_.push_back(gathered_at(rank, cut));
        kept_trips_.push_back(state_.ranks[rank].trips_left[0]);
    }
}

/// As many periods as leave every rank inside its loop.
void Recurrence::skip(std::int64_t cut) {
    const std::uint64_t period = iterations_.ended() - kept_iteration_;
    if (period > Iterations::kLongestPeriod) return;
    std::int64_t times = std::numeric_limits<std::int64_t>::max();
    for (std::size_t rank = 0; rank < state_.ranks.size(); ++rank) {
        const std::uint32_t left = state_.ranks[rank].trips_left[0];
        if (kept_trips_[rank] - left != period) return;
        times = std::min(times, (std::int64_t{left} - 1) / static_cast<std::int64_t>(period));
    }
    if (times <= 0) return;
    const std::int64_t iterations = times * static_cast<std::int64_t>(period);
    skipped_waits_.resize(state_.ranks.size());
    for (std::size_t rank = 0; rank < state_.ranks.size(); ++rank) {
        const Waits now = gathered_at(rank, cut);
        const Waits& then = kept_gathered_[rank];
        Waits& skipped = skipped_waits_[rank];
        state_.ranks[rank].trips_left[0] -= static_cast<std::uint32_t>(iterations);
        skipped.compute += (now.compute - then.compute) * times;
        skipped.bus += (now.bus - then.bus) * times;
        skipped.nic += (now.nic - then.nic) * times;
        skipped.link += (now.link - then.link) * times;
        skipped.collective += (now.collective - then.collective) * times;
    }
    skipped_ += WideTime{Wide{cut - kept_cut_} * times};
    skipped_iterations_ += iterations;
    iterations_.repeat(period, times);
    observations_ = 0;
    kept_.clear();
}

std::uint64_t Recurrence::bytes() const {
    return (now_.capacity() + kept_.capacity()) * sizeof(std::uint64_t) + kept_trips_.capacity() * sizeof(std::uint32_t) +
           (kept_gathered_.capacity() + skipped_waits_.capacity()) * sizeof(Waits);
}

}  // namespace warpfront::engine
