// When ranks have left one collective and none can have entered the next. Messages that leave their node in that time
// meet no message of a collective on their way, so they may be granted own links ahead (parallel/README.md).
//
// No rank leaves a collective before all have entered it. So if all have left one, rank r at t(r), none enters the next
// before the least t(r) + d(r), where d(r) is the least time that r computes from one to the next, known from its
// program. Before the first collective t is 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/units/time.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::engine {

/// The least times in which ranks compute between two collectives; kHorizon where no other follows.
class CollectiveIntervals {
public:
    /// `takes`: null where blocks take what the program says.
    CollectiveIntervals(const Layout& layout, const variation::ComputeTime* takes);

    /// From the beginning of the program to the first one, for any rank.
    Time before_first() const { return before_first_; }
    /// From this one, an instruction, to the next.
    Time after(InstructionId collective) const;

private:
    Time before_first_ = kHorizon;
    std::vector<std::pair<InstructionId, Time>> after_;  // ascending
};

/// The ranks that have left collectives, when the last of them left the latest one, and when one enters the next at the
/// earliest.
struct CollectivesLeft {
    std::uint64_t ranks = 0;  // over all collectives
    std::int64_t last = -1;
    std::int64_t soonest_next = kHorizon.ps;

    /// A rank leaves a collective, one of `of` ranks, and will compute for so long before the next.
    void leave(std::int64_t time, Time before_next, std::uint64_t of) {
        const bool is_first = ranks++ % of == 0;
        last = is_first ? time : std::max(last, time);
        const std::int64_t next = time + before_next.ps;
        soonest_next = is_first ? next : std::min(soonest_next, next);
    }
    /// Trips of loops are skipped, so the next collective may come sooner than expected.
    void forget_next() { soonest_next = -1; }
    /// Adds ranks that have left the same collective.
    void add(const CollectivesLeft& others) {
        ranks += others.ranks;
        last = std::max(last, others.last);
        soonest_next = std::min(soonest_next, others.soonest_next);
    }
    /// Whether all of so many ranks have left the latest one before `time`.
    bool is_over_at(std::int64_t time, std::uint64_t of) const { return ranks % of == 0 && last < time; }
};

}  // namespace warpfront::engine
