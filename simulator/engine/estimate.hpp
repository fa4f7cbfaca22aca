// The needs of a run, computed from program and machine without running the program or allocating memory.
//
// Memory. The allocations of layout and state follow from the numbers of ranks, channels, nodes and collective steps.
// Arrays that grow while they are filled are counted with the next power of two. Some allocations depend on the course
// of the run. For these it is assumed that no message is queued behind another. If a resource is shared, every node is
// assumed to have a request in a window of its own, and to reach its neighbours by four own links. If the state is
// observed, every rank is assumed to have one incoming message and one outgoing post.
//
// Messages. A run that does not skip iterations simulates all messages, and so does a run whose noise does not recur.
// If iterations are skipped (recurrence.hpp), three iterations of the first loop are expected to be simulated. The
// state at the end of the first iteration recurs at the end of the second, and the last iteration finishes the loop
// after skipping. Two iterations of every later loop are simulated, since the state at its beginning has already been
// observed at the end of the previous loop. If ranks are paused between iterations (simulation.hpp), loops are skipped
// to their ends: two iterations of the first loop and one of every later loop are simulated.
//
// If the draws of noise repeat after R iterations, the state recurs after R more iterations. The end of a loop, fewer
// than R iterations, is also simulated. If the state recurs later, more iterations are simulated.
#pragma once

#include <cstdint>

#include "simulator/engine/parallel/options.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::engine {

/// The numbers of point-to-point messages and of messages of collectives.
struct Messages {
    std::uint64_t of_model = 0;
    std::uint64_t of_collectives = 0;

    std::uint64_t all() const { return of_model + of_collectives; }
};

/// Counts the messages of a whole run. Throws std::overflow_error if a count does not fit its type.
Messages count_messages(const program::Program& program);

/// Returns the bytes of the engine's state at the end of a run, as record::Work::state_bytes counts them. They include
/// the critical path if it is requested.
std::uint64_t estimate_bytes(const program::Program& program, const machine::Machine& machine, const Options& options);

/// Returns the memory for `messages` messages that are queued at the same time. estimate_bytes does not include it.
std::uint64_t queue_bytes(std::uint64_t messages);

/// Estimates how many messages the simulated iterations contain. The result is at most the number of messages of the
/// whole run. Throws std::overflow_error if a count does not fit its type.
Messages estimate_messages_stepped(const program::Program& program, const machine::Machine& machine,
                                   const Options& options);

}  // namespace warpfront::engine
