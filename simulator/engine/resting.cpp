#include "simulator/engine/resting.hpp"

#include <algorithm>

#include "simulator/engine/loops.hpp"

namespace warpfront::engine {

namespace {

/// A node that lags further behind what it is sent hardly recurs, and takes long to describe.
constexpr std::uint32_t kDeepestBacklog = 16;

/// In periods; signals are counted in 32 bits.
constexpr std::uint32_t kLongestRest = std::uint32_t{1} << 26;

/// Ranks all over the array: multiples of the golden ratio fill an interval evenly.
std::uint32_t spread(std::uint32_t index, std::uint32_t ranks) {
    return static_cast<std::uint32_t>((std::uint64_t{index * 0x9E3779B9U} * ranks) >> 32U);
}

}  // namespace

Resting::Resting(const Layout& layout, State& state, const Companies& companies,
                 const std::vector<std::unique_ptr<Region>>& regions, const std::vector<std::uint16_t>& region_of)
    : layout_(layout),
      state_(state),
      companies_(companies),
      regions_(regions),
      region_of_(region_of),
      depths_(loop_depths(layout.code, LoopKind::of_tiles)),
      bars_(layout.nodes),
      sample_of_(layout.ranks) {
    for (std::uint32_t node = 0; node < layout.nodes; ++node) {
        if (companies.of(node).size() > Companies::kMost) bars_[node] = kCrowd;
    }
    for (std::uint32_t k = 0; k < kSamples; ++k) {
        const std::uint32_t rank = spread(k, layout.ranks);
        if (sample_of_[rank] > 0) continue;
        samples_.push_back({.rank = rank});
        sample_of_[rank] = static_cast<std::uint8_t>(samples_.size());
    }
}

bool Resting::applies() const {
    const auto barred = std::count(bars_.begin(), bars_.end(), kCrowd);
    const bool loops = std::any_of(depths_.begin(), depths_.end(), [](std::uint8_t depth) { return depth != kNoLoop; });
    return loops && static_cast<std::size_t>(barred) <= bars_.size() / 4;
}

template <typename Visit>
void Resting::each_rank(std::uint32_t node, const Visit& visit) const {
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        if (rank != kNone) visit(rank);
    }
}

template <typename Visit>
void Resting::each_rank_together(std::uint32_t node, const Visit& visit) const {
    for (const std::uint32_t member : companies_.of(node)) each_rank(member, visit);
}

// --- keeping and comparing -------------------------------------------------------------------------------------------

std::uint64_t Resting::resting_at(std::size_t pace) const {
    std::uint64_t count = trials_[pace].put;
    for (const auto& region : regions_) count -= region->stepper.roused()[pace];
    return count;
}

std::uint64_t Resting::resting() const {
    std::uint64_t count = 0;
    for (std::size_t pace = 0; pace < Rest::kPaces; ++pace) count += resting_at(pace);
    return count;
}

/// Awake, in a sweep, and not merely waiting for one. No message of a collective is on its way to it: those that wait
/// for it to leave the sweep change nothing.
bool Resting::may_recur(std::uint32_t node, std::int64_t cut) const {
    if (rest_->rests(node) || bars_[node] != 0 || rest_->nodes[node].disturbed) return false;
    if (stepper_of(node).awaits_collective(node)) return false;
    bool may = true;
    each_rank(node, [&](std::uint32_t rank) {
        const RankLine& line = state_.ranks[rank];
        const bool waits = line.state == RankState::receiving || line.state == RankState::sending;
        may = may && line.state != RankState::done && line.micro == 0 && depths_[line.at] != kNoLoop &&
              !(waits && line.clock < cut - pace().period);
        for (std::uint32_t k = 0; may && k < 1U << layout_.inlet_shift; ++k) {
            const std::uint32_t inlet = (rank << layout_.inlet_shift) + k;
            may = !state_.inlets[inlet].queued || stepper_of(node).backlog().count(inlet) <= kDeepestBacklog;
        }
    });
    return may;
}

bool Resting::may_recur_together(std::uint32_t node, std::int64_t cut) const {
    const auto members = companies_.of(node);
    return std::all_of(members.begin(), members.end(), [&](std::uint32_t each) { return may_recur(each, cut); });
}

