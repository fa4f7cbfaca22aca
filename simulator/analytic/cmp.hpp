// The CMP extension of the plug-and-play model (Mudalige 2009, tables 4.7 and appendix A): cores of one node as a
// Cx x Cy patch of the array of ranks.
//
//   Start          a message inside the patch takes the on-chip costs: Send_E unless i mod Cx = 0, Total_E unless
//                  i mod Cx = 1, Recv_N and Total_S unless j mod Cy = 1 (fill.hpp, by the locality of each link)
//   T_stack        off-node messages, plus I for each collision on the node's bus (patch.hpp)
//   T_allreduce    stages within a node at its own costs, stages between nodes once per core (allreduce.hpp)
//
// With one rank per node and no bus it is the plug-and-play model.
#pragma once

#include "simulator/analytic/inputs.hpp"
#include "simulator/analytic/phases.hpp"

namespace warpfront::analytic {

/// All phases, ranks on nodes as the machine has them. Throws BadInput (closed_form_overflow).
Prediction cmp(const Inputs& inputs);

}  // namespace warpfront::analytic
