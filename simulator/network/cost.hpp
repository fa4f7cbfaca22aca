// What one message costs before anything is waited for, folded to picoseconds.
//
// A profile row (machine/profile.hpp) and a size S make
//   busy_send  = o_send                     the sender's processor
//   request    = L + latency beyond L       a handshake's request, and its acknowledgement the other way
//   flight     = L + latency beyond L + S*G from leaving the sender to arriving
//   busy_recv  = o_recv + S*G_recv          the receiver's processor
//   bus        = o_dma + S*G_dma            hold of the node's bus, sender's side and receiver's side; waiting adds, the
//                                           uncontended hold is already inside the rest (Mudalige 2009, section 4.3.3)
//   inject     = S * injection gap          hold of the sender's NIC
//   eject      = S * ejection gap           hold of the receiver's NIC
// Each product is rounded once, here.
#pragma once

#include "simulator/machine/machine.hpp"
#include "simulator/machine/profile.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::network {

struct MessageCost {
    Time busy_send;
    Time request;
    Time flight;
    Time busy_recv;
    Time bus;
    Time inject;
    Time eject;
    bool handshake = false;
    bool holds_bus = false;
    bool holds_nic = false;
    bool holds_links = false;

    bool holds() const { return holds_bus || holds_nic || holds_links; }
};

/// Throws std::overflow_error where a part is longer than a cost may be. Held is what the row holds and the machine
/// shares.
MessageCost fold(const machine::ProfileRow& row, Bytes size, Time beyond_L, const machine::Machine& machine);

/// S * gap; throws std::overflow_error where that is longer than a cost may be.
Time hold_of(Bytes size, Gap gap);

}  // namespace warpfront::network
