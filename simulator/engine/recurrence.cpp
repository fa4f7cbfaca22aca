#include "simulator/engine/recurrence.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace warpfront::engine {

namespace {

using program::Op;

constexpr std::uint8_t kNowhere = 0xFF;

std::uint64_t since(std::int64_t time, std::int64_t cut) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(time - cut, 0));
}

/// Whether the loop at `first` recurs on this level: it holds a mark directly, or nothing but messages and work.
bool recurs(const std::vector<program::Instruction>& code, std::size_t first, Recurrence::Level level) {
    unsigned depth = 0;
    bool marked = false;
    bool plain = true;
    for (std::size_t at = first + 1; at < code[first].place; ++at) {
        if (code[at].op == Op::loop) ++depth;
        if (code[at].op == Op::end_loop) --depth;
        marked = marked || (code[at].op == Op::iteration && depth == 0);
        plain = plain && code[at].op != Op::loop && code[at].op != Op::allreduce && code[at].op != Op::iteration;
    }
    return level == Recurrence::Level::iterations ? marked && code[first].depth == 0 : plain;
}

std::vector<std::uint8_t> find_loops(const std::vector<program::Instruction>& code, Recurrence::Level level) {
    std::vector<std::uint8_t> depth(code.size(), kNowhere);
    for (std::size_t first = 0; first < code.size(); ++first) {
        if (code[first].op != Op::loop || !recurs(code, first, level)) continue;
        std::fill(depth.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                  depth.begin() + static_cast<std::ptrdiff_t>(code[first].place) + 1, code[first].depth);
    }
    return depth;
}

}  // namespace

/// A rank inside a collective has its entry time taken off already: count the collective up to the cut.
Waits waits_of(const Observed& machine, std::uint32_t rank, std::int64_t cut) {
    const RankLine& line = machine.state.ranks[rank];
    const Gathered& gathered = machine.state.gathered[rank];
    const std::int64_t collective = gathered.collective + (line.micro > 0 ? cut : 0);
    const Waits skipped = machine.skipped.waits.empty() ? Waits{} : machine.skipped.waits[rank];
    return {skipped.compute + gathered.compute, skipped.bus + line.bus_wait, skipped.nic + line.nic_wait,
            skipped.link + gathered.link_wait, skipped.collective + collective};
}

Recurrence::Recurrence(Level level, const Observed& machine)
    : level_(level), machine_(machine), depth_(find_loops(machine.layout.code, level)) {}

void Recurrence::observe(std::int64_t cut, bool keeps) {
    if (!describe(cut)) return;
    ++observations_;
    if (now_ == kept_ && skip(cut)) {
        observations_ = 0;
        kept_.clear();
    } else if (level_ == Level::tiles ? keeps : std::has_single_bit(observations_)) {
        keep(cut);
    }
}

/// False where some rank is in no loop that recurs: then nothing will from here.
bool Recurrence::describe(std::int64_t cut) {
    now_.clear();
    for (const RankLine& line : machine_.state.ranks) {
        if (line.state == RankState::done || depth_[line.at] == kNowhere) return false;
    }
    waves_ = waves_done();
    for (const RankLine& line : machine_.state.ranks) describe_rank(line, cut);
    describe_channels(cut);
    for (const network::Server& server : machine_.state.servers) now_.push_back(since(server.free_at.ps, cut));
    for (const network::Turn turn : machine_.state.turns) now_.push_back(turn % machine_.layout.links.parallel);
    describe_marks(cut);
    return true;
}

/// What waves are counted from, so that they compare between periods.
std::uint64_t Recurrence::waves_done() const {
    return level_ == Level::iterations ? machine_.iterations.ended() << kWaveBits : machine_.state.ranks.front().wave;
}

void Recurrence::describe_rank(const RankLine& line, std::int64_t cut) {
    const bool asked = asks(line.state) || line.state == RankState::sending;
    const bool began = line.state == RankState::receiving || line.state == RankState::sending;
    std::array<std::uint32_t, program::kMaxLoopDepth> trips = line.trips_left;
    trips[depth_[line.at]] = 0;
    now_.push_back(line.at | std::uint64_t{line.micro} << 32 | std::uint64_t{static_cast<std::uint8_t>(line.state)} << 48);
    now_.push_back(began ? static_cast<std::uint64_t>(line.clock - cut) : since(line.clock, cut));
    now_.push_back(line.wave - waves_);
    now_.push_back((asked ? line.request_cost : 0U) | std::uint64_t{trips[0]} << 32);
    now_.push_back(trips[1] | std::uint64_t{trips[2]} << 32);
    now_.push_back(trips[3]);
}

void Recurrence::describe_channels(std::int64_t cut) {
    for (std::uint32_t index = 0; index < machine_.state.inlets.size(); ++index) {
        const Inlet& head = machine_.state.inlets[index];
        if (head.state == static_cast<std::uint32_t>(InletState::empty)) continue;
        now_.push_back(std::uint64_t{index} << 32 | std::uint64_t{head.state} << 24 | std::uint64_t{head.cost});
        now_.push_back(since(head.time, cut));
        if (head.delayed) now_.push_back(static_cast<std::uint64_t>(machine_.state.delays[index].link));
        if (head.delayed) now_.push_back(static_cast<std::uint64_t>(machine_.state.delays[index].ejection));
        if (head.queued) describe_backlog(index, cut);
    }
    for (std::uint32_t index = 0; index < machine_.state.outlets.size(); ++index) {
        const Outlet& out = machine_.state.outlets[index];
        if (out.ahead == 0) continue;
        now_.push_back(std::uint64_t{index} << 32 | static_cast<std::uint64_t>(out.ahead + kMostUntaken + 1));
        now_.push_back(out.ahead > 0 ? since(out.posted, cut) : 0);
    }
}

