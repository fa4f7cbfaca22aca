// The closed form `analytic`: the plug-and-play model with everything of a machine that has a closed-form term here,
// the patches of ranks on nodes and their buses (cmp.hpp) and shared memory bandwidth (memory.hpp). `run` and `compare`
// set it beside the event engine.
#pragma once

#include "simulator/analytic/phases.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::analytic {

/// The plug-and-play model of plug_and_play.hpp over all phases. `machine` must be placed for `program`'s rank array.
/// Throws BadInput: closed_form_missing (the model declares none), closed_form_range (all values out of range),
/// closed_form_misfit (sweeps on an array of several planes),
/// closed_form_overflow (a term beyond 39 million years).
Prediction predict(const program::Program& program, const machine::Machine& machine);

/// One iteration of a phase in range. Throws BadInput (closed_form_misfit, closed_form_overflow).
WideTime predict(const program::WavefrontPhase& phase, const machine::Machine& machine);

}  // namespace warpfront::analytic
