// The costs of one message without waiting, in picoseconds.
//
// A profile row (machine/profile.hpp) and a size S determine the costs. `latency` is L + the route's latency beyond L.
// If the row has a `latency_factor`, the latency of the data is L + this factor times the route's latency beyond L, and
// that of request and acknowledgement is L alone.
//   busy_send  = o_send + lead                    the sender's processor is busy until the message departs
//   busy_after = S*G_send - lead                  the sender's processor is busy for this long after the departure
//   request    = latency + o_request              the request of a rendezvous
//   answer     = latency + o_ack                  its acknowledgement
//   flight     = latency + pipeline.flight()      from departure to arrival; at least the time on the slowest wire
//   late       = pipeline.late                    time from the arrival until the last byte has arrived
//   idle       = pipeline.idle                    link waiting up to this does not delay the arrival
//   busy_recv  = o_recv + S*G_recv                the receiver's processor is busy
//   before_service = o_recv or 0                  the part of busy_recv before the receiver requests the server
//                                                 of its node, by the row's `receiver_hold`
//   service    = processing or o_dma + S*G_dma    the occupancy of the node's server, its message processing or its
//                                                 bus, by the sender. Only waiting adds time: the uncontended service
//                                                 is already inside the other costs (Mudalige 2009, section 4.6). A
//                                                 message is processed while a processor is busy with it, so that the
//                                                 processing is requested before o_send and before o_recv; the bus is
//                                                 requested after o_send
//   service_received = service                    the same by the receiver
//   service_early = min(max(0, service_received - busy_recv), pipeline.flight()) of a bus: the part of a received
//                                                 message's service that precedes its request. The bytes enter memory
//                                                 while they arrive if the receiver's processor is busy for less time
// Between two ranks of one bus, both services together last as long, and do not overlap (README.md):
//   service    = min(2 (o_dma + S*G_dma), flight + before_service)   service_early = 0
//   service_received = 2 (o_dma + S*G_dma) - service                 if this is 0, the receiver requests no bus
// The other costs are
//   unexpected = o_unexpected + S*G_unexpected    the receiver's processor is busy for so long in addition if an eager
//                                                 message arrives before its receive is posted
//   inject     = max(g, S * injection gap)        the service time of the sender's NIC, with its g (LogGP)
//   eject      = max(g, S * ejection gap)         the service time of the receiver's NIC
//   eject_early = min(eject, pipeline.flight())   the part of `eject` before the arrival: the bytes of a message occupy
//                                                 the NIC while they arrive
//   eject_ahead = eject_early                     the time before the arrival at which the NIC is requested. It is 0
//                                                 for messages of one packet, which a NIC receives whole. If the
//                                                 machine has no packets, packets of kLargestPacket are assumed. It is
//                                                 also 0 for several packets, since links may delay the later ones, and
//                                                 without latency, since other messages may still leave at the begin
// The sender of a rendezvous that departs at d resumes at d + busy_after or later. The row's `sender_goes_on` selects
// the condition:
//   acknowledged   d + busy_after
//   sent           d + pipeline.flight() + late   its bytes have left; waits for links delay only the message
//   received       arrival + late                 with waits for links and a longer route, without the receiver's NIC
// The pipeline is that of packet_pipeline.hpp. A message of one packet has lead = S*G_send. If processors copy nothing,
// its flight is max(S*G, S/b), where b is the bandwidth of the slowest wire on its route (the row's `wire`). Each NIC
// and link is occupied for S / its own bandwidth; waiting for it is a separate cost. Each product is rounded once.
#pragma once

#include <cstdint>

#include "simulator/machine/machine.hpp"
#include "simulator/machine/profile.hpp"
#include "simulator/network/packet_pipeline.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::network {

/// The largest packet that is assumed for machines without `links.packet`: the largest payload of InfiniBand.
inline constexpr Bytes kLargestPacket{4096};

struct MessageCost {
    Time busy_send;
    Time busy_after;
    Time request;
    Time answer;
    Time flight;
    Time late;
    Time idle;
    Time busy_recv;
    Time before_service;
    Time service;
    Time service_received;
    Time service_early;
    Time unexpected;
    Time inject;
    Time eject;
    Time eject_early;
    Time eject_ahead;
    bool rendezvous = false;
    bool in_calls = false;  // true if a rendezvous progresses only in MPI calls (engine/stepping/call_progress.hpp)
    machine::SenderGoesOn sender_goes_on =
        machine::SenderGoesOn::acknowledged;  // for eager messages always `acknowledged`
    bool limited_by_wire = false;             // true if a wire makes the flight longer than the table's time per byte
    bool counts_unexpected = false;           // true if the row's layer states the cost of unexpected messages
    bool processed = false;                   // true if `service` is the time of message processing
    bool holds_server = false;
    bool receiver_holds_server = false;  // differs from `holds_server` if the sender's service is the whole one
    bool holds_nic = false;
    bool holds_links = false;
    bool injects_at_rate = false;  // true if the message rate of the NIC, not its bandwidth, determines `inject`
    bool ejects_at_rate = false;   // true if the message rate of the NIC determines `eject`

    /// Returns the time from the end of o_send until the message may leave, if the receive is posted by then.
    Time handshake() const { return rendezvous ? request + answer : Time{}; }
    /// Returns true if the message requests the bus, the NIC or links at the end of o_send.
    bool holds() const { return (holds_server && !processed) || holds_nic || holds_links; }
};

/// The buses of a message's two ranks.
enum class Buses : std::uint8_t { two, one };

/// Returns `one` if both ranks share a bus. Message processing replaces buses.
Buses buses_of(const machine::Machine& machine, Rank from, Rank to);

/// Computes the costs of a message. The message occupies those resources that its row uses and the machine shares.
/// `arbitration` is the overhead of each packet on the route. Throws std::overflow_error if a cost exceeds
/// kLongestCost.
MessageCost fold(const machine::ProfileRow& row, Bytes size, Time extra_latency, const machine::Machine& machine,
                 Time arbitration = {}, Buses buses = Buses::two);

/// The flight of a message divided by cause: latency, then the transfer of its packets.
struct FlightParts {
    Time latency;  // of an eager message whose row describes a rendezvous: with request and acknowledgement
    PipelineParts transfer;
};

/// Divides the flight that `fold` computes: it is the sum of `latency` and `transfer.flight`. Throws
/// std::overflow_error if a part exceeds kLongestCost.
FlightParts parts_of_flight(const machine::ProfileRow& row, Bytes size, Time extra_latency, Time arbitration = {});

/// Returns true if a message of this size waits for its receive to be posted.
bool is_rendezvous(const machine::ProfileRow& row, Bytes size);

/// Returns the latency of a message's data, without the transfer of its bytes. Throws std::overflow_error if the
/// latency exceeds kLongestCost.
Time data_latency(const machine::ProfileRow& row, Time extra_latency);

/// Returns size * gap. Throws std::overflow_error if the result exceeds kLongestCost, as `times` does for cost * count.
Time hold_of(Bytes size, Gap gap);
Time times(Time cost, std::int64_t count);

}  // namespace warpfront::network
