// The blocks of computing of a program, and a correction of their times that is fitted to measured runs.
//
//   T' = factor * T + per_block      for each block of computing with T > 0, rounded to the picosecond once
//
// `factor` covers costs that an isolated measurement of the time per cell does not contain: cache and memory traffic of
// the whole code. `per_block` is a fixed cost of every block: loop starts, copying to and from message buffers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "simulator/program/program.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::program {

struct Computing {
    double factor = 1.0;  // factor of the time of each block; above 0
    Time per_block{};     // time added to each block; at least 0
    friend bool operator==(const Computing&, const Computing&) = default;
};

/// Applies the correction to every block of computing. The parameters of the closed form do not change. Throws
/// std::overflow_error if a block exceeds kLongestCost.
inline void apply(const Computing& computing, Program& program) {
    if (computing == Computing{}) return;
    for (RankClass& rank_class : program.classes) {
        for (Instruction& step : rank_class.code) {
            if (!computes(step.op) || step.amount == 0) continue;
            const double scaled = std::round(computing.factor * static_cast<double>(step.amount));
            if (!(scaled + static_cast<double>(computing.per_block.ps) <= static_cast<double>(kLongestCost.ps))) {
                throw std::overflow_error("a calibrated compute block takes longer than 6.7 days");
            }
            step.amount = static_cast<std::int64_t>(scaled) + computing.per_block.ps;
        }
    }
}

/// Returns the length of the shortest block that takes time; nothing if no rank has one.
inline std::optional<Time> shortest_block(const Program& program) {
    std::optional<Time> shortest;
    for (const RankClass& rank_class : program.classes) {
        for (const Instruction& step : rank_class.code) {
            if (step.op != Op::compute || step.amount == 0) continue;
            shortest = std::min(shortest.value_or(Time{step.amount}), Time{step.amount});
        }
    }
    return shortest;
}

}  // namespace warpfront::program
