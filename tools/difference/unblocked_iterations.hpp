// Iterations of the run without back-pressure (unblocked_run.hpp) that repeat an earlier one, up to a shift in time.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/program/execution.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tools {

/// All that a later iteration depends on, where no message is on the way.
struct IterationState {
    std::vector<program::Position> positions;
    std::vector<WideTime> times;  // clocks, then times of isends and irecvs
};

/// Trips of the outermost loop that are known from two marks of all ranks: each rank is one trip further in the same
/// loop, and all times are later by the same. Those that remain, the same number for all ranks, or 0.
std::int64_t known_trips(const IterationState& before, const IterationState& now);

}  // namespace warpfront::tools
