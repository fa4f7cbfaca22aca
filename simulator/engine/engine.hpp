// The event engine, which executes every rank's program in virtual time on a machine.
//
// README.md describes the stages of a message. It links to the proofs for order, windows and skipped iterations.
#pragma once

#include "simulator/engine/parallel/options.hpp"
#include "simulator/engine/state/failures.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"

namespace warpfront::engine {

/// Runs the whole program. The result depends only on program, machine, noise and seed. Throws Deadlock, TimeOverflow
/// or MemoryExhausted, and Interrupted if the monitor stops the run.
record::Record run(const program::Program& program, const machine::Machine& machine, const Options& options);

}  // namespace warpfront::engine
