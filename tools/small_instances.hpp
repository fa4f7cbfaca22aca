// A scenario's model walked on 2 x 2 and 3 x 3 ranks before it is stepped on many: ranks that wait for each other, and
// ranks that may run ahead of those that they send to, are found in milliseconds, with their statements.
//
// At most three iterations are walked. A model that does not accept so few ranks, or takes too many instructions, has no
// answer. Analytic regions take no time there, and regions fed from traces, which are of other ranks, do nothing. What is
// found there need not happen on the ranks of the scenario, and the reverse; so it is said as what it is.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/input/diagnostic.hpp"
#include "tools/experiment.hpp"

namespace warpfront::tools {

struct SmallInstances {
    /// Ranks that wait for ever though every message is buffered: one fault for each statement of a cycle.
    input::Diagnostics stuck;
    /// Each empty where there is nothing to say: the same as text; on what ends only where messages are buffered; on a
    /// rank that may run ahead.
    std::string deadlock;
    std::string eager_only;
    std::string run_ahead;
};
/// Ranks from which on `run` walks them before it steps.
inline constexpr std::uint32_t kManyRanks = 1024;

/// Nothing for traces, which have the ranks that they have.
SmallInstances walk_small_instances(const Experiment& prepared);

}  // namespace warpfront::tools
