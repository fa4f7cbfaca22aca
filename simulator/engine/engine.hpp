// The event engine: steps every rank's program through virtual time on a machine.
//
// See simulator/engine/README.md for clocks, event order, windows and skip-ahead.
#pragma once

#include "simulator/engine/parallel/options.hpp"
#include "simulator/engine/state/failures.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"

namespace warpfront::engine {

/// Whether the critical path of a run can be found: not where eager messages wait for buffers, nor where ranks take messages
/// as they come.
bool has_critical_path(const program::Program& program, const machine::Machine& machine);

/// Runs the whole program; the result depends on program, machine, noise and seed alone. Throws Interrupted where the
/// monitor says so, and Deadlock, TimeOverflow, MemoryExhausted.
record::Record run(const program::Program& program, const machine::Machine& machine, const Options& options);

}  // namespace warpfront::engine
