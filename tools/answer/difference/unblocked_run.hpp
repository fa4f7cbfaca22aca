// A run in which a rank waits only for the senders of messages that it receives: no bus, NIC, link, memory or eager
// limit is shared, no computing varies, and a sender never waits for its receiver. The event engine adds the
// back-pressure of rendezvous to this.
//
// With the costs of analytic/message.hpp, a rank that begins to send at s and one that posts the receive at p and waits
// for it from w on:
//
//   the sender resumes at      s + Send                 (isend: after o_send + S*G_send; its wait ends at s + Send)
//   the data arrives at        a = s + Total - take     take = o_recv + S*G_recv
//   the receiver resumes at    max(w, p + lag, a) + take
//   lag, rendezvous            Recv - take              acknowledgement and data begin at the post
//   lag, eager, as simulated   0
//   lag, eager, by formulas    Recv - take = L        (the formulas of the closed form)
//
// Messages cross no distance beyond L. An allreduce consists of the messages of collectives/recursive_doubling.hpp if
// it is simulated. By the formulas, all ranks leave it allreduce_time (analytic/message.hpp) after the last has
// arrived.
//
// Ranks only wait for messages, so the order in which they are simulated is free. They run in turn, each until it lacks
// a message. Iterations are skipped once one of them has shifted the clocks of all ranks by the same time and left no
// message in flight: the equations are linear in max and plus, so every further iteration of that loop shifts them by
// the same time again.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tools {

/// The source of the costs of receives and allreduces: the simulation or the closed form.
enum class MessageFormulas : std::uint8_t { simulated, closed_form };

/// Returns the finish time of every rank. `program` must be free of deadlock on any machine, and `machine` placed for
/// its ranks. Throws BadInput if a cost is too long, engine::Interrupted after Ctrl-C.
std::vector<WideTime> unblocked_run(const program::Program& program, const machine::Machine& machine,
                                    MessageFormulas formulas);

}  // namespace warpfront::tools
