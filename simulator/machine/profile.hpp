// LogGP profiles: the costs of a message by locality and size, without waiting.
//
// The locality of two ranks is the innermost unit that they share: a part of a node (machine.hpp), the node, or only
// the network. Each locality has a profile (a layer in hardware files), a list of rows, each valid up to a size. With S
// the message size,
//   eager       sender busy o_send + S*G_send; data arrives L + S*G later; receiver busy o_recv + S*G_recv
//   rendezvous  sender busy o_send + S*G_send; request L + o_request; acknowledgement L + o_ack; data L + S*G; receiver
//               busy o_recv + S*G_recv
// (LogGP: Alexandrov et al. 1995. The rendezvous is that of Mudalige 2009, section 4.3, where it is called handshake
// and h = 2L; or that of Sundaram-Stukel and Vernon 1999, where the processors spend time on request and
// acknowledgement: o_request after the request arrives, o_ack on sending the acknowledgement and on the reaction of the
// blocked sender.) G_recv is LogGP's G spent by the receiver instead of the wire: the DMA of an on-chip message on the
// XT4, S/B on the InfiniBand cluster whose published Recv is S/B. G_send is spent by the sender, for example by copying
// to a buffer. The packets of a segmented message pass copying in, wire and copying out as a pipeline. Whatever the row
// contains, no message is faster than the slowest wire that it crosses (network/packet_pipeline.hpp).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// The locality of two ranks as a number, the closest first: the parts of a node from the innermost out, the node, the
/// network.
struct Locality {
    std::uint8_t index = 0;
    friend constexpr auto operator<=>(Locality, Locality) = default;
};

enum class Protocol : std::uint8_t { eager, rendezvous };

/// The condition under which a rendezvous progresses (engine/stepping/call_progress.hpp).
///   asynchronous  none, as with a progress thread or a network interface that matches messages
///   in_calls      the receiver acknowledges, and the sender lets the data leave, only within an MPI call
enum class MessageProgress : std::uint8_t { asynchronous, in_calls };

/// The end of a blocking send by rendezvous, or of the wait for one (network/cost.hpp).
///   acknowledged  the send is acknowledged and has been granted the resources of its node
///   sent          its bytes have left
///   received      all its bytes have arrived
enum class SenderGoesOn : std::uint8_t { acknowledged, sent, received };

/// The time at which a received message requests the bus: at the end of o_recv, or before it. A sent message requests
/// it at the end of o_send. If both requests follow an overhead that is at least as long as the service time, a single
/// core never waits for itself. If the overheads are equal, waiting is then the same as if every service began with its
/// overhead (network/README.md).
enum class ReceiverHold : std::uint8_t { after_overhead, before_overhead };

/// The division of messages into packets for the links, and the costs of a packet on the wire beyond its bytes.
struct Packet {
    std::optional<Bytes> size{};     // none: a message is one packet
    Time overhead{};                 // added to every packet
    std::optional<Bytes> buffers{};  // offset in the message from which a packet finds the buffers full
    Time full{};                     // time added to a packet that finds the buffers full
    friend bool operator==(const Packet&, const Packet&) = default;
};

/// The treatment of messages that an MPI library sends without a rendezvous, in addition to the table of costs.
///
/// A message of up to `limit` bytes is sent eagerly, whatever the protocol of its row; a longer one by rendezvous. The
/// row still states the duration of a ping-pong, so the flight of an eager message whose row has a rendezvous is longer
/// by the latencies of RTS and acknowledgement. An unexpected message, which arrives before its receive is posted,
/// keeps the receiver busy for an additional o_unexpected + S*G_unexpected, since the library copies it from a buffer.
struct EagerSends {
    std::optional<Bytes> limit{};  // empty: the protocol of each row
    Time o_unexpected{};
    Gap G_unexpected{};
    friend bool operator==(const EagerSends&, const EagerSends&) = default;
};

