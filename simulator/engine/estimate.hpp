// What a run will need, counted from program and machine without running or allocating it.
//
// Memory. What the layout and the state allocate follows from the ranks, channels, nodes and collective steps; arrays
// that grow while they are filled are counted up to the power of two that they grow to. What depends on the course of
// the run is taken at a round figure: where a resource is shared every node has a request in a window of its own, the
// node reaches its neighbours by four links of its own, and where it is observed every rank has one message coming
// in and one post out; no message is queued behind another.
//
// Messages. A full replay steps all, and so does a run whose noise does not recur. With skip-ahead (recurrence.hpp) the
// first loop of iterations is taken to be stepped three times: the state at the end of its first iteration is seen
// again at the end of the second, and what is skipped then leaves one to finish the loop with. A later loop is stepped
// twice, since the state that it begins with was observed at the end of the loop before. Where nothing is shared any
// loop is stepped twice: the ranks are held at the end of the second iteration, and so finish the loop with it. A state
// that takes longer to recur is stepped further, at most to the end.
#pragma once

#include <cstdint>

#include "simulator/engine/parallel/options.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::engine {

/// Point to point, and those that collectives are made of.
struct Messages {
    std::uint64_t of_model = 0;
    std::uint64_t of_collectives = 0;

    std::uint64_t all() const { return of_model + of_collectives; }
};

/// The messages of a whole run. Throws std::overflow_error.
Messages count_messages(const program::Program& program);

/// Bytes of the engine's state, as record::Work::state_bytes counts them at the end of a run, and of the critical path
/// where it is followed.
std::uint64_t estimate_bytes(const program::Program& program, const machine::Machine& machine, const Options& options);

/// Bytes of the state for so many messages that wait at once for their receivers, beyond those of estimate_bytes.
std::uint64_t queue_bytes(std::uint64_t messages);

/// The messages of the iterations that will be stepped; at most all. Throws std::overflow_error.
Messages estimate_messages_stepped(const program::Program& program, const machine::Machine& machine,
                                   const Options& options);

}  // namespace warpfront::engine
