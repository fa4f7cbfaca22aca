// The plug-and-play model of a pipelined wavefront code (Mudalige 2009, chapter 4, tables 4.2, 4.7, 4.8). One iteration
// consists of the fills for which sweeps must wait, the stacks of tiles, and the part without wavefronts:
//
//   T_iteration    = fills + n_sweeps * T_stack + T_nonwavefront
//   fills          = n_diag * T_diagfill + n_full * T_fullfill          (fill.hpp)
//   T_stack        = (Recv_W + Recv_N + W + Send_E + Send_S + W_pre + contention) * tiles - W_pre
//   contention     = holds_x * I(east_west) + holds_y * I(north_south)  (patch.hpp), I(S) = o_dma + S * G_dma
//   T_nonwavefront = allreduces * T_allreduce + sum of Total_off(exchange) + other
//
// Recv of an eager message contains L (message.hpp). So, as published, T_stack contains a wait of L for each receive of
// each tile. A full pipeline has no such waits: eager sends never wait for their receiver, so the messages of the next
// tile arrive while the receiver computes, and L delays only the fill. The waits are short if L is small compared with
// o and W, as in all published cases. `eager_waits` is their sum, and `overlapped` leaves them out.
//
// n_diag and n_full are not parameters: they follow from the order of the corners. The next sweep can start once the
// fill has reached its corner. The last sweep of an iteration must reach the opposite corner. As published, T_stack
// uses the costs between nodes for every patch, since the slowest ranks are at the edge of a node. On a process grid of
// one row or one column, the messages of the missing direction are left out.
//
// Five closed forms use this iteration:
//
// `plug-and-play` places every rank on a node of its own, so every message crosses the network and nothing is shared.
//
// `cmp`, the CMP extension (table 4.8 and appendix A), places the ranks of one node as a Cx x Cy patch of the process
// grid; with one rank per node and no bus it is `plug-and-play`.
//
//   Start          a message inside the patch takes the on-chip costs: Send_E unless i mod Cx = 0, Total_E unless
//                  i mod Cx = 1, Recv_N and Total_S unless j mod Cy = 1 (fill.hpp, by the locality of each link)
//   T_stack        off-node messages, plus I for each collision on the node's bus (patch.hpp)
//   T_allreduce    stages within a node at its own costs, stages between nodes once per core (message.hpp)
//
// `analytic` is `cmp` with shared memory bandwidth. It assumes that all ranks of a group compute whenever one of them
// does, so all computing takes
//
//   max(1, n * per_core / bandwidth)
//
// times as long as on a single core, where n is the number of ranks of a full node that share the bandwidth. The event
// engine shares the bandwidth only among the ranks that compute (engine/stepping/shared_memory.hpp), so in this respect
// the closed form is an upper bound. `run` and `compare` print it next to the event engine's result.
//
// `overlapped` is `analytic` with shorter tiles in a full pipeline. They contain no waits for eager messages. In a
// direction with only two ranks, no rank both receives and sends, so a tile contains only the longer of Recv and Send.
// NICs and links do not limit the rate of tiles.
//
// `plug-and-play-2d` is for a two-dimensional grid of cells on one row, or one column, of ranks (section 4.5). Each
// tile has one receive and one send, and every message is between nodes.
//
//   Start(1)    = W_pre
//   Start(i)    = Start(i-1) + W + Total
//   T_stack     = (Recv + W + Send + W_pre) * tiles - W_pre
//   T_iteration = n_full * Start(n) + n_same * Start(1) + n_sweeps * T_stack + T_nonwavefront
//
// n_same is the number of sweeps whose successor starts at the same end. There are no diagonal fills. Start(n) has a
// closed form, W_pre + (n - 1) * (W + Total), so no recursion is needed. A single rank has no messages.
#pragma once

#include <optional>
#include <string>

#include "simulator/analytic/fill.hpp"
#include "simulator/analytic/phases.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

/// One tile of a rank in the steady state, with bus contention separate.
struct SteadyTile {
    record::PathParts uncontended;  // Recv_W + Recv_N + W + Send_E + Send_S + W_pre
    WideTime contention;
    record::PathParts eager_waits{};  // the part of `uncontended` that waits for eager messages
    record::PathParts overlapped{};   // replaces `uncontended` in the form `overlapped`
};
SteadyTile steady_tile(const program::WavefrontPhase& phase, const TileCosts& tile, const machine::Machine& machine);

/// Returns the sum of the fills of an iteration: for each sweep, the fill before the next sweep can start.
record::PathParts fills(const program::WavefrontPhase& phase, const TileCosts& tile,
                        const NeighbourLocalities& localities);

/// Returns the time of allreduces, exchanges with neighbours and other computing of an iteration, with `slowing` as in
/// `computing` (fill.hpp). Throws BadInput (closed_form_overflow).
record::PathParts nonwavefront(const program::WavefrontPhase& phase, const machine::Machine& machine,
                               double slowing = 1.0);

/// Returns one iteration of `phase`, with `slowing` as in `computing` (fill.hpp). All values of the phase must be in
/// range: tiles >= 1, and nothing negative. Throws BadInput (closed_form_overflow).
Iteration iteration_of(const program::WavefrontPhase& phase, const machine::Machine& machine,
                       const NeighbourLocalities& localities, double slowing = 1.0);

/// Returns a machine with one node for each rank: profiles and placement only, nothing shared, no routes.
machine::Machine one_rank_per_node(const machine::Machine& machine);

/// Predicts a run by `plug-and-play` over all phases. Throws BadInput (closed_form_overflow).
Prediction plug_and_play(const Inputs& inputs);

/// Predicts a run by `cmp` over all phases. Throws BadInput (closed_form_overflow).
Prediction cmp(const Inputs& inputs);

/// Predicts a run by `overlapped` over all phases. Throws BadInput (closed_form_overflow).
Prediction overlapped(const Inputs& inputs);

/// Returns the reason why the form does not apply, or nothing: the process grid has rows and columns.
std::optional<std::string> not_one_dimensional(const Inputs& inputs);

/// Predicts a run by `plug-and-play-2d`. Throws BadInput (closed_form_overflow).
Prediction plug_and_play_2d(const Inputs& inputs);

/// Predicts a run by `analytic` over all phases. `machine` must be placed for `program`'s process grid. Throws
/// BadInput: closed_form_missing (the model declares none), closed_form_range (all values out of range),
/// closed_form_misfit (sweeps on a grid of several planes), closed_form_overflow (a term beyond 39 million years).
Prediction predict(const program::Program& program, const machine::Machine& machine);

/// Returns one iteration of a phase in range. Throws BadInput (closed_form_misfit, closed_form_overflow).
WideTime predict(const program::WavefrontPhase& phase, const machine::Machine& machine);

}  // namespace warpfront::analytic
