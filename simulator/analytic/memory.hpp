// Memory bandwidth in the closed forms: every rank of a group is taken to compute whenever one of them does, so all
// computing takes
//
//   max(1, n * per_core / bandwidth)
//
// times as long as alone, n the ranks of a full node that share the bandwidth. The event engine shares it among those
// that do compute (engine/stepping/shared_memory.hpp), so the closed form is an upper bound in this.
#pragma once

#include "simulator/machine/machine.hpp"
#include "simulator/program/wavefront.hpp"

namespace warpfront::analytic {

/// The phase with its computing slowed. Throws BadInput (closed_form_overflow).
program::WavefrontPhase slowed(program::WavefrontPhase phase, const machine::Machine& machine);

}  // namespace warpfront::analytic
