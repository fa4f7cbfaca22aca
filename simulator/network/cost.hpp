// What one message costs before anything is waited for, folded to picoseconds.
//
// A profile row (machine/profile.hpp) and a size S make
//   busy_send  = o_send + lead              the sender's processor, until the message can leave
//   busy_after = what is left of S*G_send   the same, after that
//   request    = L + latency beyond L + o_request     a rendezvous's request
//   answer     = L + latency beyond L + o_ack         its acknowledgement the other way
//   flight     = L + latency beyond L + pipeline.flight()   from leaving the sender to arriving
//   idle       = pipeline.idle               so much may it wait for links without arriving later
//   busy_recv  = o_recv + S*G_recv          the receiver's processor
//   bus        = o_dma + S*G_dma            hold of the node's bus, sender's side and receiver's side; waiting adds,
//                                           the uncontended hold is already inside the rest (Mudalige 2009, section
//                                           4.3.3)
//   inject     = S * injection gap          hold of the sender's NIC
//   eject      = S * ejection gap           hold of the receiver's NIC
// where the pipeline (network/packet_pipeline.hpp) of a message of one packet has lead = S*G_send and flight = S*G.
// Each product is rounded once, here or there.
#pragma once

#include "simulator/machine/machine.hpp"
#include "simulator/machine/profile.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::network {

struct MessageCost {
    Time busy_send;
    Time busy_after;
    Time request;
    Time answer;
    Time flight;
    Time idle;
    Time busy_recv;
    Time bus;
    Time inject;
    Time eject;
    bool rendezvous = false;
    bool holds_bus = false;
    bool holds_nic = false;
    bool holds_links = false;

    bool holds() const { return holds_bus || holds_nic || holds_links; }
};

/// Throws std::overflow_error where a part is longer than a cost may be. Held is what the row holds and the machine
/// shares. `arbitration` is what every packet loses to it on the route.
MessageCost fold(const machine::ProfileRow& row, Bytes size, Time extra_latency, const machine::Machine& machine,
                 Time arbitration = {});

/// S * gap, and a cost so many times; throw std::overflow_error where that is longer than a cost may be.
Time hold_of(Bytes size, Gap gap);
Time times(Time cost, std::int64_t count);

}  // namespace warpfront::network
