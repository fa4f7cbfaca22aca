// The walk of a scenario's program before it is simulated. Within milliseconds it finds ranks that wait for each
// other, and ranks that may run ahead of their receivers, with their statements.
//
// If the program has few instructions, it is walked on its own ranks, each message with the protocol that the machine
// has for its size and its two ranks. A deadlock of this walk is a deadlock of `run`, and a walk that ends means that
// `run` ends. (This does not hold if messages are taken in the order of arrival, because only one order is walked.)
//
// The model is also walked on 2 x 2 and 3 x 3 ranks (2 x 2 x 2 and 3 x 3 x 3 if the scenario has several planes), where
// cycles are short. On these ranks a message is buffered if any message of its statement is buffered on the scenario's
// own ranks and machine. At most three iterations of the model are walked, and three iterations of longer loops if
// messages match then. There is no result for a model that does not accept so few ranks, or that takes too many
// instructions. Analytic regions take no time, and regions fed from traces do nothing, because the traces are of
// another number of ranks. A finding on these ranks need not occur on the ranks of the scenario, and the reverse;
// therefore the message names the small number of ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/input/diagnostic.hpp"
#include "tools/answer/experiment/experiment.hpp"

namespace warpfront::tools {

struct SmallInstances {
    /// Ranks that wait for ever: one fault for each statement of a cycle. Empty if the scenario itself is certain to
    /// end.
    input::Diagnostics stuck;
    /// Notes, each empty if there is nothing to report: the deadlock as text, even if the scenario itself ends; a model
    /// that ends only if messages are buffered; a rank that may run ahead.
    std::string deadlock;
    std::string eager_only;
    std::string run_ahead;
    /// The number of messages that may be queued at once on all channels, if a sender that may run ahead
    /// finishes before its receivers take any message.
    std::optional<std::uint64_t> queued;
};
/// The least number of ranks for which `run` walks the small instances before the simulation.
inline constexpr std::uint32_t kManyRanks = 1024;

/// Walks the small instances. Traces have a fixed number of ranks, and are walked only on these.
SmallInstances walk_small_instances(const Experiment& prepared);

}  // namespace warpfront::tools
