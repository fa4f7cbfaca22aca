// The reference engine: the same program on the same machine, timed by SimGrid. One s4u actor per rank executes the
// rank's instructions. Messages are SimGrid communications through mailboxes: flows over the links of a platform, whose
// bandwidth is shared by SimGrid's solver. The engine is slow (some 10^5 messages per second) and meant for small
// machines. It checks the event engine with code that shares none of its queues, windows and wake-ups.
//
// Equal to the event engine
//   processor    compute, o_send and o_recv + S*G_recv are sleeps of the actor
//   noise        the duration of a block, which may depend on the rank's clock at its beginning (variation/noise.hpp)
//   eager        after o_send a flow of S bytes starts, at most at 1/G; the data arrives L after its unhindered end;
//                the receiver takes it once the receive is posted
//   rendezvous   the actor takes a semaphore that the receiver raises when it posts; the flow starts L after the later
//                of the post and the arrival of the request (o_send + L)
//   isend        a separate actor completes a rendezvous, bus included. Rows that make progress in calls, or whose
//                sender waits for its bytes (`progress`, `sender_goes_on`), are refused
//   copies       the wire carries the bytes of a message without packets while processors copy them: its flow begins
//                with the copying in. A message that may wait between its copying in and its departure, for a post or a
//                bus, has a flow from its departure on, without the bytes that crossed the wire before
//   latency      L and the latency of the route beyond L are sleeps, because the rows of a profile differ in latency
//   order        one mailbox per channel, so messages of a channel never overtake
//   in a node    no flow: the message is put in a queue and is available after S*G + L
//   bus          a queue per group of cores, since SimGrid has no memory bus; only waiting adds time
//   allreduce    the messages of collectives/recursive_doubling.hpp
//
// Different: flows instead of queues
//   NIC          one link out and one link in per group of cores, with the bandwidths of injection and ejection, and
//                with the cables of the machine (machine/routes/routes.hpp)
//   links        one SimGrid link per platform link, `parallel` times as fast if it is a bundle; the routes are the
//                machine's, so a platform that has grown (`size: fit`) is built in its final size
//   A message crosses the links that its row holds. All flows on a link share its bandwidth evenly at all times
//   (max-min); the event engine serves messages one after another. The time of a flow without other flows is part of o,
//   S*G and S*G_recv. If other flows make it longer, the message is delayed by the difference. The sender is never
//   delayed, whereas in the event engine the sender waits until the NIC injects the message. Packets, the choice among
//   parallel links and arbitration have no counterpart
//
// SimGrid's settings: network/model:CM02, crosstraffic:0, weight-S:0, TCP-gamma:1e15, surf/precision:1e-13. With them a
// flow takes S / bandwidth and nothing else.
//
// Tolerance. Each rank keeps its clock in whole picoseconds and rounds SimGrid's seconds at every reading, so errors do
// not add up. Up to 450 s, a double represents seconds with an error below 10^-13 s. Until then every time equals that
// of the event engine to the picosecond, on two conditions: no two flows share a NIC or link at the same time, and, if
// buses are shared, messages between nodes have a latency above zero. Later times differ by a few units in the last
// place of a double.
//
// SimGrid runs in a forked worker (simulator/process/worker_process.hpp), since it aborts on some inputs.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/random.hpp"
#include "simulator/units/time.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::reference {

struct RunOutcome {
    enum class End : std::uint8_t { finished, deadlock, overflow } end = End::finished;
    record::Record record;                 // if finished; without a breakdown, since flows do not provide its parts
    WideTime server_wait;                  // time that the last rank waited for its bus, outside collectives
    WideTime flow_wait;                    // the same for messages that other flows delayed
    std::vector<record::Blocked> blocked;  // the blocked ranks of a deadlock, by rank
};

/// Runs the program. Throws BadInput at `range` if the run is too large (reference_limits), or if the rows of the
/// machine use NIC and links in combinations that one route cannot have (reference_holds). Throws std::overflow_error
/// if a cost, including noise, exceeds its limit. Throws std::runtime_error if SimGrid fails.
RunOutcome run(const program::Program& program, const machine::Machine& machine, const input::SourceRange& range,
               const variation::Noise& noise = {}, Seed seed = {});

}  // namespace warpfront::reference
