// The needs of a run, counted from program and machine without running or allocating it.
//
// Memory. The allocations of layout and state follow from the ranks, channels, nodes and collective steps; arrays that
// grow while they are filled are counted up to the power of two that they grow to. Some parts depend on the course of
// the run. They are estimated with these assumptions: no message is queued behind another; if a resource is shared,
// every node has a request in a window of its own, and reaches its neighbours by four own links; if the state is
// observed, every rank has one incoming message and one outgoing post.
//
// Messages. A full simulation simulates all messages, and so does a run whose noise does not recur. With skip-ahead
// (recurrence.hpp), three iterations of the first loop are assumed to be simulated: the state at the end of its first
// iteration recurs at the end of the second, and one remains to finish the loop after skipping. Of every later loop two
// iterations are simulated, since the state at its beginning was already observed at the end of the previous loop. If
// ranks are paused between iterations (simulation.hpp), loops are skipped to their ends, so two iterations of the first
// loop and one iteration of every later loop are simulated. If the draws of noise repeat after R iterations, the state
// recurs after R more iterations, and a remainder of fewer than R iterations is simulated at the end of a loop. If the
// state takes longer to recur, more iterations are simulated, at most all.
#pragma once

#include <cstdint>

#include "simulator/engine/parallel/options.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::engine {

/// The number of point-to-point messages, and the number of messages of collectives.
struct Messages {
    std::uint64_t of_model = 0;
    std::uint64_t of_collectives = 0;

    std::uint64_t all() const { return of_model + of_collectives; }
};

/// Counts the messages of a whole run. Throws std::overflow_error.
Messages count_messages(const program::Program& program);

/// Returns the bytes of the engine's state, as record::Work::state_bytes counts them at the end of a run, and of the
/// critical path if it is requested.
std::uint64_t estimate_bytes(const program::Program& program, const machine::Machine& machine, const Options& options);

/// Returns the bytes of `messages` messages that are queued at the same time, in addition to the bytes that
/// estimate_bytes returns.
std::uint64_t queue_bytes(std::uint64_t messages);

/// Estimates the number of messages in the iterations that will be simulated, at most the messages of the whole run.
/// Throws std::overflow_error.
Messages estimate_messages_stepped(const program::Program& program, const machine::Machine& machine,
                                   const Options& options);

}  // namespace warpfront::engine
