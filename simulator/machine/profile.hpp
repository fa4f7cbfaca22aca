// LogGP profiles: the costs of a message by locality and size, without waiting.
//
// The locality of two ranks is the innermost unit that contains both: a part of a node (machine.hpp), the node, or only
// the network. Each locality has a profile, which hardware files call a layer. A profile is a list of rows; each row is
// valid up to a message size. With S the size,
//   eager       sender busy o_send + S*G_send; data arrives L + S*G later; receiver busy o_recv + S*G_recv
//   rendezvous  sender busy o_send + S*G_send; request L + o_request; acknowledgement L + o_ack; data L + S*G; receiver
//               busy o_recv + S*G_recv
// (LogGP: Alexandrov et al. 1995. The rendezvous is that of Mudalige 2009, section 4.3, there called handshake, with h
// = 2L. Or it is that of Sundaram-Stukel and Vernon 1999, where processors spend time on request and acknowledgement:
// o_request after the request arrives, o_ack for sending the acknowledgement and for the reaction of the blocked
// sender.)
//
// G_recv is LogGP's G if the receiver spends it instead of the wire: the DMA of an on-chip message on the XT4, or S/B
// on the InfiniBand cluster whose published Recv is S/B. The sender spends G_send, for example on copying to a buffer.
// The packets of a segmented message are copied in, carried and copied out in a pipeline. No message is faster than the
// slowest wire that it crosses, whatever its row contains (network/packet_pipeline.hpp).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// The locality of two ranks as a number, the closest first: the parts of a node from the innermost outwards, then the
/// node, then the network.
struct Locality {
    std::uint8_t index = 0;
    friend constexpr auto operator<=>(Locality, Locality) = default;
};

enum class Protocol : std::uint8_t { eager, rendezvous };

/// The condition under which a rendezvous makes progress (engine/stepping/call_progress.hpp).
///   asynchronous  always, as with a progress thread or a network interface that matches messages
///   in_calls      the receiver acknowledges, and the sender sends the data, only while in an MPI call
enum class MessageProgress : std::uint8_t { asynchronous, in_calls };

/// The event that ends a blocking send by rendezvous, or the wait for a nonblocking one (network/cost.hpp).
///   acknowledged  the send has been acknowledged and granted the resources of its node
///   sent          all bytes have left
///   received      all bytes have arrived
enum class SenderGoesOn : std::uint8_t { acknowledged, sent, received };

/// The time at which a received message requests the bus: at the end of o_recv, or before it. A sent message requests
/// the bus at the end of o_send. If the overheads before both requests are at least as long as the service, a single
/// core never waits for itself. If these overheads are equal, the waiting times are those of services that begin with
/// their overhead (network/README.md).
enum class ReceiverHold : std::uint8_t { after_overhead, before_overhead };

/// The division of messages over links into packets, and the costs of a packet on the wire in addition to its bytes.
struct Packet {
    std::optional<Bytes> size{};     // if empty, a message is one packet
    Time overhead{};                 // added to every packet
    std::optional<Bytes> buffers{};  // a packet from this offset in the message on finds the buffers full
    Time full{};                     // time added to a packet that finds the buffers full
    friend bool operator==(const Packet&, const Packet&) = default;
};

/// Messages that an MPI library sends without a rendezvous, in addition to the table of costs.
///
/// A message of up to `limit` bytes is sent eagerly, and a longer one by rendezvous, whatever the protocol of its row.
/// The row still states the duration of a ping-pong. So if its protocol is a rendezvous, the flight of an eager message
/// is longer by the latencies of request and acknowledgement. An unexpected message arrives before its receive is
/// posted. The library copies it from a buffer, so it keeps the receiver busy for an additional o_unexpected +
/// S*G_unexpected.
struct EagerSends {
    std::optional<Bytes> limit{};  // if empty, the protocol of each row applies
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
    MessageProgress progress = MessageProgress::asynchronous;  // when rendezvous messages make progress
    SenderGoesOn sender_goes_on = SenderGoesOn::acknowledged;  // when the send of a rendezvous message ends
    Time L;
    Gap G;
    Gap G_recv;
    Gap G_send{};
    Gap wire{};       // time per byte of the slowest wire on the route (wires.hpp), which the row does not state
    Packet packet{};  // packets of messages over links, even if links are not shared
    ReceiverHold receiver_hold = ReceiverHold::after_overhead;
    std::optional<Time> o_dma{};  // DMA setup time of messages of this layer; replaces that of the bus
    /// time for which a message occupies MessageProcessing at each end; empty if it does not
    std::optional<Time> processing{};
    std::optional<EagerSends> eager{};  // the same in all rows of a layer, which states it
    /// The factor of the data's latency on the route beyond L. With this factor, request and acknowledgement of a
    /// rendezvous take only L, as in SMPI, which has no such messages. Without it, all three take the whole latency.
    std::optional<double> latency_factor{};
    bool holds_bus = false;    // true if messages of this row wait for the bus of both nodes
    bool holds_nic = false;    // true if they wait for injection at the sender's NIC and ejection at the receiver's NIC
    bool holds_links = false;  // true if they wait for the directed links of their route
    friend bool operator==(const ProfileRow&, const ProfileRow&) = default;
};

