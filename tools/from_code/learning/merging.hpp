// The steps of an interior rank, combined from several ranks.
//
// On 2 x 2 ranks no rank has all its partners. Each rank performs the steps of an interior rank without the messages
// that would leave the process grid, so the steps of all ranks together contain all of them:
//
//   send east, send south | recv west, send south | recv north, send east | recv west, recv north
//   ->   recv west, recv north, send east, send south
//
// A step is next if it is the next one of all ranks that take part in it. Of several such steps the one of the earliest
// iteration is taken, so that iterations remain together, and of one iteration the first in the code. The iteration is
// the share of its executions so far, as if all steps were in one loop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "simulator/units/ids.hpp"

namespace warpfront::learning {

/// A step of a rank.
struct Origin {
    Rank rank;
    std::uint32_t step = 0;  // its index among the rank's steps; their number: the end
};

/// A sequence of symbols, with a rank that performs each of them.
struct InteriorSteps {
    std::vector<std::uint32_t> symbols;
    std::vector<Origin> origins;
};

/// The steps of two ranks that are in no common order.
struct MergeConflict {
    Origin step;
    Origin other;  // of a rank that takes part in the step, but has this one instead
};

struct MergeRules {
    std::function<bool(std::uint32_t symbol, Rank rank)> takes_part;
    std::function<bool(std::uint32_t symbol, std::uint32_t other)> precedes;  // in the code
};

/// Combines the symbols of all ranks. Returns nothing if there is no common order; `conflict` is then the first reason.
std::optional<InteriorSteps> merged_ranks(const std::vector<std::vector<std::uint32_t>>& ranks, const MergeRules& rules,
                                          MergeConflict& conflict);

}  // namespace warpfront::learning
