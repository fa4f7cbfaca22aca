// The plug-and-play model of a pipelined wavefront code (Mudalige 2009, chapter 4, tables 4.2, 4.7, 4.8). One iteration
// consists of the fills for which sweeps must wait, the stacks of tiles, and the part without wavefronts:
//
//   T_iteration    = fills + n_sweeps * T_stack + T_nonwavefront
//   fills          = n_diag * T_diagfill + n_full * T_fullfill          (fill.hpp)
//   T_stack        = (Recv_W + Recv_N + W + Send_E + Send_S + W_pre + contention) * tiles - W_pre
//   contention     = holds_x * I(east_west) + holds_y * I(north_south)  (patch.hpp), I(S) = o_dma + S * G_dma
//   T_nonwavefront = allreduces * T_allreduce + sum of Total_off(exchange) + other
//
// The closed form `plug-and-play` takes every rank to be on a node of its own, so every message crosses the network and
// nothing is shared; `cmp` (cmp.hpp) has the ranks on nodes as they are.
//
// n_diag and n_full are not parameters: they follow from the order of the corners. The next sweep can start once the
// fill has reached its corner; the last sweep of an iteration must reach its far corner. T_stack is charged with
// off-node messages for every patch, as published: the slowest ranks are at a node's edge. On an array of one row or
// one column the messages of the missing direction are dropped.
#pragma once

#include "simulator/analytic/fill.hpp"
#include "simulator/analytic/inputs.hpp"
#include "simulator/analytic/phases.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/wavefront.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

/// One tile of a rank in the steady state, bus contention separate.
struct SteadyTile {
    WideTime uncontended;  // Recv_W + Recv_N + W + Send_E + Send_S + W_pre
    WideTime contention;
};
SteadyTile steady_tile(const program::WavefrontPhase& phase, const TileCosts& tile, const machine::Machine& machine);

/// The sum of the fills before each next sweep can start.
WideTime fills(const program::WavefrontPhase& phase, const TileCosts& tile, const NeighbourLocalities& localities);

/// Allreduces, exchanges with neighbours and other compute of an iteration. Throws BadInput (closed_form_overflow).
WideTime nonwavefront(const program::WavefrontPhase& phase, const machine::Machine& machine);

/// One iteration of `phase`, which must be in range (tiles >= 1, nothing negative).
/// Throws BadInput (closed_form_overflow).
Iteration iteration_of(const program::WavefrontPhase& phase, const machine::Machine& machine,
                       const NeighbourLocalities& localities);

/// The machine's ranks with a node each: profiles and placement only, nothing shared, no routes.
machine::Machine one_rank_per_node(const machine::Machine& machine);

/// All phases with one rank per node. Throws BadInput (closed_form_overflow).
Prediction plug_and_play(const Inputs& inputs);

}  // namespace warpfront::analytic
