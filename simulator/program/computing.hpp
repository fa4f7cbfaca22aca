// How much longer the blocks of a program compute than its model says: a correction fitted to measured runs.
//
//   T' = f(T) * T + per_block        for each block of computing with T > 0, rounded to the picosecond once
//   f(T) = in_cache.factor           for T <= in_cache.up_to, where that is given; else factor
//
// A block's time grows with its cells, so blocks up to a length are those whose working set the cache holds. `factor` covers what a time per cell measured by itself leaves out (cache and memory traffic of the whole code),
// `per_block` what every block costs whatever its size (loop starts, copying to and from message buffers).
#pragma once

#include <optional>

#include "simulator/program/program.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::program {

/// Blocks that take another factor.
struct InCache {
    Time up_to;           // above 0
    double factor = 1.0;  // above 0
    friend bool operator==(const InCache&, const InCache&) = default;
};

struct Computing {
    double factor = 1.0;                // above 0
    Time per_block{};                   // at least 0
    std::optional<InCache> in_cache{};  // none: all blocks take `factor`
    friend bool operator==(const Computing&, const Computing&) = default;
};

/// Applies the law to every block of the rank programs. The closed form's parameters stay. Throws std::overflow_error
/// if a block exceeds kLongestCost.
void apply(const Computing& computing, Program& program);

}  // namespace warpfront::program
