// Skip-ahead, exact: once the machine's state at the end of an iteration equals that at the end of an earlier one, up to
// a shift in time, everything between will happen again and again until a rank leaves the loop of iterations. (In
// max-plus algebra the system is eventually periodic: Cohen, Dubois, Quadrat & Viot 1985.)
//
// A state is observed at a cut X of virtual time: all timed requests before X served, none after, and every rank
// settled. (Where nothing is shared there are no timed requests: ranks are held at their marks instead, and X is the
// earliest of their clocks.) From a cut on, only comparisons with times >= X matter, so times before X count as X.
// Observed are, relative to X and to the number of iterations ended: clocks, positions, loop counters, waves, timed
// requests, channels and their backlogs, servers, half-passed marks. They are compared word by word, no hash.
//
// Nothing in the state depends on absolute time, so skipping n periods leaves clocks alone: it adds n shifts to
// `skipped`, n times the gathered waits, and takes n periods off the counter of every rank's iteration loop.
// One earlier state is kept, replaced at observations 1, 2, 4, 8, ... (Brent 1980), so longer periods are found too.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/engine/layout.hpp"
#include "simulator/engine/marks.hpp"
#include "simulator/engine/region.hpp"
#include "simulator/engine/state.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::engine {

/// What a rank has waited for (and computed, where noise is on), as it gathers it.
struct Waits {
    Wide compute = 0;
    Wide bus = 0;
    Wide nic = 0;
    Wide link = 0;
    Wide collective = 0;
};

class Recurrence {
public:
    Recurrence(const Layout& layout, State& state, Iterations& iterations);
    /// The regions whose marks and backlogs belong to the state.
    void watch(const std::vector<std::unique_ptr<Region>>& regions, const std::vector<std::uint16_t>& region_of) {
        regions_ = &regions;
        region_of_ = &region_of;
    }

    /// The state is settled at cut `X`. Skips what is known by now.
    void observe(std::int64_t cut);

    WideTime skipped_time() const { return skipped_; }
    std::int64_t skipped_iterations() const { return skipped_iterations_; }
    /// Of a rank outside collectives, over the whole run so far.
    Waits waits_of(std::uint32_t rank) const;
    std::uint64_t bytes() const;

private:
    bool describe(std::int64_t cut);
    void describe_rank(const RankLine& line, std::int64_t cut, std::uint64_t base);
    void describe_channels(std::int64_t cut);
    void describe_backlog(std::uint32_t inlet, std::int64_t cut);
    void describe_marks(std::int64_t cut);
    Region& region_at(std::uint32_t node) const { return *(*regions_)[(*region_of_)[node]]; }
    Waits gathered_at(std::size_t rank, std::int64_t cut) const;
    void skip(std::int64_t cut);
    void keep(std::int64_t cut);

    const Layout& layout_;
    State& state_;
    Iterations& iterations_;
    const std::vector<std::unique_ptr<Region>>* regions_ = nullptr;
    const std::vector<std::uint16_t>* region_of_ = nullptr;  // by node
    std::vector<bool> in_iteration_loop_;   // by instruction
    std::vector<std::uint64_t> now_;        // the state as words
    std::vector<std::uint64_t> kept_;
    std::vector<std::uint32_t> kept_trips_;  // of the iteration loop, by rank
    std::vector<Waits> kept_gathered_;
    std::int64_t kept_cut_ = 0;
    std::uint64_t kept_iteration_ = 0;
    std::uint64_t observations_ = 0;
    WideTime skipped_;
    std::int64_t skipped_iterations_ = 0;
    std::vector<Waits> skipped_waits_;
};

}  // namespace warpfront::engine
