// The critical path of a run. For every rank, message, post and server, the longest chain of events that ends there is
// known at any time.
//
// Chains are extended during the run; no event is stored. A rank's chain ends at its clock. If the rank needs two
// events, it continues the chain of the later event. If both are complete at the same time, it continues its own chain:
//   receive       the rank, or the message if it comes later
//   rendezvous    the sender's request, or the receive if it is posted later. If progress is made in calls, the rank
//                 that had to end a block first
//   bytes         the sender, or its message if the sender waits until the message has left or arrived
//   grant         the request, or the message that occupied the server until the grant, including its occupancy
// A message's chain leaves with the message. If the message waits for links longer than its sender's copy takes
// (MessageProtocol::delayed), it continues the chain of the message that occupied the last of these links. A message in
// packets has three chains, which end when its last packet so far is copied in, carried and copied out. Each packet may
// continue the chain of another message. A post has the chain of its rank. Messages of a channel do not overtake each
// other, so queues suffice for the chains of a channel's messages and posts.
//
// The parts are computing, noise (jitter and interruptions of blocks, also slowed by other cores), overhead (o_send,
// o_recv and copies by processors), latency (of flights, requests and acknowledgements, also of those that an eager
// message keeps), transfers, service times, and memory (computing slowed by other cores). A transfer consists of
// bandwidth (the table's time per byte), wire (that of the slowest wire, if it limits the message), packets (the costs
// of packets beyond their bytes) and copies by processors, which are overhead (network::PipelineParts). If other stages
// hide copies that are on the chain, they are subtracted from the overhead of the transfer. The service time of a
// message at a bus, a NIC or a link is on the path if another message waited for it. If the message rate of a NIC
// determines the service time, it belongs to a separate part.
//
// Each part is a sum of costs of the machine along the path. So the part of a cost is the derivative of the run time by
// this cost, times the cost. This is exact for changes that are small enough to keep the same path the longest, and
// each block's number of interruptions. Overhead may be negative: if a wire limits messages whose copying is not on the
// chain, less copying lengthens the path. There are three exceptions: periodic noise, saturated memory with a varying
// number of computing cores, and the wires of detours that adaptive routing chooses.
//
// Skipping. At a cut of virtual time the state has elements: ranks, servers, queued messages, nonblocking sends and
// posts. At a kept cut k each element becomes the origin of its chain. If the state recurs at the cut k + 1, the chain
// of element i has (origin p(i), parts D(i)), and
//   V(k+1)(i) = V(k)(p(i)) + D(i).
// All events of a period recur in the same order, so p and D are the same for all periods. For n periods, p and D are
// composed n times, by repeated squaring.
//
// CriticalPaths also sums the time that each rank has waited for messages outside the steady state of its pipelines:
// until the waves of a sweep reach the rank, and between sweeps. In a loop of tiles (program/execution.hpp) only the
// waits of its first iteration count. If the period consists of iterations of the model, every skipped period repeats
// the waits. If it consists of tiles, skipped periods add nothing, since they contain no first iteration of a loop of
// tiles.
//
// Only one thread may use it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::engine {

/// The causes of time on a chain, in the order of record::PathParts.
enum class PathPart : std::uint8_t {
    compute,
    overhead,
    latency,
    bandwidth,
    bus,
    nic,
    link,
    memory,
    wire,
    processing,
    rate,
    packets,
    noise
};
inline constexpr std::size_t kPathParts = 13;
/// Indices of two sums that are stored behind the parts. They describe computing in saturated memory
/// (record::SaturatedMemory).
inline constexpr std::size_t kSaturated = kPathParts;
inline constexpr std::size_t kUneven = kPathParts + 1;
inline constexpr std::size_t kPathSums = kPathParts + 2;

/// A chain of events: each event begins when the previous one ends. The origin of the chain is an element of the
/// machine's state at an earlier cut, or the beginning of the run. The parts add up to the time since the origin. The
/// two sums stored behind the parts are not included.
struct Chain {
    std::int64_t end = 0;  // time at which the chain ends, in picoseconds of virtual time
    std::array<std::int64_t, kPathSums> parts{};
    std::uint32_t origin = 0;

    /// Extends the chain up to the time `time`.
    void pass(std::int64_t time, PathPart part) { extend({time - end}, part); }
    /// Extends the chain by the duration `time`.
    void extend(Time time, PathPart part) {
        parts[static_cast<std::size_t>(part)] += time.ps;
        end += time.ps;
    }
    void extend(const network::TransferParts& transfer, int sign) {
        extend(transfer.copies * sign, PathPart::overhead);
        extend(transfer.table * sign, PathPart::bandwidth);
        extend(transfer.wire * sign, PathPart::wire);
        extend(transfer.packets * sign, PathPart::packets);
    }
};

