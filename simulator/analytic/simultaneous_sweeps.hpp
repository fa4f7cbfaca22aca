// All eight sweeps of an iteration at once, two from each corner (Mudalige 2009, section 7.3). The messages of the two
// sweeps of a corner are combined, so each has twice the bytes. Every message crosses the network.
//
// `simultaneous-sweeps`: every core takes part in all sweeps. A rank works on eta sweeps, as many as have reached it:
//
//   eta(i,j)    = 2; 4 once m/2 < i+j or n/2 < i+j; 8 once i+j >= (m+n)/2
//   Start(1,1)  = eta W_pre
//   Start(i,j)  = max( Start(i-1,j) + eta (W + (Total_E + Recv_N)/2) , Start(i,j-1) + eta (W + (Send_E + Total_S)/2) )
//   T_stack     = 8 [(Recv_W + Recv_N)/2 + W + (Send_E + Send_S)/2 + W_pre] (tiles - (m+n-1)) - W_pre, at least 0
//   T_iteration = 2 n_full Start(n,m) + n_sweeps T_stack + T_nonwavefront
//
// with n_full = n_sweeps = 1, since all sweeps together are one pipeline. This pipeline fills, and drains in the same
// way. While it fills and drains, m + n - 1 tiles of a stack are computed. T_stack is the time of the remaining tiles,
// eight in each step, one of each sweep.
//
// `separate-cores-sweeps`: each of a node's four cores computes the two sweeps of one corner. So each pair of sweeps
// crosses the grid of nodes (here n x m) from corner to corner, at the same time as the others:
//
//   T_iteration = Start(n,m) + T_stack + T_nonwavefront                                       as in plug_and_play.hpp
//
// A core computes the cells of all Cx x Cy ranks of its node for two sweeps. So W and W_pre are those of a rank times 2
// Cx Cy. The bytes of a message are those of a rank times 2 Cy to the east and west, and times 2 Cx to the north and
// south.
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

/// The predictions of a run by the two forms. Both functions throw BadInput (closed_form_overflow).
Prediction simultaneous_sweeps(const Inputs& inputs);
Prediction separate_cores_sweeps(const Inputs& inputs);

}  // namespace warpfront::analytic