void Recurrence::describe_backlog(std::uint32_t inlet, std::int64_t cut) {
    const std::uint32_t node = machine_.layout.node_of[machine_.layout.rank_of_inlet(inlet)];
    Backlog& backlog = machine_.regions[machine_.region_of[node]]->stepper.backlog();
    for (const Backlog::Entry* at = backlog.first(inlet); at != nullptr; at = backlog.after(*at)) {
        now_.push_back(std::uint64_t{at->flying} << 32 | std::uint64_t{at->cost});
        now_.push_back(since(at->time, cut));
        now_.push_back(static_cast<std::uint64_t>(at->delay.link));
        now_.push_back(static_cast<std::uint64_t>(at->delay.ejection));
    }
}

void Recurrence::describe_marks(std::int64_t cut) {
    std::size_t open = 0;
    for (const auto& region : machine_.regions) open = std::max(open, region->stepper.marks().size());
    for (std::size_t k = 0; k < open; ++k) {
        Marks::Open sum;
        for (const auto& region : machine_.regions) {
            const Marks::Open here = region->stepper.marks().at(k);
            sum.latest = std::max(sum.latest, here.latest);
            sum.passed += here.passed;
        }
        now_.push_back(static_cast<std::uint64_t>(sum.latest - cut));
        now_.push_back(sum.passed);
    }
}

void Recurrence::keep(std::int64_t cut) {
    kept_.swap(now_);
    kept_time_ = machine_.skipped.time + WideTime{Wide{cut}};
    kept_messages_ = messages();
    kept_waits_.clear();
    kept_trips_.clear();
    for (std::uint32_t rank = 0; rank < machine_.layout.ranks; ++rank) {
        kept_waits_.push_back(waits_of(machine_, rank, cut));
        kept_trips_.push_back(trips_left(machine_.state.ranks[rank]));
    }
}

/// Trips that every rank has made since the state was kept; 0 if not all made the same.
std::int64_t Recurrence::period() const {
    const auto made = [this](std::uint32_t rank) {
        return std::int64_t{kept_trips_[rank]} - std::int64_t{trips_left(machine_.state.ranks[rank])};
    };
    for (std::uint32_t rank = 1; rank < machine_.layout.ranks; ++rank) {
        if (made(rank) != made(0)) return 0;
    }
    return made(0);
}

/// Stepped and skipped so far.
std::uint64_t Recurrence::messages() const {
    std::uint64_t sum = machine_.skipped.messages;
    for (const auto& region : machine_.regions) sum += region->stepper.messages();
    return sum;
}

/// As many periods as leave every rank inside its loop; false if that is none.
bool Recurrence::skip(std::int64_t cut) {
    const std::int64_t each = period();
    if (each <= 0 || each > Iterations::kLongestPeriod) return false;
    std::int64_t times = std::numeric_limits<std::int64_t>::max();
    for (RankLine& line : machine_.state.ranks) times = std::min(times, (std::int64_t{trips_left(line)} - 1) / each);
    if (times <= 0) return false;
    Skipped& skipped = machine_.skipped;
    skipped.waits.resize(machine_.layout.ranks);
    for (std::uint32_t rank = 0; rank < machine_.layout.ranks; ++rank) {
        const Waits now = waits_of(machine_, rank, cut);
        const Waits& then = kept_waits_[rank];
        Waits& sum = skipped.waits[rank];
        sum.compute += (now.compute - then.compute) * times;
        sum.bus += (now.bus - then.bus) * times;
        sum.nic += (now.nic - then.nic) * times;
        sum.link += (now.link - then.link) * times;
        sum.collective += (now.collective - then.collective) * times;
        RankLine& line = machine_.state.ranks[rank];
        trips_left(line) -= static_cast<std::uint32_t>(times * each);
        if (level_ == Level::tiles) line.wave += static_cast<std::uint64_t>(times * each);
    }
    const WideTime shift{(skipped.time + WideTime{Wide{cut}} - kept_time_).ps * times};
    skipped.time += shift;
    const std::uint64_t repeated = (messages() - kept_messages_) * static_cast<std::uint64_t>(times);
    skipped.messages += repeated;
    if (level_ == Level::tiles) {
        skipped.tiles += times * each;
        skipped.messages_in_sweeps += repeated;
        machine_.iterations.lengthen(shift);
    } else {
        skipped.iterations += times * each;
        machine_.iterations.repeat(static_cast<std::size_t>(each), times);
    }
    return true;
}

std::uint64_t Recurrence::bytes() const {
    return (now_.capacity() + kept_.capacity()) * sizeof(std::uint64_t) + kept_trips_.capacity() * sizeof(std::uint32_t) +
           kept_waits_.capacity() * sizeof(Waits);
}

}  // namespace warpfront::engine
