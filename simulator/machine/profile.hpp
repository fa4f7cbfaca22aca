// LogGP profiles: what a message costs by layer and size, before anything is waited for.
//
// Two ranks share a chip, a node, or only the network: that is their layer. A layer's profile is a list of rows, each
// valid up to a size. With S the message size,
//   eager      sender busy o_send + S*G_send; data arrives L + S*G later; receiver busy o_recv + S*G_recv
//   rendezvous  sender busy o_send + S*G_send; request L + o_request; acknowledgement L + o_ack; data L + S*G; receiver
//              busy o_recv + S*G_recv
// (LogGP: Alexandrov et al. 1995; with the rendezvous of Mudalige 2009, section 4.3, where h = 2L; or of
// Sundaram-Stukel and Vernon 1999, where the processors spend time on request and acknowledgement: o_request when the
// request has come, o_ack on sending the acknowledgement and on what follows it at the sender, which waits.)
// G_recv is LogGP's G spent by the receiver instead of the wire: the DMA of an on-chip message on the XT4, S/B on the
// InfiniBand cluster whose published Recv is S/B; G_send is spent by the sender, as in copying to a buffer. A message
// that is cut into packets goes through copying in, wire and copying out packet by packet
// (network/packet_pipeline.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

enum class Locality : std::uint8_t { chip, node, network };
inline constexpr std::size_t kLocalities = 3;

/// What `layer` is called in hardware files and reports.
const std::string& name_of_locality(Locality locality);

enum class Protocol : std::uint8_t { eager, rendezvous };

/// How messages are cut for the links, and what a packet costs on the wire beyond its bytes.
struct Packet {
    std::optional<Bytes> size{};     // none: a message is one packet
    Time overhead{};                 // of every packet
    std::optional<Bytes> buffers{};  // a packet that begins so far into its message or further finds them full, and
    Time full{};                     // takes so much longer
};

struct ProfileRow {
    std::optional<Bytes> up_to;  // inclusive; none on the last row
    Protocol protocol = Protocol::eager;
    Time o_send;
    Time o_recv;
    Time o_request{};
    Time o_ack{};
    Time L;
    Gap G;
    Gap G_recv;
    Gap G_send{};
    Packet packet{};           // of messages that cross links, whether or not these are shared
    bool holds_bus = false;    // its messages wait for the bus of both nodes
    bool holds_nic = false;    // ... for injection at the sender's NIC, for ejection at the receiver's
    bool holds_links = false;  // ... for the directed links of their route
};

/// Rows by ascending up_to; the last has no limit. Empty only for a layer that no two ranks of the machine share.
using Profile = std::vector<ProfileRow>;

/// The row that a message of `size` is charged by; the profile must have rows.
const ProfileRow& row_for(const Profile& profile, Bytes size);

/// What a channel (sender, receiver, tag) may hold of eager messages that no receive is posted for; at least one of the
/// two is there. A sender that would go beyond waits for posts (state/eager_window.hpp). Collectives are not limited.
struct EagerLimit {
    std::optional<std::uint32_t> messages{};  // at least 1
    std::optional<Bytes> bytes{};
};

/// The node's shared memory bus or DMA engine: one message at a time, each holds it o_dma + S*G_dma
/// (Mudalige 2009, section 4.3.3, I = o_dma + S*G_dma). The uncontended hold is already inside o + S*G.
struct Bus {
    Time o_dma;
    Gap G_dma;
};

/// The network interface that a group of cores shares: one message at a time in each direction, held for S * gap (the
/// inverse of a bandwidth). The uncontended hold is already inside o + S*G, as that of the bus.
struct Nic {
    Gap injection;
    Gap ejection;
};

/// How a message, or a packet of one, picks one of the parallel links that join two neighbours.
enum class LinkChoice : std::uint8_t { deterministic, adaptive, round_robin };

/// Many pairs of processes keep a link's interface switching between them.
struct Arbitration {
    std::uint32_t pairs = 0;  // that lose nothing
    Time overhead;            // more for every packet, for each further pair
};

/// The directed links of the platform as shared resources: each is held for S / bandwidth, cut-through, and for what
/// packets cost beyond their bytes.
struct Links {
    std::uint32_t parallel = 1;                     // links side by side where the platform has one
    LinkChoice choice = LinkChoice::deterministic;  // (by sender), adaptive: the first free, round_robin: in turn
    bool circuit = false;                           // the sender goes on only once all links of the route are granted
    std::optional<Arbitration> arbitration{};
};

}  // namespace warpfront::machine
