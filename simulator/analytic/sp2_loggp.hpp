// Sweep3D on the IBM SP/2 (Sundaram-Stukel and Vernon, Predictive Analysis of a Wavefront Application Using LogGP,
// PPoPP 1999). n x m ranks, each on a node of its own, tiles = kblocks * anglegroups per octant.
//
//   eager       Total = o + S*G + L + o             Send = o        Recv = o
//   rendezvous  Total = Send + S*G + L + o_l        Send = o + L + o + o + L + o_l
//                                                   Recv = o + L + o_l + S*G + L + o_l
//   Start(i,j)  as in fill.hpp, with these costs
//   T56 = Start(1,m)   + 2 [W + Send_E + Recv_N          + (m-1) L           ] * tiles
//   T78 = Start(n-1,m) + 2 [W + Send_E + Recv_W + Recv_N + (m-1) L + (n-2) L ] * tiles + Recv_W + W
//   T   = 2 (T56 + T78)
//
// An eager Recv is o alone, where the later plug-and-play model charges L + o (message.hpp). The synchronisation terms
// describe rendezvous whose late acknowledgements delay later ranks: (m-1) L of messages in the direction north-south,
// (n-2) L of messages in the direction east-west, each zero if these messages are eager.
//
// SMP nodes of 2 x 2 ranks (`sp2-loggp-smp`): L is L_local within a node and L_remote between nodes, by the parity of i
// and j. A term takes the costs of the rank that it belongs to: in T56 rank (1, m), in T78 rank (n-1, m). As published,
// both Recv_W of T78 take L_local, for any parity of n. Both synchronisation terms take
// L_avg = (L_local + L_remote) / 2, rounded down to the picosecond. Coordinates count from the corner of the last
// octants; all four octant pairs of the model are identical.
//
// The model covers the sweeps only, without the work between iterations.
#pragma once

#include <optional>
#include <string>

#include "simulator/analytic/message.hpp"
#include "simulator/analytic/phases.hpp"

namespace warpfront::analytic {

/// Returns Send, Recv and Total as above. Throws BadInput (closed_form_overflow).
MessageParts sp2_message_parts(const machine::ProfileRow& row, Bytes size);

/// Returns the reason why the form does not apply, or nothing: sweeps in another order than Sweep3D's, work before the
/// receives, or fewer than two ranks in a direction.
std::optional<std::string> not_sweep3d(const Inputs& inputs);
/// Returns the reason why the form does not apply, or nothing: as not_sweep3d, or nodes that do not have 2 x 2 ranks.
std::optional<std::string> not_sweep3d_on_smps(const Inputs& inputs);

/// Predict a run. Each throws BadInput (closed_form_overflow).
Prediction sp2_loggp(const Inputs& inputs);
Prediction sp2_loggp_smp(const Inputs& inputs);

}  // namespace warpfront::analytic
