// All eight sweeps of an iteration at once, two from each corner (Mudalige 2009, section 7.3). The messages of a
// corner's two sweeps travel together, so each has double the bytes; every message crosses the network.
//
// On every core (`simultaneous-sweeps`): a rank works on as many sweeps as have reached it,
//
//   eta(i,j)    = 2; 4 once m/2 < i+j or n/2 < i+j; 8 once i+j >= (m+n)/2
//   Start(1,1)  = eta W_pre
//   Start(i,j)  = max( Start(i-1,j) + eta (W + (Total_E + Recv_N)/2) , Start(i,j-1) + eta (W + (Send_E + Total_S)/2) )
//   T_stack     = 8 [(Recv_W + Recv_N)/2 + W + (Send_E + Send_S)/2 + W_pre] (tiles - (m+n-1)) - W_pre, at least 0
//   T_iteration = 2 n_full Start(n,m) + n_sweeps T_stack + T_nonwavefront
//
// with n_full = n_sweeps = 1, since all sweeps together are one pipeline. It fills and then drains in the same way;
// during these times m + n - 1 tiles of a stack are already done. T_stack works eight tiles per step, one of each
// sweep.
//
// On separate cores (`separate-cores-sweeps`): each of a node's four cores has the two sweeps of one corner. So each
// sweep crosses the grid of nodes, n x m here, from corner to corner beside the others,
//
//   T_iteration = Start(n,m) + T_stack + T_nonwavefront                                       as in plug_and_play.hpp
//
// A node has the cells of its Cx x Cy ranks, so W and W_pre are those of a rank times 2 Cx Cy, and the bytes of
// messages those of a rank times 2 Cy (east and west) and 2 Cx.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/analytic/phases.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::analytic {

/// Returns the number of sweeps that rank (i, j), from 1, works on while the process grid fills.
std::int64_t eta(RankGrid grid, std::uint32_t i, std::uint32_t j);

/// Returns the reason why the forms do not apply, or nothing: the model does not have two sweeps from each corner.
std::optional<std::string> not_eight_sweeps(const Inputs& inputs);

/// Predict a run. Each throws BadInput (closed_form_overflow).
Prediction simultaneous_sweeps(const Inputs& inputs);
Prediction separate_cores_sweeps(const Inputs& inputs);

}  // namespace warpfront::analytic
