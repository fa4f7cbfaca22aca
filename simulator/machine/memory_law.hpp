// The slowdown of cores that share memory bandwidth (machine::Memory). While k cores of a group compute, each of them
// computes f(k) times as slowly as alone: f(k) = max(B, k*d) / B. B is the bandwidth of the group, and d the demand of
// one computing core; both are whole bytes per second. If k changes to k' at time t, the remaining time of every block
// changes:
//
//   end - t  ->  (end - t) * f(k') / f(k)          exactly, then rounded up to the picosecond
//
// So each change delays an end by less than a picosecond beyond the exact value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "simulator/machine/profile.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct MemoryLaw {
    std::int64_t bandwidth = 1;  // B
    std::int64_t per_core = 0;   // d

    static MemoryLaw of(const Memory& memory) {
        const auto whole = [](Bandwidth each) {
            return std::max<std::int64_t>(1, std::llround(each.bytes_per_second));
        };
        return {whole(memory.bandwidth), whole(memory.per_core)};
    }

    /// Returns true if this many computing cores need more than the bandwidth.
    bool saturated_by(std::int64_t cores) const { return Wide{cores} * per_core > bandwidth; }

    /// Returns the remaining picoseconds of a block if the number of computing cores changes from `from` to `to`. The
    /// result is at most kHorizon.
    std::int64_t stretched(std::int64_t remaining, std::int64_t from, std::int64_t to) const {
        const auto weight = [&](std::int64_t cores) { return std::max(Wide{bandwidth}, Wide{cores} * per_core); };
        const Wide before = weight(from);
        const Wide product = Wide{remaining} * weight(to);
        return static_cast<std::int64_t>(std::min((product + before - 1) / before, Wide{kHorizon.ps}));
    }
};

}  // namespace warpfront::machine
