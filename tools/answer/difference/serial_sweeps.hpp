// A run whose sweeps do not overlap. Each sweep fills the pipeline in the time of the closed form, and the next one
// begins at the place and time of the closed form. Only the part of a sweep after its fill is simulated, one sweep at a
// time.
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

/// Returns one sweep of `phase` from `corner`, as every rank's program.
program::Program sweep_program(const program::WavefrontPhase& phase, program::Corner corner, RankGrid grid);

/// Returns T above. `program` must have a closed form that analytic::predict accepts. Throws the exceptions of both.
WideTime serial_sweeps(const program::Program& program, const machine::Machine& machine);

}  // namespace warpfront::tools
