// The steps of an interior rank, combined from several ranks.
//
// On 2 x 2 ranks no rank has all its partners. Each rank performs the steps of an interior rank, except messages that
// would leave the process grid. So the steps of all ranks together contain all steps of an interior rank:
//
//   send east, send south | recv west, send south | recv north, send east | recv west, recv north
//   ->   recv west, recv north, send east, send south
//
// A step is next if it is the next step of all ranks that take part in it. If several steps are next, the one of the
// earliest iteration is chosen, so that iterations remain together; within an iteration it is the first in the code.
// The iteration of a step is estimated from the share of its executions so far, as if all steps were in one loop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "simulator/units/ids.hpp"

namespace warpfront::learning {

/// A step of one rank.
struct Origin {
    Rank rank;
    std::uint32_t step = 0;  // index of the step; the number of steps at the end
};

/// A sequence of symbols, each with a step that performs it.
struct InteriorSteps {
    std::vector<std::uint32_t> symbols;
    std::vector<Origin> origins;
};

/// Two steps that their ranks perform in different orders.
struct MergeConflict {
    Origin step;
    Origin other;  // the step of another rank that should have the same step here
};

struct MergeRules {
    std::function<bool(std::uint32_t symbol, Rank rank)> takes_part;
    /// returns true if the first symbol precedes the other in the code
    std::function<bool(std::uint32_t symbol, std::uint32_t other)> precedes;
};

/// Combines the symbols of all ranks. Returns nothing if there is no common order. `conflict` is then the first
/// obstacle.
std::optional<InteriorSteps> merged_ranks(const std::vector<std::vector<std::uint32_t>>& ranks, const MergeRules& rules,
                                          MergeConflict& conflict);

}  // namespace warpfront::learning
