// The time of every rank by phase of the program. A rank is in the phase of the instruction that it stands at
// (Layout::phase_at), from its clock at the mark that begins it to its clock at the next mark. A time has the clock of
// its beginning taken off while its phase lasts, so that up to a cut of virtual time it is the sum and the cut.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"

namespace warpfront::engine {

inline std::size_t phase_place(const Layout& layout, std::uint32_t rank, std::uint32_t phase) {
    return std::size_t{rank} * layout.phases + phase;
}

/// The rank leaves the phase that it is in and is in `phase` from its clock on.
inline void begin_phase(const Layout& layout, State& state, std::uint32_t rank, const RankLine& line,
                        std::uint32_t phase) {
    state.phase_times[phase_place(layout, rank, layout.phase_at[line.at])] += line.clock;
    state.phase_times[phase_place(layout, rank, phase)] -= line.clock;
}

/// The rank has finished.
inline void end_phases(const Layout& layout, State& state, std::uint32_t rank, const RankLine& line) {
    if (layout.phases > 0) state.phase_times[phase_place(layout, rank, layout.phase_at[line.at])] += line.clock;
}

/// Of what was stepped, up to `cut`.
inline std::int64_t phase_time_until(const Layout& layout, const State& state, std::uint32_t rank, std::uint32_t phase,
                                     std::int64_t cut) {
    const RankLine& line = state.ranks[rank];
    const bool lasts = line.state != RankState::done && layout.phase_at[line.at] == phase;
    return state.phase_times[phase_place(layout, rank, phase)] + (lasts ? cut : 0);
}

}  // namespace warpfront::engine
