// The event engine: steps every rank's program through virtual time on a machine.
//
// README.md says how a message goes through it, and where the arguments stand for order, windows and skipped
// iterations.
#pragma once

#include "simulator/engine/parallel/options.hpp"
#include "simulator/engine/state/failures.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"

namespace warpfront::engine {

/// Runs the whole program; the result depends on program, machine, noise and seed alone. Throws Interrupted where the
/// monitor says so, and Deadlock, TimeOverflow, MemoryExhausted.
record::Record run(const program::Program& program, const machine::Machine& machine, const Options& options);

}  // namespace warpfront::engine
