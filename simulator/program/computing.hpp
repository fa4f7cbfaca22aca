// How much longer the blocks of a program compute than its model says: a correction fitted to measured runs.
//
//   T' = factor * T + per_block      for each block of computing with T > 0, rounded to the picosecond once
//
// `factor` covers what a time per cell measured by itself leaves out (cache and memory traffic of the whole code),
// `per_block` what every block costs whatever its size (loop starts, copying to and from message buffers).
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "simulator/program/program.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::program {

struct Computing {
    double factor = 1.0;  // above 0
    Time per_block{};     // at least 0
    friend bool operator==(const Computing&, const Computing&) = default;
};

/// Applies the law to every block of the rank programs. The closed form's parameters stay. Throws std::overflow_error
/// if a block exceeds kLongestCost.
inline void apply(const Computing& computing, Program& program) {
    if (computing == Computing{}) return;
    for (RankClass& rank_class : program.classes) {
        for (Instruction& step : rank_class.code) {
            if (step.op != Op::compute || step.amount == 0) continue;
            const double scaled = std::round(computing.factor * static_cast<double>(step.amount));
            if (!(scaled + static_cast<double>(computing.per_block.ps) <= static_cast<double>(kLongestCost.ps))) {
                throw std::overflow_error("a calibrated compute block takes longer than 6.7 days");
            }
            step.amount = static_cast<std::int64_t>(scaled) + computing.per_block.ps;
        }
    }
}

}  // namespace warpfront::program