/// The company of this node, the links that its messages meet on included.
void Resting::describe(std::uint32_t node, std::int64_t cut, std::vector<std::uint64_t>& words) const {
    const Describer describer{layout_, state_, depths_, false};
    const std::uint64_t waves = state_.ranks[layout_.ranks_on[std::size_t{node} * layout_.cores]].wave;
    for (const std::uint32_t member : companies_.of(node)) {
        describer.add_node(member, stepper_of(member).backlog(), cut, waves, words);
    }
    for (const std::uint32_t first : companies_.links_of(node)) {
        for (std::uint32_t k = 0; k < layout_.links.parallel; ++k) describer.add_server(first + k, cut, words);
    }
}

void Resting::keep(std::int64_t cut) {
    std::uint32_t begun = 0;
    for (const auto& region : regions_) begun += region->stepper.collective_sends();
    kept_.clear();
    kept_words_.clear();
    kept_ranks_.clear();
    kept_link_waits_.clear();
    for (std::uint32_t node = 0; node < layout_.nodes; ++node) {
        if (begun == 0) bars_[node] &= kCrowd;
        rest_->nodes[node].disturbed = false;
    }
    for (std::uint32_t node = 0; node < layout_.nodes; ++node) {
        if (companies_.of(node).front() != node || !may_recur_together(node, cut)) continue;
        kept_.push_back({node, kept_words_.size(), kept_ranks_.size(), kept_link_waits_.size()});
        describe(node, cut, kept_words_);
        rest_->keep_link_waits(node, kept_link_waits_);
        each_rank_together(node, [&](std::uint32_t rank) {
            const RankLine& line = state_.ranks[rank];
            kept_ranks_.push_back({line.bus_wait, line.nic_wait, state_.gathered[rank].link_wait,
                                   line.trips_left[depths_[line.at]]});
        });
    }
    for (const auto& region : regions_) region->stepper.heard().clear();
    rest_->records = true;
    ++rest_->trial;
}

/// Puts to rest whoever repeats what it did since the state was kept; returns how many.
std::size_t Resting::compare(std::int64_t cut) {
    rest_->records = false;
    for (const auto& region : regions_) {
        for (const auto& [end, what] : region->stepper.heard()) ++heard_[end];
    }
    std::vector<Kept> going;
    std::vector<std::uint32_t> nodes;
    for (std::size_t index = 0; index < kept_.size(); ++index) {
        const Kept& kept = kept_[index];
        const auto members = companies_.of(kept.node);
        const bool in_step = std::all_of(members.begin(), members.end(), [&](std::uint32_t each) {
            return this->in_step(each);
        });
        if (in_step && recurs(index, cut) && periods_left(kept) >= 2) going.push_back(kept);
    }
    rest_->forget();
    for (const Kept& kept : going) {
        lay_down(kept);
        const auto members = companies_.of(kept.node);
        nodes.insert(nodes.end(), members.begin(), members.end());
    }
    open_ends(nodes);
    fill_ends();
    for (const std::uint32_t node : nodes) stepper_of(node).arm(node);
    for (const auto& region : regions_) region->schedule();
    return going.size();
}

bool Resting::recurs(std::size_t index, std::int64_t cut) {
    const Kept& kept = kept_[index];
    if (!may_recur_together(kept.node, cut)) return false;
    std::uint32_t trips = 0;
    bool alike = true;
    std::size_t at = kept.ranks;
    each_rank_together(kept.node, [&](std::uint32_t rank) {
        const RankLine& line = state_.ranks[rank];
        const std::uint32_t made = kept_ranks_[at].trips - line.trips_left[depths_[line.at]];
        alike = alike && made > 0 && made <= kMostTiles && (at == kept.ranks || made == trips);
        trips = made;
        ++at;
    });
    if (!alike) return false;
    now_.clear();
    describe(kept.node, cut, now_);
    const std::size_t end = index + 1 < kept_.size() ? kept_[index + 1].words : kept_words_.size();
    return std::equal(now_.begin(), now_.end(), kept_words_.begin() + static_cast<std::ptrdiff_t>(kept.words),
                      kept_words_.begin() + static_cast<std::ptrdiff_t>(end));
}

/// How often the period can come again with all ranks still in their loops.
std::uint32_t Resting::periods_left(const Kept& kept) const {
    std::uint32_t least = kLongestRest;
    std::size_t at = kept.ranks;
    each_rank_together(kept.node, [&](std::uint32_t rank) {
        const RankLine& line = state_.ranks[rank];
        const std::uint32_t left = line.trips_left[depths_[line.at]];
        least = std::min(least, (left - 1) / (kept_ranks_[at].trips - left));
        ++at;
    });
    return least;
}

