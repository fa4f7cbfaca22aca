// The cost of one message in the closed forms. S is its size; the row of the locality's profile for size S applies:
//
//   eager        Send = o_send + S*G_send         Recv = L + o_recv + S*G_recv
//   rendezvous   Send = o_send + S*G_send + h     Recv = L + o_ack + S*G + L + o_recv + S*G_recv
//   both         Total = Send + S*G + L + o_recv + S*G_recv
//
// with h = 2L + o_request + o_ack, for a message of one packet. S*G is S/b if the slowest wire between nodes, of
// bandwidth b, is slower than the table (network/packet_pipeline.hpp). For several packets the pipeline applies
// (network/packet_pipeline.hpp): its flight replaces S*G, and Total includes only the lead of S*G_send. (Mudalige 2009,
// section 4.3 and table 4.5, where h = 2L.) Send is the time that the sender is occupied. Recv is the time that a
// waiting receiver is occupied from the start of its partner's reply. Total is the time from the start of the send
// until the receiver continues. Recv overlaps with Send, so Total is not their sum.
//
// If the row's `sender_goes_on` (machine/profile.hpp) is `sent`, Send of a rendezvous is longer by S*G, and if it is
// `received`, by S*G + L. The part of S*G_send that follows the first packet is subtracted. Progress is asynchronous:
// if ranks overlap messages and computing, `progress: in_calls` increases the event engine's times, but not these.
//
// Recv of a rendezvous has one o: the summary table of the thesis prints a second one, but its own predictions are
// reproduced only without it.
//
// The parts are those of record::PathParts. `overhead` is o and the copies by processors (S*G_send, S*G_recv).
// `latency` is L, o_request and o_ack. `bandwidth` is the time of bytes on the wire, or `wire` if the slowest wire
// limits them. `packets` is the remaining cost of packets. Copies that overlap with a longer stage of the pipeline
// count as time of this stage (network::PipelineParts). The event engine's critical path divides a message in the same
// way (record::PathParts).
#pragma once

#include <optional>
#include <string>

#include "simulator/analytic/phases.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/profile.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

struct MessageTime {
    Time send;
    Time recv;
    Time total;
    friend constexpr bool operator==(const MessageTime&, const MessageTime&) = default;
};

/// The parts of each time of a message.
struct MessageParts {
    record::PathParts send;
    record::PathParts recv;
    record::PathParts total;

    MessageTime time() const;
};

/// Returns the parts of a message of `size` charged by `row`. Throws BadInput (closed_form_overflow).
MessageParts message_parts(const machine::ProfileRow& row, Bytes size);

/// Returns the parts of a message of `size`, charged by the row of `profile` for this size.
MessageParts message_parts(const machine::Profile& profile, Bytes size);

/// Returns the part of Recv that a receiver does not wait if the message has already arrived: L for an eager message,
/// and zero for a rendezvous, whose data is sent only after the receive is posted.
record::PathParts eager_wait(const machine::Profile& profile, Bytes size);

/// Returns the cost of a message of `size` charged by `row`. Throws BadInput (closed_form_overflow).
MessageTime message_cost(const machine::ProfileRow& row, Bytes size);

/// Returns the cost of a message of `size`, charged by the row of `profile` for this size.
MessageTime message_cost(const machine::Profile& profile, Bytes size);

// The closed form of an allreduce over P ranks, C of them on a node (Mudalige 2009, section 4.3):
//
//   T = (log2 P - log2 C) * C * Total_off + log2 C * C * Total_on
//
// This is a butterfly. Its stages between nodes cost C times as much, since the ranks of a node share its network
// interface. If a node has several chips, its log2 C stages have different localities. With c ranks on the chip that
// has most, log2 c stages are charged at the locality `chip`, and the others at the locality between chips. Further
// kinds of parts are treated in the same way. If P is not a power of two, log2 P is a real number, as published.
//
// The closed form `allreduce` applies to codes without sweeps and exchanges. It covers all their allreduces and their
// other computing.

/// Returns the time of one allreduce of `size` bytes over all ranks of the machine's placement. Throws BadInput
/// (closed_form_overflow).
record::PathParts allreduce_parts(const machine::Machine& machine, Bytes size);
/// Returns the sum of the parts.
WideTime allreduce_time(const machine::Machine& machine, Bytes size);

/// Returns the reason why the form does not apply, or nothing: the model has sweeps or exchanges, or no allreduces.
std::optional<std::string> not_only_allreduces(const Inputs& inputs);

/// Predicts a run of allreduces. Throws BadInput (closed_form_overflow).
Prediction allreduces(const Inputs& inputs);

}  // namespace warpfront::analytic
