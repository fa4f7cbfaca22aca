// A scenario's program walked before it is stepped: ranks that wait for each other, and ranks that may run ahead of
// those that they send to, are found in milliseconds, with their statements.
//
// Where its instructions are few the program is walked as it is, each message by the protocol that the machine has for
// its size and its two ranks: what is stuck then is what `run` finds, a deadlock, and what ends then ends there. (Not
// where messages are taken as they come, since one order of several is walked.) The model is also walked on 2 x 2 and 3
// x 3 ranks (2 x 2 x 2 and 3 x 3 x 3 if the scenario has several planes), where cycles are short. There a message is
// buffered if any message of its statement is, on the scenario's own ranks and machine. At most three iterations of it
// are walked, and of longer loops three trips, if messages match then. A model that does not accept so few ranks, or
// takes too many instructions, has no answer. Analytic regions take no time there, and regions fed from traces, which
// are of other ranks, do nothing. What is found there need not happen on the ranks of the scenario, and the reverse; so
// it is said as what it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/input/diagnostic.hpp"
#include "tools/experiment/experiment.hpp"

namespace warpfront::tools {

struct SmallInstances {
    /// Ranks that wait for ever: one fault for each statement of a cycle. Empty where the scenario itself is known to
    /// end.
    input::Diagnostics stuck;
    /// Each empty where there is nothing to say: the deadlock as text, also where the scenario itself ends; on what
    /// ends only where messages are buffered; on a rank that may run ahead.
    std::string deadlock;
    std::string eager_only;
    std::string run_ahead;
    /// What may wait at once on all channels, if receivers that a sender may run ahead of take nothing until it is
    /// done.
    std::optional<std::uint64_t> queued;
};
/// Ranks from which on `run` walks them before it steps.
inline constexpr std::uint32_t kManyRanks = 1024;

/// Traces have the ranks that they have, and are walked only as they are.
SmallInstances walk_small_instances(const Experiment& prepared);

}  // namespace warpfront::tools
