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
// By the row's `sender_goes_on` (machine/profile.hpp) Send of a rendezvous has S*G (`sent`) or S*G + L (`received`)
// more, less the part of S*G_send that follows the first packet. Progress is asynchronous: if ranks overlap messages
// and computing, `progress: in_calls` increases the event engine's times, but not these.
//
// Recv of a rendezvous has one o: the summary table of the thesis prints a second one, but its own predictions are
// reproduced only without it.
//
// Parts: o and the copies by processors (S*G_send, S*G_recv) are overhead; L, o_request and o_ack are latency; the
// flight (S*G) is bandwidth, or wire if a wire limits it. The event engine's critical path divides a message in the
// same way (record::PathParts).
#pragma once

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

/// Returns the parts by the row of `profile` for `size`.
MessageParts message_parts(const machine::Profile& profile, Bytes size);

/// Returns the wait of a receive for a message of `size`, unless the message has arrived before: L for an eager
/// message, nothing for a rendezvous, which its receive starts.
record::PathParts eager_wait(const machine::Profile& profile, Bytes size);

/// Returns the cost of a message of `size` charged by `row`. Throws BadInput (closed_form_overflow).
MessageTime message_cost(const machine::ProfileRow& row, Bytes size);

/// Returns the cost by the row of `profile` for `size`.
MessageTime message_cost(const machine::Profile& profile, Bytes size);

}  // namespace warpfront::analytic
