// Walks a scenario's program before its simulation. Within milliseconds this finds ranks that wait for each other and
// ranks that may run ahead of their receivers, with their statements.
//
// A program with few instructions is walked on its own ranks. Each message has the protocol that the machine selects
// for its size and its two ranks. If this walk deadlocks, `run` deadlocks, and if the walk ends, `run` ends. This is
// not true if messages are received in the order of arrival, because only one order is walked.
//
// The model is also walked on 2 x 2 and 3 x 3 ranks (2 x 2 x 2 and 3 x 3 x 3 if the scenario has several planes), where
// cycles are short. On these ranks a message is buffered if any message of its statement is buffered on the scenario's
// own ranks and machine. At most three iterations of the model are walked. Longer loops are shortened to three
// iterations, if messages still match. There is no result for a model that does not accept so few ranks, or that needs
// too many instructions. Analytic regions take no time. Regions that replay traces do nothing, because the traces are
// valid for another number of ranks. A finding on few ranks need not occur on the ranks of the scenario, and vice
// versa. Therefore messages name the small number of ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/input/diagnostic.hpp"
#include "tools/answer/experiment/experiment.hpp"

namespace warpfront::tools {

struct SmallInstances {
    /// Errors for ranks that wait forever, one for each statement of a cycle. Empty if the scenario itself is certain
    /// to end.
    input::Diagnostics stuck;
    /// Three notes; each is empty if there is nothing to report. `deadlock` describes a deadlock on few ranks, even if
    /// the scenario itself ends. The second is about a model that ends only if messages are buffered, and the third
    /// about a rank that may run ahead.
    std::string deadlock;
    std::string eager_only;
    std::string run_ahead;
    /// The number of messages that may be queued at once on all channels, if a sender that runs ahead finishes before
    /// its receivers take any message.
    std::optional<std::uint64_t> queued;
};
/// The least number of ranks for which `run` walks small instances before the simulation.
inline constexpr std::uint32_t kManyRanks = 1024;

/// Walks the small instances. Traces have a fixed number of ranks, so they are walked only on their own ranks.
SmallInstances walk_small_instances(const Experiment& prepared);

}  // namespace warpfront::tools
