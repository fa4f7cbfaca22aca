// Ranks of different speed in the plug-and-play model (Mudalige 2009, section 7.4). A share P_r of the ranks works W_r
// on a tile:
//
//   fill   W replaced by sum P_r W_r, the mean: a front crosses ranks of all kinds
//   stack  W replaced by max W_r: in the steady state the slowest rank sets the pace
//
// W_r = W / speed of the class, W_pre alike; other compute of an iteration takes as long as on the slowest. Ranks stand
// on nodes as in cmp.hpp. An approximation: whether a slow rank delays the front depends on where it stands, which the
// event engine steps.
#pragma once

#include <optional>
#include <string>

#include "simulator/analytic/inputs.hpp"
#include "simulator/analytic/phases.hpp"

namespace warpfront::analytic {

/// The phase with all its computing taken `factor` times. Throws BadInput (closed_form_overflow).
program::WavefrontPhase slower(program::WavefrontPhase phase, double factor);

/// Nothing, or why the form does not apply: the scenario has no classes of ranks, or a cost map.
std::optional<std::string> not_heterogeneous(const Inputs& inputs);

/// Throws BadInput (closed_form_overflow).
Prediction heterogeneous(const Inputs& inputs);

}  // namespace warpfront::analytic