/// A first-in, first-out queue that allocates nothing when empty. A std::deque takes 576 bytes. A run has two queues
/// for every channel, and nearly all of them are empty or have one entry.
template <typename Entry>
class ChainQueue {
public:
    void push_back(const Entry& entry) { entries_.push_back(entry); }
    /// Removes the first entry. Removed entries are erased when they are as many as the others.
    void pop_front() {
        if (2 * ++first_ < std::ssize(entries_)) return;
        entries_.erase(entries_.begin(), begin());
        first_ = 0;
    }
    bool empty() const { return entries_.empty(); }
    Entry& front() { return *begin(); }
    Entry& back() { return entries_.back(); }
    auto begin() { return entries_.begin() + first_; }
    auto end() { return entries_.end(); }

private:
    std::vector<Entry> entries_;
    std::ptrdiff_t first_ = 0;  // number of removed entries that have not been erased
};

class CriticalPaths {
public:
    explicit CriticalPaths(const Layout& layout);

    /// Returns the bytes of the chains, with one entry in every queue. If `skips` is true, it includes the memory for
    /// skipping periods, with one message and one post per rank.
    static std::uint64_t bytes(const Extents& extents, bool skips);

    // The chains of ranks.
    /// Keeps the rank's processor busy with messages until `clock`.
    void be_busy(Rank rank, std::int64_t clock) { ranks_[rank].pass(clock, PathPart::overhead); }
    /// Notes the noise in the rank's next block, which has noise (variation::ComputeTime::noise_in).
    void expect_noise(Rank rank, Time noise) { noise_[rank] = noise; }
    /// Ends a block of the rank at `clock`.
    void pass_block(Rank rank, std::int64_t clock);
    /// Ends a block of a rank whose core shares memory.
    void pass_shared_block(Rank rank, std::int64_t clock);
    /// Begins a block of the rank at `now`, which would take `alone` if no other core computed. From then on `cores`
    /// cores that share this memory compute, including the rank's own core.
    void begin_block(Rank rank, std::int64_t now, Time alone, std::int64_t cores);
    /// Records that from `now` on `cores` cores that share the rank's memory compute.
    void change_block(Rank rank, std::int64_t now, std::int64_t cores);
    Chain& of(Rank rank) { return ranks_[rank]; }

    struct Occupancy {
        std::int64_t requested = 0;
        std::int64_t granted = 0;
        network::Service service;
        Time packets{};       // part of the service for the packet beyond its bytes
        CostId cost = kNone;  // of the message, if its service may precede the request
    };
    /// Records that a server is occupied.
    void hold(Chain& chain, ServerId server, const Occupancy& occupancy, PathPart part);

    // Posts and rendezvous, by send endpoint.
    void post(SendEndpointId send_endpoint, Rank rank);
    /// Begins a post that is acknowledged later, in a call, and stores the rank's present chain. `end_post` uses the
    /// stored chain if the acknowledgement has the time of the post (`at_post`). Otherwise it uses the rank's chain at
    /// the acknowledgement.
    void begin_post(SendEndpointId send_endpoint, Rank rank) { posted_[send_endpoint] = ranks_[rank]; }
    void end_post(SendEndpointId send_endpoint, Rank rank, bool at_post) {
        posts_[send_endpoint].known.push_back(at_post ? posted_[send_endpoint] : ranks_[rank]);
    }
    /// Uses the post of a message. The post may become known later.
    void use_post(SendEndpointId send_endpoint);
    /// Extends the chain of a rendezvous until `leaves`, when the message may leave. Its request begins at `requested`
    /// and takes `request`. The receive was posted at `posted`.
    void meet(Chain& chain, SendEndpointId send_endpoint, std::int64_t posted, std::int64_t requested, Time request,
              std::int64_t leaves);
    /// Returns the chain of a nonblocking message. It is separate from its rank's chain until the rank has waited for
    /// the message.
    Chain& begun(SendEndpointId send_endpoint) { return begun_[send_endpoint]; }
    void end_begun(SendEndpointId send_endpoint) { begun_.erase(send_endpoint); }

    // Senders that wait for their bytes. If the sender waits until the bytes have left, the chain of the wait extends
    // from the departure until then. If it waits for the arrival, it continues the chain of the last transmitted
    // message, until the arrival of its last byte.
    void wait_for_bytes(SendEndpointId send_endpoint, CostId cost, Chain chain) {
        chain.extend(layout_.parts_of_flight[cost].transfer.sent, 1);
        awaited_[send_endpoint] = chain;
    }
    void wait_for_arrival(SendEndpointId send_endpoint) { awaited_[send_endpoint] = sent_; }
    /// Resumes the rank at `until`. If the rank's own chain ends earlier, the rank continues the chain of the wait.
    void end_wait_for_bytes(Rank rank, SendEndpointId send_endpoint, std::int64_t until);

