// The sums of a run in picoseconds, such as waiting times. The simulation adds to the sums and never reads them; the
// results are computed from them. For each skipped period, the increment of every sum in one period is added again.
//
// All sums of a run are in one array (SumPlaces): for every rank its RankSums and its times by phase of the program,
// then the waits for each link.
//
// If an activity has not ended (a collective or a phase of a rank), the stored sum contains the time of its beginning
// with a negative sign. So the sum up to a cut of virtual time is the stored value plus the cut.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::engine {

enum class RankSum : std::uint8_t {
    compute,
    server_wait,
    nic_wait,
    link_wait,
    collective,
    unexpected_messages,  // number of these messages; not a time
    unexpected_time
};
inline constexpr std::size_t kRankSums = 7;

class SumPlaces {
public:
    explicit SumPlaces(const Layout& layout) : ranks_(layout.ranks), each_(kRankSums + layout.phases) {}

    /// Returns the index of the first RankSum of a rank.
    std::size_t of(Rank rank) const { return rank.index * each_; }
    /// Returns the index of a rank's time in a phase of the program.
    std::size_t of_phase(Rank rank, std::uint32_t phase) const { return rank.index * each_ + kRankSums + phase; }
    /// Returns the index of the sum of all waits for a link.
    std::size_t of_link(LinkServerId link) const { return ranks_ * each_ + link.index; }

private:
    std::size_t ranks_;
    std::size_t each_;  // number of sums per rank
};

/// Returns the sums of a rank that has been simulated up to `cut`, by RankSum.
inline std::array<std::int64_t, kRankSums> rank_sums(const State& state, Rank rank, std::int64_t cut) {
    const RankLine& line = state.ranks[rank];
    const RankStatistics& statistics = state.statistics[rank];
    return {statistics.compute,
            line.server_wait,
            line.nic_wait,
            statistics.link_wait,
            statistics.collective + (line.collective_position > 0 ? cut : 0),
            statistics.unexpected_messages,
            statistics.unexpected_time};
}

/// Returns the time that a rank, simulated up to `cut`, has spent in a phase of the program.
inline std::int64_t phase_sum(const Layout& layout, const State& state, Rank rank, std::uint32_t phase,
                              std::int64_t cut) {
    const RankLine& line = state.ranks[rank];
    const bool lasts = line.state != RankState::done && layout.phase_at[line.at] == phase;
    return state.phase_times[phase_place(layout, rank, phase)] + (lasts ? cut : 0);
}

/// Calls `each(index, picoseconds)` for every sum of the simulation up to `cut`, in the order of indices.
template <typename Each>
void for_each_sum(const Layout& layout, const State& state, std::int64_t cut, Each&& each) {
    std::size_t place = 0;
    for (const Rank rank : layout.all_ranks()) {
        for (const std::int64_t sum : rank_sums(state, rank, cut)) each(place++, sum);
        for (std::uint32_t phase = 0; phase < layout.phases; ++phase) {
            each(place++, phase_sum(layout, state, rank, phase, cut));
        }
    }
    for (const std::int64_t wait : state.link_waits) each(place++, wait);
}

/// The skipped iterations of a run.
struct Skipped {
    WideTime time;
    std::int64_t iterations = 0;
    std::uint64_t messages = 0;  // number of messages in these iterations
    std::vector<Wide> sums;      // increments of all sums, by SumPlaces; empty if nothing was skipped

    Wide sum(std::size_t place) const { return sums.empty() ? 0 : sums[place]; }
};

}  // namespace warpfront::engine
