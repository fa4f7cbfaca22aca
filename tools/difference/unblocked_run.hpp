// A run in which nobody waits for anybody but the sender of a message that it receives: no bus, NIC, link, memory or
// eager limit is shared, no computing varies, and a sender never waits for its receiver. What the event engine adds to
// this by rendezvous is back-pressure.
//
// With the costs of analytic/message.hpp, a rank that begins to send at s and one that posts the receive at p and waits
// for it from w on:
//
//   the sender goes on at      s + Send                 (isend: after o_send + S*G_send; its wait ends at s + Send)
//   the data arrives at        a = s + Total - take     take = o_recv + S*G_recv
//   the receiver goes on at    max(w, p + lag, a) + take
//   lag, rendezvous            Recv - take              acknowledgement and data begin at the post
//   lag, eager                 0 as simulated; Recv - take = L by the formulas of the closed form
//
// Messages cross no distance beyond L. An allreduce consists of the messages of collectives/recursive_doubling.hpp as
// simulated; by the formulas all ranks leave it allreduce_time (analytic/allreduce.hpp) after the last has come.
//
// Ranks only wait for messages, so their order of stepping is free; they are stepped in turn, each until it lacks a
// message. Iterations are skipped once one has shifted the clocks of all ranks by the same time and left no message on
// the way: the equations are linear in max and plus, so every further trip of that loop shifts them again by it.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tools {

/// Whether receives and allreduces cost what is simulated or what the closed form says.
enum class MessageFormulas : std::uint8_t { simulated, closed_form };

/// The finish of every rank. `program` must be free of deadlock on any machine, `machine` placed for its ranks. Throws
/// BadInput if a cost is too long, engine::Interrupted after Ctrl-C.
std::vector<WideTime> unblocked_run(const program::Program& program, const machine::Machine& machine,
                                    MessageFormulas formulas);

}  // namespace warpfront::tools