    // Messages that leave, and arrive.
    /// Identifies a message's request for links by its channel and the number of the request.
    using RequestKey = std::pair<SendEndpointId, std::uint64_t>;
    /// Stores the chain of a message that requests links later.
    void depart(RequestKey request, const Chain& chain) { departed_[request] = chain; }
    /// Begins to grant links to a message with this chain.
    void begin_leaving(const Chain& chain) { before_links_ = leaving_ = chain; }
    /// Begins to grant links to the message of this request, with the chain that `depart` has stored.
    void begin_leaving(RequestKey request) { begin_leaving(departed_.extract(request).mapped()); }
    /// Begins the packets of the message of this request (stepping/packet_trains.hpp).
    void begin_packets(RequestKey request);
    /// Begins to grant links to the next packet.
    void begin_packet(RequestKey request);
    /// Extends the chains of the message to the `clocks` after this packet, which has been granted its links.
    void pass_packet(RequestKey request, const network::PacketStages& stages, const network::PacketClocks& clocks);
    /// Ends the packets of the message, which is then transmitted.
    void end_packets(RequestKey request, CostId cost);
    Chain& leaving() { return leaving_; }
    /// Lets the next message that is transmitted continue the chain of the one that was transmitted last, with which it
    /// arrives.
    void follow_transmitted() { follows_ = true; }
    void transmit(ReceiveEndpointId receive_endpoint, CostId cost, bool delayed, std::int64_t arrives, bool in_flight);
    /// Records that the NIC `server` receives the first message in flight to the endpoint.
    void eject(ReceiveEndpointId receive_endpoint, ServerId server, std::int64_t arrived, std::int64_t granted,
               CostId cost);
    /// Records that the rank receives the first message of the endpoint, at the current instruction of `line`. If the
    /// rank has `waited` for the message, it continues the chain of the message.
    void receive(Rank rank, const RankLine& line, ReceiveEndpointId receive_endpoint, std::int64_t waited);

    // Skipping of repeated iterations.
    void keep();
    void skip(std::int64_t periods);

    using Parts = std::array<Wide, kPathSums>;
    /// Returns the parts of the chain that ends at the rank's clock, since the beginning of the run.
    Parts parts(Rank rank) const;
    /// Returns how long the rank has waited outside the steady state of its pipelines. Collectives that are single
    /// instructions are not included.
    WideTime unfilled(Rank rank) const { return WideTime{unfilled_[rank]}; }

private:
    struct Message {
        Chain chain;
        bool in_flight = false;
    };
    /// The chains of a message in packets, until its last packet so far is copied in, carried and copied out.
    struct PacketChains {
        Chain in, wire, out;
    };
    struct Posts {
        ChainQueue<Chain> known;
        std::uint64_t owed = 0;  // number of messages that have been sent and whose posts are not known yet
    };

    /// The change of an element over some periods: `from` is the index of the element whose chain it continues, and
    /// `parts` is what it adds to this chain.
    struct PeriodStep {
        std::uint32_t from = 0;
        Parts parts{};
    };

    /// A block on cores that share memory: its time in saturated memory, and its longest time at one speed.
    struct SharedBlock {
        Time alone;              // time that it takes without other cores
        std::int64_t since = 0;  // since when it has its present speed
        std::int64_t cores = 0;  // number of computing cores that share the memory
        std::int64_t saturated = 0;
        std::int64_t longest = 0;
    };

    void extend_early(Chain& chain, const Occupancy& occupancy, PathPart part, int sign) const;
    void end_interval(SharedBlock& block, std::int64_t now) const;
    bool in_steady_state(const RankLine& line) const;
    template <typename Visit>
    void for_each_element(const Visit& visit);
    Parts parts(const Chain& chain) const;

    const Layout& layout_;
    IndexedVector<Rank, Chain> ranks_;
    IndexedVector<Rank, SharedBlock> blocks_;
    IndexedVector<Rank, Time> noise_;  // noise in the block that each rank is in or begins next
    IndexedVector<ServerId, Chain> servers_;
    IndexedVector<ReceiveEndpointId, ChainQueue<Message>> messages_;
    IndexedVector<SendEndpointId, Posts> posts_;
    std::map<SendEndpointId, Chain> awaited_;
    std::map<SendEndpointId, Chain> posted_;
    std::map<SendEndpointId, Chain> begun_;
    std::map<RequestKey, Chain> departed_;           // chains of messages that have left and have not been transmitted
    std::map<RequestKey, PacketChains> in_packets_;  // messages in packets that have left and are not transmitted
    Chain leaving_;
    Chain before_links_;
    Chain transmitted_;  // chain of the last transmitted message, until its arrival
    bool follows_ = false;
    /// if senders wait for arrivals: chain of the last transmitted message until the arrival of its last byte
    Chain sent_;
    IndexedVector<InstructionId, InstructionId> tile_loop_;  // the enclosing loop of tiles, or kNone
    IndexedVector<Rank, Wide> unfilled_;
    IndexedVector<Rank, Wide> kept_unfilled_;
    /// parts up to each element of the kept cut; the first entry is for the beginning of the run
    std::vector<Parts> origins_;
};

}  // namespace warpfront::engine
