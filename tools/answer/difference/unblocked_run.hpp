// A run in which a rank waits only for messages that it receives. A sender never waits for its receiver. No bus, NIC,
// link, memory or eager limit is shared, and computing does not vary. Compared with this run, the event engine has the
// back-pressure of rendezvous messages.
//
// The costs are those of analytic/message.hpp. A rank begins to send at s. Another rank posts the receive at p and
// waits for the message from w on:
//
//   the sender resumes at      s + Send                 (isend: after o_send + S*G_send; its wait ends at s + Send)
//   the data arrives at        a = s + Total - take     take = o_recv + S*G_recv
//   the receiver resumes at    max(w, p + lag, a) + take
//   lag, rendezvous            Recv - take              acknowledgement and data begin at the post
//   lag, eager, as simulated   0
//   lag, eager, by formulas    Recv - take = L        (the formulas of the closed form)
//
// Messages have no latency beyond L. A simulated allreduce consists of the messages of
// collectives/recursive_doubling.hpp. With formulas, all ranks leave the allreduce allreduce_time
// (analytic/message.hpp) after the last rank has entered it.
//
// Ranks only wait for messages, so they may be simulated in any order. They run in turn; each runs until a message is
// missing. Iterations are skipped once an iteration has shifted the clocks of all ranks by the same time and left no
// message in flight. The equations are linear in max and plus, so every further iteration of this loop shifts the
// clocks by the same time again.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tools {

/// The source of the costs of receives and allreduces: simulation or the closed form.
enum class MessageFormulas : std::uint8_t { simulated, closed_form };

/// Returns the finish time of every rank. `program` must not deadlock on any machine, and `machine` must have a
/// placement for its ranks. Throws BadInput if a cost is too long, and engine::Interrupted after Ctrl-C.
std::vector<WideTime> unblocked_run(const program::Program& program, const machine::Machine& machine,
                                    MessageFormulas formulas);

}  // namespace warpfront::tools
