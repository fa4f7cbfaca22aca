// Which pace is tried, and when (resting.hpp).
#include <algorithm>

#include "simulator/engine/resting.hpp"

namespace warpfront::engine {

namespace {

/// A period that holds fewer windows is not worth its boundaries.
constexpr std::int64_t kLeastLookaheads = 4;
/// Boundaries of a pace that are numbered.
constexpr std::int64_t kMostBoundaries = std::int64_t{1} << 31;
/// It was worth comparing if one in so many went to rest.
constexpr std::size_t kWorthwhile = 16;

}  // namespace

void Resting::hear(const TileEnd& end) {
    Sample& sample = samples_[sample_of_[end.rank] - 1U];
    if (end.first) sample.seen = 0;
    std::move_backward(sample.ends.begin(), sample.ends.end() - 1, sample.ends.end());
    sample.ends.front() = end.time;
    ++sample.seen;
    sample.period = 0;
    for (std::size_t p = 1; p <= kMostTiles && sample.seen > 2 * p; ++p) {
        const std::int64_t last = sample.ends[0] - sample.ends[p];
        if (last != sample.ends[p] - sample.ends[2 * p]) continue;
        sample.period = last;
        sample.tiles = p;
        return;
    }
}

/// The pace of this period: one that is known, or else one that nobody votes for, or rested at when this was asked
/// last: what those said who woke since may still be on its way.
std::size_t Resting::pace_for(std::int64_t period, std::int64_t now, const Votes& votes) {
    std::size_t unused = Rest::kPaces;
    for (std::size_t k = Rest::kPaces; k-- > 0;) {
        if (trials_[k].known && rest_->paces[k].period == period) return k;
        if (votes[k] == 0 && trials_[k].idle) unused = k;
    }
    if (unused < Rest::kPaces) {
        rest_->paces[unused] = {now, period};
        trials_[unused] = {.not_before = now, .put = trials_[unused].put, .known = true};
    }
    return unused;
}

/// Between the shortest period and one in which whoever keeps to that makes as many tiles as are looked at.
bool Resting::is_worthwhile(const Sample& sample, std::int64_t shortest) const {
    return sample.period >= kLeastLookaheads * layout_.lookahead.ps &&
           sample.period <= static_cast<std::int64_t>(kMostTiles) * shortest;
}

/// That of most samples awake; of several, and where others are at rest already, the first. Periods of several tiles
/// count only where there are none of one: whoever rests at them keeps its neighbours from resting at another.
std::optional<std::size_t> Resting::choose_pace(std::int64_t now) {
    const auto is_recent = [now](const Sample& sample) {
        return sample.period > 0 && sample.ends[0] >= now - 2 * sample.period;
    };
    std::int64_t shortest = kHorizon.ps / static_cast<std::int64_t>(kMostTiles);
    for (const Sample& sample : samples_) {
        if (is_recent(sample)) shortest = std::min(shortest, sample.period);
    }
    Votes votes{};
    for (std::size_t k = 0; k < Rest::kPaces; ++k) votes[k] = resting_at(k) > 0 ? 1 : 0;
    for (const bool several : {false, true}) {
        for (const Sample& sample : samples_) {
            if (!is_recent(sample) || !is_worthwhile(sample, shortest) || (sample.tiles > 1) != several) continue;
            if (rest_->rests(layout_.node_of[sample.rank])) continue;
            const std::size_t pace = pace_for(sample.period, now, votes);
            if (pace < Rest::kPaces) ++votes[pace];
        }
        if (std::any_of(votes.begin(), votes.end(), [](std::uint32_t count) { return count > 0; })) break;
    }
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < Rest::kPaces; ++k) {
        if (votes[k] > 0 && trials_[k].not_before <= now && (!best || votes[k] > votes[*best])) best = k;
    }
    for (std::size_t k = 0; k < Rest::kPaces; ++k) trials_[k].idle = resting_at(k) == 0;
    return best;
}

std::optional<std::int64_t> Resting::next_boundary(std::int64_t granted_until) {
    for (const auto& region : regions_) {
        for (const TileEnd& end : region->stepper.tile_ends()) hear(end);
        region->stepper.tile_ends().clear();
    }
    if (asked_) return std::nullopt;
    if (!keeps_) {
        if (granted_until < next_choice_) return std::nullopt;
        next_choice_ = granted_until + kLeastLookaheads * layout_.lookahead.ps;
        if (!rest_ && !prepare()) return std::nullopt;
        const std::optional<std::size_t> chosen = choose_pace(granted_until);
        if (!chosen) return std::nullopt;
        pace_ = static_cast<std::uint8_t>(*chosen);
        const std::int64_t passed = (granted_until - pace().base) / pace().period;
        if (passed >= kMostBoundaries) return std::nullopt;
        next_ = static_cast<std::uint32_t>(passed) + 1;
    }
    if (pace().boundary(next_) < granted_until) {  // iterations were skipped
        keeps_ = false;
        rest_->records = false;
        return std::nullopt;
    }
    asked_ = true;
    return pace().boundary(next_);
}

/// False while there is no pace to try.
bool Resting::prepare() {
    const bool any = std::any_of(samples_.begin(), samples_.end(), [](const Sample& each) { return each.period > 0; });
    if (!any) return false;
    rest_.emplace(layout_, state_, companies_);
    heard_.resize(rest_->ends.size());
    for (const auto& region : regions_) region->mind(&*rest_);
    return true;
}

void Resting::observe(std::int64_t cut) {
    asked_ = false;
    keeps_ = !keeps_;
    if (keeps_) {
        keep(cut);
        ++next_;
        return;
    }
    const std::size_t rested = compare(cut);
    Trial& trial = trials_[pace_];
    trial.pause = kWorthwhile * rested >= kept_.size() ? kOften : std::min(2 * trial.pause, kRarely);
    trial.not_before = cut + std::int64_t{trial.pause} * pace().period;
    next_choice_ = cut;
}

}  // namespace warpfront::engine
