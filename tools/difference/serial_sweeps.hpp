// The run whose sweeps do not overlap: each fills the pipeline as the closed form says, and the next one begins where
// and when the closed form lets it; only what a sweep takes after its fill is simulated, one sweep at a time.
//
//   T        = sum over phases of iterations * sum over sweeps of [ Start(until) + stack ]  + T_nonwavefront
//   stack    = finish(far) - Start(far)
//   Start    of analytic/fill.hpp; until is the corner where the next sweep begins, far the last one of the sweep
//   finish   of the sweep alone, by unblocked_run.hpp with the formulas of the closed form: for every tile compute
//            W_pre, receive from W, then from N, compute W, send to E, then to S
//
// The closed form has T_stack in place of `stack`: the messages of an interior rank, all between nodes, for every tile.
#pragma once

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/program/wavefront.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tools {

/// One sweep of `phase` from `corner`, as every rank's program.
program::Program sweep_program(const program::WavefrontPhase& phase, program::Corner corner, RankGrid grid);

/// T above. `program` must have a closed form that analytic::predict accepts. Throws as that and unblocked_run do.
WideTime serial_sweeps(const program::Program& program, const machine::Machine& machine);

}  // namespace warpfront::tools
