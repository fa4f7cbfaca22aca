// The intervals of time in which all ranks have left one collective and none can have entered the next. If a message
// leaves its node in such an interval, there are no messages of collectives on its route, so it may be granted its own
// links ahead of time (parallel/README.md).
//
// No rank leaves a collective before all ranks have entered it. Let t(r) be the time at which rank r has left a
// collective, for all r. Then no rank enters the next collective before the least t(r) + d(r). d(r) is the least
// computing time of r from one collective to the next, which follows from its program. Before the first collective, t
// is 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/units/time.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::engine {

/// The least computing times of ranks between two collectives. A time is kHorizon if no further collective follows.
class CollectiveIntervals {
public:
    /// Computes the times. If `takes` is null, blocks take the times of the program.
    CollectiveIntervals(const Layout& layout, const variation::ComputeTime* takes);

    /// Returns the least time of any rank from the beginning of the program to its first collective.
    Time before_first() const { return before_first_; }
    /// Returns the least time from this collective to the next one.
    Time after(InstructionId collective) const;

private:
    Time before_first_ = kHorizon;
    std::vector<std::pair<InstructionId, Time>> after_;  // times by collective, in ascending order of instructions
};

/// The departures of ranks from collectives: how often a rank has left a collective, when the last rank left the latest
/// collective, and the earliest time at which a rank enters the next collective.
struct CollectivesLeft {
    std::uint64_t ranks = 0;  // number of times that ranks have left collectives
    std::int64_t last = -1;
    std::int64_t soonest_next = kHorizon.ps;

    /// Records that a rank leaves a collective at `time`. The rank computes for at least `before_next` before it enters
    /// the next collective. `of` is the number of ranks in the collective.
    void leave(std::int64_t time, Time before_next, std::uint64_t of) {
        const bool is_first = ranks++ % of == 0;
        last = is_first ? time : std::max(last, time);
        const std::int64_t next = time + before_next.ps;
        soonest_next = is_first ? next : std::min(soonest_next, next);
    }
    /// Discards the earliest time of the next collective. This is needed when loop iterations are skipped, since the
    /// next collective may then come sooner.
    void forget_next() { soonest_next = -1; }
    /// Adds the data of another partition about the same collectives.
    void add(const CollectivesLeft& others) {
        ranks += others.ranks;
        last = std::max(last, others.last);
        soonest_next = std::min(soonest_next, others.soonest_next);
    }
    /// Returns true if all ranks have left the latest collective before `time`. `of` is the number of ranks.
    bool is_over_at(std::int64_t time, std::uint64_t of) const { return last < time && ranks % of == 0; }
};

}  // namespace warpfront::engine
