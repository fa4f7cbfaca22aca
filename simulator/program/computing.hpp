// How much longer the blocks of a program compute than its model says: a correction fitted to measured runs.
//
//   T' = factor * T + per_block      for each block of computing with T > 0, rounded to the picosecond once
//
// `factor` covers what a time per cell measured by itself leaves out (cache and memory traffic of the whole code),
// `per_block` what every block costs whatever its size (loop starts, copying to and from message buffers).
#pragma once

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
void apply(const Computing& computing, Program& program);

}  // namespace warpfront::program