struct ProfileRow {
    std::optional<Bytes> up_to;  // inclusive; none on the last row
    Protocol protocol = Protocol::eager;
    Time o_send;
    Time o_recv;
    Time o_request{};
    Time o_ack{};
    MessageProgress progress = MessageProgress::asynchronous;  // progress of rendezvous messages
    SenderGoesOn sender_goes_on = SenderGoesOn::acknowledged;  // end of the send of rendezvous messages
    Time L;
    Gap G;
    Gap G_recv;
    Gap G_send{};
    Gap wire{};       // time per byte of the slowest wire on the way (wires.hpp), not stated by the row
    Packet packet{};  // packets of messages over links, shared or not
    ReceiverHold receiver_hold = ReceiverHold::after_overhead;
    std::optional<Time> o_dma{};        // DMA setup time of this layer's messages; replaces that of the bus
    std::optional<Time> processing{};   // occupancy of MessageProcessing at either end by a message; none: not occupied
    std::optional<EagerSends> eager{};  // stated by the layer, not by the row
    /// A factor of the route's latency beyond L, for the data. RTS and acknowledgement of a rendezvous then take only
    /// L, as in SMPI, which has no such messages. Without the factor, all three take the whole latency.
    std::optional<double> latency_factor{};
    bool holds_bus = false;    // messages of this row wait for the bus of both nodes
    bool holds_nic = false;    // these messages wait for injection at the sender's NIC and ejection at the receiver's
    bool holds_links = false;  // these messages wait for the directed links of their route
    friend bool operator==(const ProfileRow&, const ProfileRow&) = default;
};

/// Makes messages of any size wait for their receives, as MPI_Ssend does.
inline void make_synchronous(ProfileRow& row) {
    row.protocol = Protocol::rendezvous;
    if (row.eager) row.eager->limit.reset();
}

/// Rows by ascending up_to; the last has no limit. It is empty only for a locality that no two ranks of the machine
/// have.
using Profile = std::vector<ProfileRow>;

/// Returns the row for a message of `size`; the profile must have rows.
inline const ProfileRow& row_for(const Profile& profile, Bytes size) {
    for (const ProfileRow& row : profile) {
        if (!row.up_to || size <= *row.up_to) return row;
    }
    return profile.back();
}

/// A memory bus or DMA engine that a group of cores shares. Each message in turn occupies it for o_dma + S*G_dma
/// (Mudalige 2009, section 4.6, I = o_dma + S*G_dma). The uncontended service is already inside o + S*G.
struct Bus {
    Time o_dma;
    Gap G_dma;
    std::uint32_t count = 1;  // number of buses in a host; cores / count cores share one
};

/// The core of a group that processes the messages of all its cores, one at a time: as on a Cray XT, where the
/// operating system of one core takes the interrupts of the network interface (Brightwell, Pedretti & Underwood 2005,
/// "Initial performance evaluation of the Cray SeaStar interconnect"). A message occupies it for the `processing` of
/// its row, at the sender and at the receiver. The uncontended time is already inside o, and so is the time of the bus:
/// engines that simulate the processing do not simulate the bus.
struct MessageProcessing {
    std::uint32_t count = 1;  // number of such cores in a host; cores / count cores share one
};

/// The network interface that a group of cores shares. It serves one message at a time in each direction, each for
/// max(g, S * gap), where the gap is the inverse of a bandwidth. g is LogGP's gap, the least interval between
/// consecutive transmissions, or consecutive receptions, at a network interface; its inverse is the message rate
/// (Alexandrov et al. 1995). The uncontended service is already inside o + S*G, as for the bus, so g delays only the
/// next message.
struct Nic {
    Gap injection;
    Gap ejection;
    std::uint32_t count = 1;  // number of NICs in a host; cores / count cores share one
    Time g{};
};

/// Memory bandwidth that the computing cores of a group share: while k of them compute, each computes
/// max(1, k * per_core / bandwidth) times as slowly as alone (memory_law.hpp). Both rates are above 0.
struct Memory {
    Bandwidth bandwidth;      // bandwidth of a group
    Bandwidth per_core;       // demand of one computing core
    std::uint32_t count = 1;  // number of groups in a host; a group has cores / count cores
};

/// The rule by which a message or packet selects one of the parallel links between two neighbours (network/server.hpp).
enum class LinkChoice : std::uint8_t { deterministic, adaptive, round_robin };

/// Overhead of a link interface that switches between the messages of many pairs of processes.
struct Arbitration {
    std::uint32_t pairs = 0;  // number of pairs without overhead
    Time overhead;            // time per packet, for each further pair
    friend bool operator==(const Arbitration&, const Arbitration&) = default;
};

/// The directed links of the platform as shared resources, with cut-through switching: a message occupies each for
/// S / bandwidth plus the costs that its packets have beyond their bytes.
struct Links {
    std::uint32_t parallel = 1;  // number of links for each link of the platform
    LinkChoice choice = LinkChoice::deterministic;
    std::optional<Arbitration> arbitration{};
};

}  // namespace warpfront::machine
