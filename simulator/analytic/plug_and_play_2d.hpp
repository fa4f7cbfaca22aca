// The plug-and-play model of a two-dimensional grid on an array of one row, or one column, of ranks (Mudalige 2009,
// section 7.4): one receive and one send per tile, each message between nodes.
//
//   Start(1)    = W_pre
//   Start(i)    = Start(i-1) + W + Total
//   T_stack     = (Recv + W + Send + W_pre) * tiles - W_pre
//   T_iteration = n_full * Start(n) + n_same * Start(1) + n_sweeps * T_stack + T_nonwavefront
//
// n_same counts the sweeps whose successor starts at the same end; there is no diagonal. Start(n) has a closed form,
// W_pre + (n - 1) * (W + Total), so nothing is stepped. A rank alone has no messages.
#pragma once

#include <optional>
#include <string>

#include "simulator/analytic/inputs.hpp"
#include "simulator/analytic/phases.hpp"
#include "simulator/program/wavefront.hpp"

namespace warpfront::analytic {

/// Nothing, or why the form does not apply: the array has rows and columns.
std::optional<std::string> not_one_dimensional(const Inputs& inputs);

/// Throws BadInput (closed_form_overflow).
Prediction plug_and_play_2d(const Inputs& inputs);

}  // namespace warpfront::analytic