/// Makes messages of any size wait for their receives, as MPI_Ssend does.
inline void make_synchronous(ProfileRow& row) {
    row.protocol = Protocol::rendezvous;
    if (row.eager) row.eager->limit.reset();
}

/// Rows with ascending `up_to`. The last row has no limit. A profile is empty only if no two ranks of the machine have
/// its locality.
using Profile = std::vector<ProfileRow>;

/// Returns the row for a message of `size`. The profile must not be empty.
inline const ProfileRow& row_for(const Profile& profile, Bytes size) {
    for (const ProfileRow& row : profile) {
        if (!row.up_to || size <= *row.up_to) return row;
    }
    return profile.back();
}

/// A memory bus or DMA engine that a group of cores shares. Messages occupy it one after another, each for o_dma +
/// S*G_dma (Mudalige 2009, section 4.6, I = o_dma + S*G_dma). o + S*G already includes the service without contention.
struct Bus {
    Time o_dma;
    Gap G_dma;
    std::uint32_t count = 1;  // number of buses in a host; each serves cores / count cores
};

/// A core that processes the messages of all cores of its group, one at a time. On a Cray XT, the operating system of
/// one core takes the interrupts of the network interface (Brightwell, Pedretti & Underwood 2005, "Initial performance
/// evaluation of the Cray SeaStar interconnect"). A message occupies this core for the `processing` of its row, at the
/// sender and at the receiver. The overhead o already includes the time without contention, and the time of the bus. So
/// engines that simulate the processing do not simulate the bus.
struct MessageProcessing {
    std::uint32_t count = 1;  // number of these cores in a host; each processes the messages of cores / count cores
};

/// The network interface that a group of cores shares. It serves one message at a time in each direction, each for
/// max(g, S * gap). The gap is the inverse of a bandwidth. g is LogGP's gap, the least interval between consecutive
/// transmissions, or consecutive receptions, at a network interface; its inverse is the message rate (Alexandrov et al.
/// 1995). o + S*G already includes the service without contention, so g delays only the next message.
struct Nic {
    Gap injection;
    Gap ejection;
    std::uint32_t count = 1;  // number of NICs in a host; each serves cores / count cores
    Time g{};
};

/// Memory bandwidth that the computing cores of a group share. While k of them compute, each is max(1, k * per_core /
/// bandwidth) times as slow as alone (memory_law.hpp). Both rates are above 0.
struct Memory {
    Bandwidth bandwidth;      // bandwidth of a group
    Bandwidth per_core;       // demand of one computing core
    std::uint32_t count = 1;  // number of groups in a host; a group has cores / count cores
};

/// The rule by which a message or packet selects one of the parallel links between two neighbours (network/server.hpp).
enum class LinkChoice : std::uint8_t { deterministic, adaptive, round_robin };

/// The overhead of a link interface for switching between the messages of many pairs of processes.
struct Arbitration {
    std::uint32_t pairs = 0;  // number of pairs that cause no overhead
    Time overhead;            // time per packet, for each further pair
    friend bool operator==(const Arbitration&, const Arbitration&) = default;
};

/// The directed links of the platform as shared resources, with cut-through switching. A message occupies each link for
/// S / bandwidth plus the costs of its packets beyond their bytes.
struct Links {
    std::uint32_t parallel = 1;  // number of parallel links for each link of the platform
    LinkChoice choice = LinkChoice::deterministic;
    std::optional<Arbitration> arbitration{};
};

}  // namespace warpfront::machine
