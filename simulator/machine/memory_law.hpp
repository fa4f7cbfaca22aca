// The slowdown of cores that share memory bandwidth (machine::Memory). While k cores of a group compute, each computes
// 1/f(k) times as fast as alone: f(k) = max(B, k*d) / B, with B the bandwidth of the group and d the demand of one
// computing core, both in whole bytes per second. When k becomes k', at time t, the time that remains of every block
// that has begun becomes
//
//   end - t  ->  (end - t) * f(k') / f(k)          exactly, then rounded up to the picosecond
//
// so an end moves by less than a picosecond per change beyond the law.
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

    /// Returns true if this many computing cores draw more than the bandwidth.
    bool saturated_by(std::int64_t cores) const { return Wide{cores} * per_core > bandwidth; }

    /// Returns the remaining picoseconds of a block when `to` cores compute instead of `from`; at most kHorizon.
    std::int64_t stretched(std::int64_t remaining, std::int64_t from, std::int64_t to) const {
        const auto weight = [&](std::int64_t cores) { return std::max(Wide{bandwidth}, Wide{cores} * per_core); };
        const Wide before = weight(from);
        const Wide product = Wide{remaining} * weight(to);
        return static_cast<std::int64_t>(std::min((product + before - 1) / before, Wide{kHorizon.ps}));
    }
};

}  // namespace warpfront::machine