/// Whether what it is told and what it tells is in step with what is recorded already.
bool Resting::in_step(std::uint32_t node) const {
    bool in_step = true;
    const auto other_pace = [&](std::uint32_t other) {
        return rest_->rests(other) && rest_->nodes[other].pace != pace_;
    };
    rest_->each_taken(node, [&](std::uint32_t number_of_end, std::uint32_t sender) {
        in_step = in_step && rest_->ends[number_of_end].skip == 0 && !other_pace(sender);
    });
    rest_->each_sent(node, [&](std::uint32_t number_of_end, std::uint32_t taker) {
        const End& end = rest_->ends[number_of_end];
        const bool watched = end.mode == EndMode::watched;
        const bool as_recorded = heard_[number_of_end] == end.count && end.next == (next_ - end.base) * end.count;
        const bool all_heard = end.skip == 0 && end.left_out != rest_->trial;
        in_step = in_step && all_heard && !other_pace(taker) && (!watched || as_recorded);
    });
    return in_step;
}

// --- going to rest ---------------------------------------------------------------------------------------------------

void Resting::lay_down(const Kept& kept) {
    rest_->learn_link_waits(kept.node, kept.links, kept_link_waits_);
    const std::uint32_t until = next_ + periods_left(kept);
    for (const std::uint32_t member : companies_.of(kept.node)) {
        rest_->nodes[member] = {.since = next_, .until = until, .pace = pace_};
        rest_->flags[member] = Rest::kRests;
        ++trials_[pace_].put;
    }
    std::size_t at = kept.ranks;
    each_rank_together(kept.node, [&](std::uint32_t rank) {
        const RankLine& line = state_.ranks[rank];
        const RankRest& then = kept_ranks_[at++];
        rest_->ranks[rank] = {line.bus_wait - then.bus_wait, line.nic_wait - then.nic_wait,
                              state_.gathered[rank].link_wait - then.link_wait,
                              then.trips - line.trips_left[depths_[line.at]]};
    });
}

void Resting::open(End& end, std::uint16_t count, EndMode mode) {
    end = {.first = static_cast<std::uint32_t>(rest_->said.size()), .count = count, .mode = mode, .pace = pace_,
           .base = next_};
    rest_->said.resize(rest_->said.size() + count);
}

void Resting::open_ends(const std::vector<std::uint32_t>& going) {
    for (const std::uint32_t node : going) {
        rest_->each_sent(node, [&](std::uint32_t number_of_end, std::uint32_t taker) {
            End& end = rest_->ends[number_of_end];
            if (end.mode == EndMode::watched) end.mode = EndMode::quiet;
            if (end.mode != EndMode::live) return;
            open(end, heard_[number_of_end], rest_->rests(taker) ? EndMode::quiet : EndMode::fed);
            if (end.mode == EndMode::fed) rest_->flags[taker] |= Rest::kMinds;
        });
    }
    for (const std::uint32_t node : going) {
        rest_->each_taken(node, [&](std::uint32_t number_of_end, std::uint32_t) {
            End& end = rest_->ends[number_of_end];
            if (end.mode == EndMode::live) open(end, heard_[number_of_end], EndMode::watched);
            if (end.mode == EndMode::fed) {
                end.taken = end.next;
                end.mode = EndMode::quiet;
            }
        });
    }
}

/// What was heard in the period that has ended, as it will be said in the next. Ends are filled in the order of time,
/// since each is heard by one region.
void Resting::fill_ends() {
    for (const auto& region : regions_) {
        for (const auto& [number_of_end, what] : region->stepper.heard()) {
            const End& end = rest_->ends[number_of_end];
            std::uint16_t& left = heard_[number_of_end];
            if (end.mode != EndMode::live && end.pace == pace_ && end.base == next_ && left > 0) {
                Said& said = rest_->said[end.first + end.count - left];
                said = what;
                said.time += pace().period;
            }
            --left;
        }
        region->stepper.heard().clear();
    }
    for (std::uint32_t node = 0; node < layout_.nodes; ++node) {
        if (rest_->flags[node] == Rest::kMinds) stepper_of(node).arm(node);
    }
}

std::uint64_t Resting::bytes() const {
    return (rest_ ? rest_->bytes() : 0) + bars_.capacity() + sample_of_.capacity() + kept_.capacity() * sizeof(Kept) +
           kept_link_waits_.capacity() * sizeof(std::int64_t) +
           (kept_words_.capacity() + now_.capacity()) * sizeof(std::uint64_t) +
           kept_ranks_.capacity() * sizeof(RankRest) + heard_.capacity() * sizeof(std::uint16_t);
}

}  // namespace warpfront::engine
