// The reference engine: the same program on the same machine, but time is SimGrid's. One s4u actor per rank walks the
// rank's instructions; what it sends are SimGrid communications through mailboxes, flows over the links of a platform
// that SimGrid shares out by its own solver. It is slow (some 10^5 messages per second) and meant for small machines,
// to judge the event engine by code that shares none of its queues, windows and wake-ups.
//
// What means the same as in the event engine
//   processor   compute, o_send, o_recv + S*G_recv are sleeps of the actor
//   eager       after o_send a flow of S bytes sets out, no faster than 1/G; the data is there when it has passed
//               unhindered plus L; the receiver takes it when both it and the receive are there
//   rendezvous   the actor takes a semaphore that the receiver raises when it posts; the flow sets out L after that or
//               after the request has come, o_send + L
//   isend       a rendezvous is met by an actor of its own; what holds a bus, a NIC or links leaves when its rank waits
//   latency     L and the latency of the route beyond L are slept for, because the rows of a profile have different
//               ones
//   order       one mailbox per channel, so messages of a channel never overtake
//   in a node   no flow: what is sent lies in a queue, and is there when S*G + L are over
//   bus         a queue of its own per group of cores (bus.hpp), as SimGrid knows no memory bus; only waiting adds
//   allreduce   the messages of network/allreduce.hpp
//
// What is shared, and differs: queues against flows
//   NIC         one link out and one link in per group of cores, as fast as injection and ejection
//   links       the platform's links, one SimGrid link each, `parallel` times as fast where it is a bundle; routes are
//               the machine's, so a grown platform (`size: fit`) is built here as it was grown
//   A message crosses what its row holds. All flows on a link share its bandwidth evenly at all times (max-min), where
//   the event engine serves messages one after another. By how much a flow is later than alone, that much later is the
//   message; nobody else is kept waiting: not its sender (whom the event engine keeps until the NIC injects, or a
//   circuit is there); packets, the choice among parallel links and arbitration have no meaning. The hold of an
//   unhindered flow lies within o, S*G and S*G_recv, as everywhere; where it is longer, the end of the flow counts.
//
// SimGrid is told network/model:CM02, crosstraffic:0, weight-S:0, TCP-gamma:1e15, surf/precision:1e-13: a flow takes
// S / bandwidth and nothing else.
//
// Tolerance. Each rank keeps its clock in whole picoseconds and rounds SimGrid's seconds whenever it looks at them, so
// errors do not add up. Seconds in a double are good for 10^-13 s up to 450 s: until then, where nobody shares a NIC
// or a link, every time equals the event engine's to the picosecond (on a shared bus, if messages between nodes have
// some latency); later up to a few units in the last place of a double.
//
// SimGrid runs in a forked child (end_to_end/child.hpp), since it aborts where it does not like something.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::reference {

inline constexpr std::uint64_t kMostRanks = 4096;
inline constexpr std::uint64_t kMostSteps = 1'000'000'000;  // instructions of all ranks, loops multiplied

struct Outcome {
    enum class End : std::uint8_t { finished, deadlock, overflow } end = End::finished;
    record::Record record;  // where finished; without a breakdown, whose parts flows do not tell apart
    WideTime bus_wait;      // of the rank that finishes last: queued for its bus, outside collectives
    WideTime flow_wait;     // ... waited for messages because their flows met others, outside collectives
    std::vector<record::Blocked> blocked;  // of a deadlock, by rank
};

/// Throws BadInput at `place` where the run is too large (reference_limits) or the machine's rows hold NIC and links in
/// ways that one route cannot have (reference_holds), std::overflow_error where a cost is longer than one may be, and
/// std::runtime_error where SimGrid fails.
Outcome run(const program::Program& program, const machine::Machine& machine, const input::SourceRange& range);

}  // namespace warpfront::reference
