// A message's pipeline: copied in by the sender, moved over the link, copied out by the receiver, packet by packet.
//
// A row (profile.hpp) cuts a message of S bytes into packets of at most `packet.size`. One packet of s bytes takes
//   in    s * G_send                    the sender's processor
//   wire  s * G + packet.overhead       and packet.full more if it begins beyond packet.buffers, and what the caller
//                                       adds per packet (contention)
//   out   s * G_recv                    the receiver's processor
// and each of the three works on one packet at a time, in order, while the others work on theirs. With that, from the
// moment at which the sender begins to copy and a receiver waits,
//   the first packet is copied in at `lead`, the last at `in`; the last is copied out at `done`
// and a receiver that comes late is busy `out` = S * G_recv from then. So to the rest of the simulator the message
//   leaves at `lead`, keeps its sender busy until `in`, and arrives `done - out` after the start: a receiver that waits
//   from then, busy `out`, is done at `done`, and one that comes later is done `out` after it came.
// A message of one packet has lead = in = S * G_send, flight = S * G + overhead, done = in + flight + S * G_recv.
// Latency is not counted here.
#pragma once

#include <cstdint>
#include <optional>

#include "simulator/machine/profile.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::network {

/// `count` packets, all but the last of `size`; the first `buffered` of them begin within the buffers.
struct Segmentation {
    std::int64_t count = 1;
    std::int64_t buffered = 1;
    Bytes size;
    Bytes last;
};

Segmentation segment(const machine::Packet& packet, Bytes message);

struct PacketPipeline {
    Time lead;
    Time in;
    Time done;
    Time out;
    Time idle;  // how long, until the last packet has left it, the wire waits for packets to be copied in

    /// From leaving to arriving, as said above.
    Time flight() const { return done - out - lead; }
};

/// Nothing where a part is longer than a cost may be. `per_packet` is added to the wire.
std::optional<PacketPipeline> pipeline_of(const machine::ProfileRow& row, Bytes message, Time per_packet = {});

}  // namespace warpfront::network
