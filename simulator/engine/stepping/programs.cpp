// Ranks going through their programs, instruction by instruction.
#include <algorithm>
#include <bit>
#include <utility>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/stepping/stepper.hpp"

namespace warpfront::engine {

namespace {

using program::Op;

/// A rank that nothing stops would fill its channels; after about a tile it lets the others catch up, so that what it
/// sends is taken from the head of its channel and not from behind it.
constexpr unsigned kTurn = 8;

}  // namespace

Stepper::Stepper(const Layout& layout, State& state, const ComputeTime* compute_time)
    : layout_(layout), state_(state), compute_time_(compute_time), backlog_(state.queues, state.budget) {}

void Stepper::address(std::uint32_t regions, const std::vector<std::uint16_t>* region_of) {
    signals_.resize(regions);
    region_of_ = region_of;
}

void Stepper::start(std::uint32_t rank, std::uint32_t entry) {
    state_.ranks[rank].at = entry;
    ready_.push_back(rank);
}

void Stepper::wake(std::uint32_t rank, RankLine& line) {
    check_horizon(rank, line);
    line.state = RankState::running;
    ready_.push_back(rank);
}

/// `kHorizon` itself means never.
void Stepper::check_horizon(std::uint32_t rank, const RankLine& line) const {
    if (line.clock >= kHorizon.ps) throw TimeOverflow({rank}, layout_.code[line.at].site);
}

/// The message with this cost that will arrive too late is of the first such statement of its sender.
void Stepper::arrives_too_late(const Outlet& out, std::uint32_t cost) const {
    const std::uint32_t outlet = state_.inlets[out.inlet].outlet;
    const std::uint32_t rank = layout_.rank_of_outlet(outlet);
    if (outlet >= layout_.first_collective_outlet) {
        throw TimeOverflow({rank}, layout_.code[state_.ranks[rank].at].site);
    }
    const auto rank_class = std::upper_bound(layout_.entry.begin(), layout_.entry.end(), state_.ranks[rank].at) - 1;
    throw TimeOverflow({rank}, layout_.first_send(static_cast<std::uint32_t>(rank_class - layout_.entry.begin()),
                                                  layout_.outlet_numbers.place_of(outlet), cost / layout_.paths)
                                   .site);
}

bool Stepper::settle(std::uint64_t most) {
    for (std::uint64_t stepped = 0; !ready_.empty() && stepped < most; turn_.clear()) {
        turn_.swap(ready_);
        for (const std::uint32_t rank : turn_) run(rank);
        stepped += turn_.size();
    }
    return settled();
}

void Stepper::release_held() {
    for (const std::uint32_t rank : held_) wake(rank, state_.ranks[rank]);
    held_.clear();
}

std::uint64_t Stepper::bytes() const {
    std::uint64_t sum = backlog_.bytes() + timed_.capacity() * sizeof(Timed) +
                        flights_.capacity() * sizeof(Flight) + free_flights_.capacity() * sizeof(std::uint32_t) +
                        departures_.capacity() * sizeof(Departure);
    for (const auto& box : signals_) sum += box.capacity() * sizeof(Signal);
    return sum + (ready_.capacity() + turn_.capacity() + held_.capacity()) * sizeof(std::uint32_t);
}

/// Blocks of one wave are told apart by their instructions: a statement may stand in the code several times.
Time Stepper::compute_time(std::uint32_t rank, const RankLine& line, Time nominal) {
    const Time takes = (*compute_time_)({rank}, line.wave, static_cast<std::uint16_t>(line.at), nominal, {line.clock});
    state_.gathered[rank].compute += takes.ps;
    return takes;
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
        const std::uint32_t inlet = layout_.first_collective_inlet + own + step;
        const std::uint32_t outlet = layout_.first_collective_outlet + own + step;
        const bool receives = state_.inlets[inlet].outlet != kNone;
        Next next = Next::go_on;
        switch ((line.micro - 1U) % 3) {
            case 0:
                if (receives) post(line, inlet);
                ++line.micro;
                break;
            case 1:
                if (state_.outlet(outlet).inlet != kNone) {
                    ++messages_of_collectives_;
                    next = send(rank, line, outlet, size);
                } else {
                    ++line.micro;
                }
                break;
            default:
                if (receives) {
                    next = await(rank, line, inlet);
                } else {
                    ++line.micro;
                }
        }
        if (next == Next::stop) return Next::stop;
    }
    state_.gathered[rank].collective += line.clock;
    add_waves(line, layout_.collective_steps);
    line.micro = 0;
    ++line.at;
    return Next::go_on;
}

Stepper::Next Stepper::pass_mark(RankLine& line) {
    const std::uint64_t iteration = line.wave >> kWaveBits;
    marks_.pass(iteration, line.clock);
    line.wave = (iteration + 1) << kWaveBits;
    ++line.at;
    if (!hold_at_marks) return Next::go_on;
    line.state = RankState::at_mark;
    return Next::stop;
}

void Stepper::mark_tile(const RankLine& line, const program::Instruction& end) {
    constexpr std::uint64_t kFirst = 4;
    constexpr std::uint64_t kFollowing = 8;
    const std::uint64_t trips = static_cast<std::uint64_t>(layout_.code[end.place].amount);
    const std::uint64_t tile = trips - line.trips_left[end.depth] + 1;
    const std::uint64_t kept = std::bit_floor(tile);
    if (tile < kFirst || tile - kept > kFollowing) return;
    tile_marks_.push_back({line.clock, tile == kept});
}

void Stepper::run(std::uint32_t rank) {
    ++events_;
    RankLine& line = state_.ranks[rank];
    for (unsigned turn = 0; turn < kTurn; ++turn) {
        const program::Instruction& step = layout_.code[line.at];
        Next next = Next::go_on;
        switch (step.op) {
            case Op::compute:
                line.clock += compute_time_ == nullptr ? step.amount : compute_time(rank, line, {step.amount}).ps;
                check_horizon(rank, line);
                ++line.at;
                break;
            case Op::send:
                ++messages_;
                next = send(rank, line, layout_.outlet_numbers.at(rank, step.place),
                            static_cast<std::uint32_t>(step.amount));
                break;
            case Op::recv:
                post(line, layout_.inlet_numbers.at(rank, step.place));
                next = await(rank, line, layout_.inlet_numbers.at(rank, step.place));
                break;
            case Op::post:
                post(line, layout_.inlet_numbers.at(rank, step.place));
                ++line.at;
                break;
            case Op::await:
                next = await(rank, line, layout_.inlet_numbers.at(rank, step.place));
                break;
            case Op::isend:
                ++messages_;
                next = start_send(rank, line, layout_.outlet_numbers.at(rank, step.place),
                                  static_cast<std::uint32_t>(step.amount));
                break;
            case Op::await_sent:
                next = await_sent(rank, line, layout_.outlet_numbers.at(rank, step.place));
                break;
            case Op::loop:
                line.trips_left[step.depth] = static_cast<std::uint32_t>(step.amount);
                ++line.at;
                break;
            case Op::end_loop:
                if (layout_.code[line.at - 1].op != Op::iteration) add_waves(line, 1);  // each iteration begins at wave 0
                check_horizon(rank, line);
                if (marks_tiles && is_marked(rank)) mark_tile(line, step);
                line.at = --line.trips_left[step.depth] > 0 ? step.place + 1 : line.at + 1;
                break;
            case Op::allreduce:
                next = collective(rank, line, static_cast<std::uint32_t>(step.amount));
                break;
            case Op::iteration:
                next = pass_mark(line);
                if (next == Next::stop) held_.push_back(rank);
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
