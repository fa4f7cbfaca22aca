// Sweep3D on the IBM SP/2 (Sundaram-Stukel and Vernon, Predictive Analysis of a Wavefront Application Using LogGP,
// PPoPP 1999). There are n x m ranks, each on its own node, and tiles = kblocks * anglegroups per octant.
//
//   eager       Total = o + S*G + L + o             Send = o        Recv = o
//   rendezvous  Total = Send + S*G + L + o_l        Send = o + L + o + o + L + o_l
//                                                   Recv = o + L + o_l + S*G + L + o_l
//   Start(i,j)  as in fill.hpp, with these costs
//   T56 = Start(1,m)   + 2 [W + Send_E + Recv_N          + (m-1) L           ] * tiles
//   T78 = Start(n-1,m) + 2 [W + Send_E + Recv_W + Recv_N + (m-1) L + (n-2) L ] * tiles + Recv_W + W
//   T   = 2 (T56 + T78)
//
// Recv of an eager message is only o; the later plug-and-play model charges L + o (message.hpp). The terms with (m-1) L
// and (n-2) L are synchronisation: late acknowledgements of rendezvous delay later ranks. (m-1) L is due to messages
// from north to south, and (n-2) L to messages from east to west. Each term is zero if these messages are eager.
//
// On SMP nodes of 2 x 2 ranks (`sp2-loggp-smp`), L is L_local within a node and L_remote between nodes. The parity of i
// and j selects one of them, for rank (1, m) in T56 and for rank (n-1, m) in T78. As published, both Recv_W of T78 use
// L_local, for any parity of n. Both synchronisation terms use L_avg = (L_local + L_remote) / 2, rounded down to the
// picosecond. (1, 1) is the rank at the corner where the last two octants start. All four pairs of octants of the model
// are identical.
//
// The model covers the sweeps only, without the work between iterations.
#pragma once

#include <optional>
#include <string>

#include "simulator/analytic/message.hpp"
#include "simulator/analytic/phases.hpp"

namespace warpfront::analytic {

/// Returns Send, Recv and Total by the equations above. Throws BadInput (closed_form_overflow).
MessageParts sp2_message_parts(const machine::ProfileRow& row, Bytes size);

/// Returns the reason why the form does not apply, or nothing: sweeps in another order than Sweep3D's, work before the
/// receives, or fewer than two ranks in a direction.
std::optional<std::string> not_sweep3d(const Inputs& inputs);
/// Returns the reason why the form does not apply, or nothing: the reasons of not_sweep3d, or nodes without 2 x 2
/// ranks.
std::optional<std::string> not_sweep3d_on_smps(const Inputs& inputs);

/// The predictions of a run by the two forms. Both functions throw BadInput (closed_form_overflow).
Prediction sp2_loggp(const Inputs& inputs);
Prediction sp2_loggp_smp(const Inputs& inputs);

}  // namespace warpfront::analytic
