// Iterations of the run without back-pressure (unblocked_run.hpp) that repeat an earlier one, up to a shift in time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/program/program.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tools {

/// A position in a rank's code, loops included.
struct CodePosition {
    std::size_t at = 0;
    std::array<std::int64_t, program::kMaxLoopDepth> left{};  // trips, the current one included

    friend bool operator==(const CodePosition&, const CodePosition&) = default;
};

/// All that a later iteration depends on, where no message is on the way.
struct IterationState {
    std::vector<CodePosition> positions;
    std::vector<WideTime> times;  // clocks, then times of isends and irecvs
};

/// Trips of the outermost loop that are known from two marks of all ranks: each rank is one trip further in the same
/// loop, and all times are later by the same. Those that remain, the same number for all ranks, or 0.
std::int64_t known_trips(const IterationState& before, const IterationState& now);

}  // namespace warpfront::tools
