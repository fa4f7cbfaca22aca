// What one message costs before anything is waited for, folded to picoseconds.
//
// A profile row (machine/profile.hpp) and a size S make
//   busy_send  = o_send                     the sender's processor
//   request    = L + latency beyond L       a handshake's request, and its acknowledgement the other way
//   flight     = L + latency beyond L + S*G from leaving the sender to arriving
//   busy_recv  = o_recv + S*G_recv          the receiver's processor
//   bus        = o_dma + S*G_dma            hold of the node's bus, sender's side and receiver's side; waiting adds, the
//                                           uncontended hold is already inside the rest (Mudalige 2009, section 4.3.3)
// Each product is rounded once, here.
#pragma once

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
    bool handshake = false;
    bool holds_bus = false;
};

/// Throws std::overflow_error where a part is longer than a cost may be. `bus` may be null: then nothing is held.
MessageCost fold(const machine::ProfileRow& row, Bytes size, Time beyond_L, const machine::Bus* bus);

}  // namespace warpfront::network
