// How a node at rest wakes: brought forward by whole periods, then stepped again with what it was told (rest.hpp).
#include <algorithm>
#include <tuple>
#include <utility>

#include "simulator/engine/stepper.hpp"

namespace warpfront::engine {

namespace {

bool is_watched(const End& end) { return end.mode == EndMode::watched || end.mode == EndMode::differs; }

}  // namespace

/// Brings a node at rest, and its company, to the beginning of this phase.
void Stepper::rouse(std::uint32_t node) {
    const NodeRest rest = rest_->nodes[node];
    const Pace& pace = pace_of(node);
    const auto company = rest_->companies.of(node);
    auto periods = static_cast<std::uint32_t>((phase_from_ - pace.boundary(rest.since)) / pace.period);
    for (const std::uint32_t member : company) {
        rest_->each_taken(member, [&](std::uint32_t number, std::uint32_t) {
            const End& end = rest_->ends[number];  // by its boundary all it was told must have come
            if (is_watched(end) && end.count > 0) periods = std::min(periods, (end.next - end.taken) / end.count);
        });
    }
    for (const std::uint32_t first : rest_->companies.links_of(node)) {
        for (std::uint32_t k = 0; k < layout_.links.parallel; ++k) {
            state_.servers[first + k].free_at.ps += std::int64_t{periods} * pace.period;
        }
    }
    rest_->repeat_link_waits(node, periods, state_.link_waits);
    for (const std::uint32_t member : company) {
        bring_forward(member, periods);
        rest_->flags[member] = Rest::kMinds;
        ++roused_[rest.pace];
        tell_waking(member, rest.since + periods);
        gather_told(member, periods);
        step_again(member);
    }
}

/// Whole periods are over: times and counts move on by as many.
void Stepper::bring_forward(std::uint32_t node, std::uint32_t periods) {
    const std::int64_t shift = std::int64_t{periods} * pace_of(node).period;
    const auto bring_inlet = [&](std::uint32_t inlet) {
        Inlet& head = state_.inlets[inlet];
        head.time += shift;
        if (!head.queued) return;
        for (Backlog::Entry* at = backlog_.first(inlet); at != nullptr; at = backlog_.after(*at)) at->time += shift;
    };
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        if (rank == kNone) continue;
        RankLine& line = state_.ranks[rank];
        const RankRest& each = rest_->ranks[rank];
        line.clock += shift;
        if (asks(line.state)) state_.asked(layout_.desk_of(node), core) += shift;
        line.wave += std::uint64_t{periods} * each.trips;
        line.bus_wait += periods * each.bus_wait;
        line.nic_wait += periods * each.nic_wait;
        state_.gathered[rank].link_wait += periods * each.link_wait;
        skip_trips(line, periods * each.trips);
        for (std::uint32_t k = 0; k < 1U << layout_.inlet_shift; ++k) bring_inlet((rank << layout_.inlet_shift) + k);
        for (std::uint32_t k = 0; k < 1U << layout_.outlet_shift; ++k) {
            state_.outlets[(rank << layout_.outlet_shift) + k].posted += shift;
        }
    }
    for (std::uint32_t k = layout_.desk.buses; k < layout_.desk.used; ++k) {
        state_.servers[layout_.desk_of(node) + k].free_at.ps += shift;
    }
    if (layout_.ejects && state_.first_flight(layout_, node).flight != kNone) state_.arrival(layout_, node) += shift;
}

/// Of the innermost loop that the rank is in; its messages are not stepped.
void Stepper::skip_trips(RankLine& line, std::uint32_t trips) {
    std::uint32_t last = line.at;
    while (layout_.code[last].op != program::Op::end_loop) ++last;
    line.trips_left[layout_.code[last].depth] -= trips;
    const auto first = layout_.code.begin() + layout_.code[last].place;
    const auto sends = std::count_if(first, layout_.code.begin() + last, [](const program::Instruction& step) {
        return step.op == program::Op::send;
    });
    rested_messages_ += static_cast<std::uint64_t>(sends) * trips;
}

void Stepper::tell_waking(std::uint32_t node, std::uint32_t boundary) {
    rest_->each_sent(node, [&](std::uint32_t number, std::uint32_t taker) {
        const std::size_t region = region_of_ == nullptr ? 0 : (*region_of_)[taker];
        signals_[region].push_back({std::int64_t{boundary}, number, Signal::wakes, 0});
    });
}

/// What it was told since the boundary that it begins again from.
void Stepper::gather_told(std::uint32_t node, std::uint32_t periods) {
    told_.clear();
    rest_->each_taken(node, [&](std::uint32_t number, std::uint32_t) {
        End& end = rest_->ends[number];
        const std::uint32_t from = end.taken + periods * end.count;
        std::uint32_t to = is_watched(end) ? end.next : from;
        if (end.mode == EndMode::quiet && end.count > 0) {
            while (rest_->effect(number, rest_->at(end, to)) < phase_from_) ++to;
        }
        for (std::uint32_t i = from; i < to; ++i) {
            told_.push_back({rest_->effect(number, rest_->at(end, i)), number, i});
        }
        end.next = to;
        end.skip = 0;
        end.mode = is_watched(end) ? EndMode::live : EndMode::fed;
    });
    std::sort(told_.begin(), told_.end(), [](const Told& a, const Told& b) {
        return std::tie(a.effect, a.end, a.number) < std::tie(b.effect, b.end, b.number);
    });
}

void Stepper::step_again(std::uint32_t node) {
    settle();  // others, so that whatever is asked for from here on is asked for by this node
    const std::int64_t known_until = known_until_;
    const std::size_t timed = timed_.size();
    const bool own_links = std::exchange(grants_own_links_, true);
    const bool marks = std::exchange(marks_tiles, false);
    const auto advance_to = [&](std::int64_t time) {
        known_until_ = std::min(time, phase_from_);
        serve_node(node, known_until_);
    };
    for (const Told& told : told_) {
        advance_to(told.effect);
        tell(told.end, rest_->at(rest_->ends[told.end], told.number));
        settle();
    }
    advance_to(phase_from_);
    known_until_ = known_until;
    grants_own_links_ = own_links;
    marks_tiles = marks;
    timed_.resize(timed);
    ask_anew(node);
    arm(node);
}

/// What it wants from here on is put to its region once more.
void Stepper::ask_anew(std::uint32_t node) {
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        if (rank == kNone) continue;
        const RankLine& line = state_.ranks[rank];
        if (asks(line.state)) timed_.push_back({line.clock, node, rank, false});
        for (std::uint32_t k = 0; k < 1U << layout_.inlet_shift; ++k) {
            const std::uint32_t inlet = (rank << layout_.inlet_shift) + k;
            const Inlet& head = state_.inlets[inlet];
            const bool flies = head.state == static_cast<std::uint32_t>(InletState::flying);
            if (flies && head.awaited) timed_.push_back({head.time, node, inlet, true});
        }
    }
}

}  // namespace warpfront::engine
