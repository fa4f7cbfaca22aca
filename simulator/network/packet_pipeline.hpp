// The packet pipeline of a message: the sender copies each packet in, the wire carries it, the receiver copies it out.
//
// A profile row (machine/profile.hpp) segments a message of S bytes into packets of at most `packet.size`. One packet
// of s bytes takes
//   in    s * G_send                      on the sender's processor
//   wire  max(s * G, slow) + overheads    on the wire. The overheads are packet.overhead and the caller's `per_packet`
//                                         (arbitration). A packet whose offset is at least packet.buffers takes
//                                         packet.full in addition
//   out   s * G_recv                      on the receiver's processor
// `slow` is the time on the slowest wire that the message crosses, with bandwidth b = 1 / row.wire (machine/wires.hpp):
//   slow  s / b                             with packets. Each packet is stored and forwarded: it is copied in,
//                                           carried and copied out, one stage after another
//   slow  s / b - s * G_send - s * G_recv   without packets. The wire carries the bytes while processors copy them
//                                           (cut-through). So copying and wire together take
//                                           max(S * (G_send + G + G_recv), S / b), and max(S * G, S / b) if processors
//                                           copy nothing
// Each stage serves one packet at a time, in order. The three stages overlap. Times are measured from the start of the
// copying in, with a receiver that is already waiting:
//   lead   the first packet has been copied in; the message departs
//   in     the last packet has been copied in; the sender's processor is free
//   done   the last packet has been copied out
// A receiver that posts after the arrival is busy for `out` = S * G_recv from its post. So the rest of the simulator
// uses `done - out` as the arrival. A receiver that waits is busy for `out` from the arrival on, and done at `done`.
// Copies out may overlap the wire. Then the arrival is earlier than the time at which the last packet leaves the wire;
// `late` is the difference.
// A message of one packet has lead = in = S * G_send, flight = wire, and done = in + flight + S * G_recv. Latency is
// not included.
#pragma once

#include <cstdint>
#include <optional>

#include "simulator/machine/profile.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::network {

/// The packets of a message. All but the last have the same `size`. The first `buffered` packets find space in the
/// buffers.
struct Segmentation {
    std::int64_t count = 1;
    std::int64_t buffered = 1;
    Bytes size;
    Bytes last;
};

Segmentation segment(const machine::Packet& packet, Bytes message);

/// The times of one packet in the three stages.
struct PacketStages {
    Time in;
    Time wire;
    Time out;
    Time beyond;                   // part of `wire` that is not due to bytes, such as overheads
    bool limited_by_wire = false;  // true if `slow` (see the top) exceeds s * G
};

/// The times of the packets of a message. A packet that finds the buffers full takes `full` more on the wire.
struct PacketTimes {
    Segmentation cut;
    PacketStages whole;  // times of a packet of full size
    PacketStages last;
    Time full;

    PacketStages of(std::int64_t packet) const {
        PacketStages stages = packet + 1 == cut.count ? last : whole;
        if (packet < cut.buffered) return stages;
        stages.wire += full;
        stages.beyond += full;
        return stages;
    }
    /// Returns the time of the receiver's copying of all packets.
    Time copying_out() const { return whole.out * (cut.count - 1) + last.out; }
};

/// Returns the times of a message's packets; nothing if the message takes longer than kLongestCost in one stage.
/// `per_packet` is added to each packet's time on the wire.
std::optional<PacketTimes> times_of_packets(const machine::ProfileRow& row, Bytes message, Time per_packet = {});

/// For each stage, the time at which it finishes the packets that have passed so far.
struct PacketClocks {
    Time in;
    Time wire;
    Time out;
};

struct PacketPipeline {
    Time lead;
    Time in;
    Time done;
    Time out;
    Time late;                     // time from `done - out` until the last byte leaves the wire
    Time idle;                     // time for which the wire waits for packets to be copied in
    bool limited_by_wire = false;  // true if the wire limits some packet

    /// Returns the time from departure to arrival.
    Time flight() const { return done - out - lead; }
};

/// Returns the time per byte on the wire, without overheads of packets: G, or the time of the slowest wire if it is
/// longer.
Gap transfer_gap(const machine::ProfileRow& row);

PacketPipeline pipeline_of(const PacketTimes& times);
/// Computes the pipeline of a message. Returns nothing if a time exceeds kLongestCost.
std::optional<PacketPipeline> pipeline_of(const machine::ProfileRow& row, Bytes message, Time per_packet = {});

/// A time divided by cause.
struct TransferParts {
    Time copies;   // copies by processors; negative if the wire hides copies before or after this time
    Time table;    // bytes on the wire by the table's time per byte
    Time wire;     // bytes on the wire by the slowest wire's time per byte
    Time packets;  // overheads of packets

    Time total() const { return copies + table + wire + packets; }
    friend constexpr bool operator==(const TransferParts&, const TransferParts&) = default;
};

/// The causes of the times of a pipeline, from its longest path through packets and stages. Each part is the derivative
/// of the time by the cost of this cause, times the cost. The sender's copying precedes the flight, and the receiver's
/// follows it. If other stages hide some of this copying, it counts twice, and `copies` is negative by as much:
///   packets    At longer intervals than a copy takes, only the copy of the last packet is on the path: flight + out
///              is the wire's time and one copy.
///   no packets, limited by the wire: lead + flight + out = S/b. So `wire` is S/b, and `copies` -lead - out.
struct PipelineParts {
    TransferParts flight;  // from departure to arrival; the parts add up to PacketPipeline::flight()
    TransferParts sent;    // from departure until the last byte leaves the wire: flight() + late
};

/// Divides the times of a message's pipeline by cause. Returns nothing if a time exceeds kLongestCost.
std::optional<PipelineParts> parts_of_pipeline(const machine::ProfileRow& row, Bytes message, Time per_packet = {});

}  // namespace warpfront::network
