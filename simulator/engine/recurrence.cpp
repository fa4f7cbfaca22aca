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

Recurrence::Recurrence(const Layout& layout, State& state, Marks& marks)
    : layout_(layout), state_(state), marks_(marks), in_iteration_loop_(find_iteration_loops(layout.code)) {}

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
    const std::uint64_t base = marks_.closed();
    for (const RankLine& line : state_.ranks) {
        if (line.state == RankState::done || !in_iteration_loop_[line.at]) return false;
        describe_rank(line, cut, base);
    }
    for (std::size_t index = 0; index < state_.channels.size(); ++index) {
        const Message& head = state_.channels[index];
        if (head.state == static_cast<std::uint32_t>(ChannelState::empty)) continue;
        now_.push_back(index);
        describe_message(head, cut, base);
        for (std::uint32_t at = head.next; at != kNone; at = state_.backlog.at(at).next) {
            describe_message(state_.backlog.at(at), cut, base);
        }
    }
    for (const network::Server& bus : state_.buses) now_.push_back(since(bus.free_at.ps, cut));
    for (const Marks::Open& mark : marks_.open()) {
        now_.push_back(static_cast<std::uint64_t>(mark.latest - cut));
        now_.push_back(mark.passed);
    }
    return true;
}

void Recurrence::describe_rank(const RankLine& line, std::int64_t cut, std::uint64_t base) {
    const bool asks = line.state == RankState::asks_to_send || line.state == RankState::asks_to_receive;
    now_.push_back(line.at | std::uint64_t{line.micro} << 32 | std::uint64_t{static_cast<std::uint8_t>(line.state)} << 48);
    now_.push_back(since(line.clock, cut));
    now_.push_back(line.wave - (base << kWaveBits));
    now_.push_back(asks ? line.request_age - (base << (kWaveBits + kSiteBits)) : 0);
    now_.push_back(asks ? line.request_cost : 0);
    for (std::size_t depth = 1; depth < line.trips_left.size(); ++depth) now_.push_back(line.trips_left[depth]);
}

void Recurrence::describe_message(const Message& message, std::int64_t cut, std::uint64_t base) {
    const auto state = static_cast<ChannelState>(message.state);
    const bool timed = state != ChannelState::matched;
    const bool sent = state == ChannelState::request || state == ChannelState::data;
    now_.push_back(message.state | std::uint64_t{message.awaited} << 8 | (sent ? std::uint64_t{message.cost} << 16 : 0));
    now_.push_back(timed ? since(message.time, cut) : 0);
    now_.push_back(sent ? message.age - (base << (kWaveBits + kSiteBits)) : 0);
}

/// A rank inside a collective has its entry time taken off already: count the collective up to the cut.
Gathered Recurrence::gathered_at(std::size_t rank, std::int64_t cut) const {
    Gathered gathered = state_.gathered[rank];
    if (state_.ranks[rank].micro > 0) gathered.collective += cut;
    return gathered;
}

void Recurrence::keep(std::int64_t cut) {
    kept_.swap(now_);
    kept_cut_ = cut;
    kept_iteration_ = marks_.closed();
    kept_gathered_.clear();
    kept_trips_.clear();
    for (std::size_t rank = 0; rank < state_.ranks.size(); ++rank) {
        kept_gathered_.push_back(gathered_at(rank, cut));
        kept_trips_.push_back(state_.ranks[rank].trips_left[0]);
    }
}

/// As many periods as leave every rank inside its loop.
void Recurrence::skip(std::int64_t cut) {
    const std::uint64_t period = marks_.closed() - kept_iteration_;
    if (period > Marks::kLongestPeriod) return;
    std::int64_t times = std::numeric_limits<std::int64_t>::max();
    for (std::size_t rank = 0; rank < state_.ranks.size(); ++rank) {
        const std::uint32_t left = state_.ranks[rank].trips_left[0];
        if (kept_trips_[rank] - left != period) return;
        times = std::min(times, (std::int64_t{left} - 1) / static_cast<std::int64_t>(period));
    }
    if (times <= 0) return;
    const std::int64_t iterations = times * static_cast<std::int64_t>(period);
    waits_.resize(state_.ranks.size());
    for (std::size_t rank = 0; rank < state_.ranks.size(); ++rank) {
        const Gathered now = gathered_at(rank, cut);
        state_.ranks[rank].trips_left[0] -= static_cast<std::uint32_t>(iterations);
        waits_[rank].compute += Wide{now.compute - kept_gathered_[rank].compute} * times;
        waits_[rank].busy_recv += Wide{now.busy_recv - kept_gathered_[rank].busy_recv} * times;
        waits_[rank].bus_wait += Wide{now.bus_wait - kept_gathered_[rank].bus_wait} * times;
        waits_[rank].collective += Wide{now.collective - kept_gathered_[rank].collective} * times;
    }
    skipped_ += WideTime{Wide{cut - kept_cut_} * times};
    skipped_iterations_ += iterations;
    marks_.repeat(period, times);
    observations_ = 0;
    kept_.clear();
}

std::uint64_t Recurrence::bytes() const {
    return (now_.capacity() + kept_.capacity()) * sizeof(std::uint64_t) + kept_trips_.capacity() * sizeof(std::uint32_t) +
           kept_gathered_.capacity() * sizeof(Gathered) + waits_.capacity() * sizeof(SkippedWaits);
}

}  // namespace warpfront::engine
