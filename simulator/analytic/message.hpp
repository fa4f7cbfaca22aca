// What one message costs in the closed forms, with S its size and the row of the layer's profile that holds S:
//
//   eager       Send = o_send + S*G_send         Recv = L + o_recv + S*G_recv
//   rendezvous   Send = o_send + S*G_send + h     Recv = L + o_ack + S*G + L + o_recv + S*G_recv
//   both        Total = Send + S*G + L + o_recv + S*G_recv
//
// with h = 2L + o_request + o_ack, of a message of one packet; one of several takes its pipeline
// (network/packet_pipeline.hpp): S*G becomes its flight, and its Total counts of S*G_send only the lead.
// (Mudalige 2009, section 4.3 and table 4.8, where h = 2L.) Send is how long the sender is held, Recv how long a
// receiver that waits is held once its partner begins to answer, Total the time from the start of the send until the
// receiver goes on. Recv overlaps with Send, so Total is not their sum.
//
// The rendezvous's Recv has one o: the summary table of the thesis prints a second, with which its own predictions do
// not come out.
#pragma once

#include "simulator/machine/profile.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

struct MessageCost {
    Time send;
    Time recv;
    Time total;
    friend constexpr bool operator==(const MessageCost&, const MessageCost&) = default;
};

/// The cost of a message of `size` charged by `row`. Throws BadInput (closed_form_overflow).
MessageCost message_cost(const machine::ProfileRow& row, Bytes size);

/// The same by the row of `profile` that holds `size`.
MessageCost message_cost(const machine::Profile& profile, Bytes size);

}  // namespace warpfront::analytic
