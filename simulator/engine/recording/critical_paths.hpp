// The critical path of a run: for every rank, message, post and server, the longest chain of events that ends there.
//
// Chains are carried forward; no event is stored. A rank's chain ends at its clock. If two events have to be complete,
// the chain of the later one continues, or the rank's own if both come at once:
//   receive       the rank, or the message that comes later
//   rendezvous    the sender's request, or the receive that is posted later; if it makes progress in calls, the rank
//                 that had to end a block first
//   bytes         the sender, or its message if the sender waits for that to leave or to arrive
//   grant         the request, or the message that occupied the server until the grant, whose occupancy is on the path
// A message's chain leaves with the message. If it waits for links longer than its sender's copy takes
// (MessageProtocol::delayed), it follows the message that occupied the last of them. A message that is cut into packets
// keeps its own chain: its delay counts as waiting for links. A post's chain is its rank's. Messages of a channel do
// not overtake, so the chains of its messages, and of its posts, are queues.
//
// The parts are computing, overhead (o_send, o_recv and copies by processors), latency (of flights, requests and
// acknowledgements), bandwidth (the rest of a flight; wire, if a wire limits it), service times, and memory (computing
// slowed by other cores). The service time of a message at a bus, a NIC or a link is on the path if another message
// waited for it. If the message rate of a NIC determines the service time, it belongs to a separate part. Each part is
// a sum of costs of the machine along the path. So the time's derivative by a cost, times that cost, is its part: exact
// for changes so small that the same path stays the longest.
//
// Skipping. At a cut the state has elements: ranks, servers, queued messages, nonblocking sends and posts. At a kept
// cut k each element becomes the origin of its chain; if the state recurs at the cut k + 1, element i has (origin p(i),
// parts D(i)), and
//   V(k+1)(i) = V(k)(p(i)) + D(i).
// Everything in the period recurs, including which of two events came later, so p and D are those of all periods, and n
// periods are p and D composed n times: by squares.
//
// In addition to the chains: the time that a rank has waited for messages, except in iterations of loops of tiles after
// their first (program/execution.hpp): until the waves of sweeps reached it, and between them. Periods of iterations
// repeat it; periods of tiles do not, since each rank makes a whole loop iteration in one, and further iterations are
// not first ones.
//
// Used by one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::engine {

/// The causes of time on a chain; record::PathParts has the same causes in the same order.
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
    rate
};
inline constexpr std::size_t kPathParts = 11;
/// Sums that follow the parts: computing in saturated memory, as in record::SaturatedMemory.
inline constexpr std::size_t kSaturated = kPathParts;
inline constexpr std::size_t kUneven = kPathParts + 1;
inline constexpr std::size_t kPathSums = kPathParts + 2;

/// A chain of events that leads from its origin to a moment: each event begins when the one before ends. The origin is
/// an element of the machine's state at an earlier cut, or the beginning of the run. The parts add up to the time of
/// that moment; the two sums after them are not included.
struct Chain {
    std::int64_t end = 0;  // picoseconds of virtual time, as clocks count it
    std::array<std::int64_t, kPathSums> parts{};
    std::uint32_t origin = 0;

    /// Extends the chain to `time`.
    void pass(std::int64_t time, PathPart part) {
        parts[static_cast<std::size_t>(part)] += time - end;
        end = time;
    }
};

/// A first-in, first-out queue. When empty it allocates nothing, in contrast to std::deque, which takes 576 bytes: a
/// run has two for every channel, nearly all of them empty or with one entry.
template <typename Entry>
class ChainQueue {
public:
    void push_back(const Entry& entry) { entries_.push_back(entry); }
    /// Removes the first entry; popped entries are erased once they are as many as the rest.
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
    std::ptrdiff_t first_ = 0;  // number of popped entries; below the size unless there are none
};

class CriticalPaths {
public:
    explicit CriticalPaths(const Layout& layout);

    /// Returns the bytes of the chains with an entry in every queue; with skipping also those for composing n periods,
    /// with a message and a post for each rank.
    static std::uint64_t bytes(const Extents& extents, bool skips);

    // The chains of ranks.
    void pass(Rank rank, std::int64_t clock, PathPart part) { ranks_[rank].pass(clock, part); }
    /// Ends a block at `clock` that takes `alone` without other cores.
    void pass_block(Rank rank, Time alone, std::int64_t clock);
    /// Begins a block of the rank at `now`, when `cores` cores that share its memory compute, including itself.
    void begin_block(Rank rank, std::int64_t now, std::int64_t cores);
    /// Notes that this number of cores computes from `now` on.
    void change_block(Rank rank, std::int64_t now, std::int64_t cores);
    Chain& of(Rank rank) { return ranks_[rank]; }

    struct Occupancy {
        std::int64_t requested = 0;
        std::int64_t granted = 0;
        network::Service service;
    };
    /// Records that a server is occupied.
    void hold(Chain& chain, ServerId server, const Occupancy& occupancy, PathPart part);

    // Posts and rendezvous, by send endpoint.
    void post(SendEndpointId send_endpoint, Rank rank);
    /// Begins a post that is acknowledged in a call: it is made now, and acknowledged now or later, when the chain is
    /// that of its rank again.
    void begin_post(SendEndpointId send_endpoint, Rank rank) { posted_[send_endpoint] = ranks_[rank]; }
    void end_post(SendEndpointId send_endpoint, Rank rank, bool at_post) {
        posts_[send_endpoint].known.push_back(at_post ? posted_[send_endpoint] : ranks_[rank]);
    }
    /// Uses the post of a message, which is known or will follow. For a rendezvous whose request is made at `requested`
    /// and met by a post made at `posted`, the chain continues until the message may leave.
    void use_post(SendEndpointId send_endpoint);
    void meet(Chain& chain, SendEndpointId send_endpoint, std::int64_t posted, std::int64_t requested, Time request,
              std::int64_t leaves);
    /// Returns the chain of a nonblocking message, which is separate until its rank's wait for it ends.
    Chain& begun(SendEndpointId send_endpoint) { return begun_[send_endpoint]; }
    void end_begun(SendEndpointId send_endpoint) { begun_.erase(send_endpoint); }

    // Senders that wait for their bytes. The chain of the wait extends from the departure until the bytes have left; or
    // it is that of the message that has been transmitted last on its channel.
    void wait_for_bytes(SendEndpointId send_endpoint, CostId cost, Chain chain, std::int64_t until) {
        chain.pass(until, transfer_of(cost));
        awaited_[send_endpoint] = chain;
    }
    void wait_for_arrival(SendEndpointId send_endpoint, ReceiveEndpointId receive_endpoint, CostId cost,
                          std::int64_t until) {
        wait_for_bytes(send_endpoint, cost, messages_[receive_endpoint].back().chain, until);
    }
    /// Resumes the rank at `until`, if that is later than its chain's end.
    void end_wait_for_bytes(Rank rank, SendEndpointId send_endpoint, std::int64_t until);

    // Messages that leave, and arrive.
    /// Stores the chain of a message that requests its links later.
    void depart(SendEndpointId send_endpoint, const Chain& chain) { departed_[send_endpoint].push_back(chain); }
    /// Begins the grant of links to this message.
    void begin_leaving(const Chain& chain) { before_links_ = leaving_ = chain; }
    void begin_leaving(SendEndpointId send_endpoint);
    /// Adds the delay by links of a message of several packets.
    void wait_for_links(SendEndpointId send_endpoint, Time delay) {
        begin_leaving(send_endpoint);
        leaving_.pass(leaving_.end + delay.ps, PathPart::link);
    }
    Chain& leaving() { return leaving_; }
    void transmit(ReceiveEndpointId receive_endpoint, CostId cost, bool delayed, std::int64_t arrives, bool in_flight);
    /// Records that the NIC `server` takes the first message of the endpoint in flight.
    void eject(ReceiveEndpointId receive_endpoint, ServerId server, std::int64_t arrived, std::int64_t granted,
               CostId cost);
    /// Records that the rank takes the first message, at the instruction at which `line` stands. If the rank has
    /// `waited` for the message, its chain continues from that of the message.
    void receive(Rank rank, const RankLine& line, ReceiveEndpointId receive_endpoint, std::int64_t waited);

    // Skipping of repeated iterations.
    void keep();
    void skip(std::int64_t periods);

    /// Returns the part of the transfer of a message: wire if a wire limits it.
    PathPart transfer_of(CostId cost) const {
        return layout_.costs[cost].limited_by_wire ? PathPart::wire : PathPart::bandwidth;
    }

    using Parts = std::array<Wide, kPathSums>;
    /// Returns the parts of a rank's path, from the beginning of the run.
    Parts parts(Rank rank) const;
    /// Returns the time that the rank has waited outside the steady state of its pipelines, without collectives of one
    /// instruction.
    WideTime unfilled(Rank rank) const { return WideTime{unfilled_[rank]}; }

private:
    struct Message {
        Chain chain;
        bool in_flight = false;
    };
    struct Posts {
        ChainQueue<Chain> known;
        std::uint64_t owed = 0;  // number of earlier messages
    };

    /// The element whose chain an element continues after some periods, and the parts since.
    struct PeriodStep {
        std::uint32_t from = 0;
        Parts parts{};
    };

    /// A block on cores that share memory: its time in saturated memory, and its longest time at one speed.
    struct SharedBlock {
        std::int64_t since = 0;  // of its present speed
        std::int64_t cores = 0;  // that share the memory
        std::int64_t saturated = 0;
        std::int64_t longest = 0;
    };

    void end_interval(SharedBlock& block, std::int64_t now) const;
    bool in_steady_state(const RankLine& line) const;
    template <typename Visit>
    void for_each_element(const Visit& visit);
    Parts parts(const Chain& chain) const;

    const Layout& layout_;
    IndexedVector<Rank, Chain> ranks_;
    IndexedVector<Rank, SharedBlock> blocks_;
    IndexedVector<ServerId, Chain> servers_;
    IndexedVector<ReceiveEndpointId, ChainQueue<Message>> messages_;
    IndexedVector<SendEndpointId, Posts> posts_;
    std::map<SendEndpointId, Chain> awaited_;
    std::map<SendEndpointId, Chain> posted_;
    std::map<SendEndpointId, Chain> begun_;
    std::map<SendEndpointId, ChainQueue<Chain>> departed_;  // by messages that have not been granted links
    Chain leaving_;
    Chain before_links_;
    IndexedVector<InstructionId, InstructionId> tile_loop_;  // the enclosing loop of tiles, or kNone
    IndexedVector<Rank, Wide> unfilled_;
    IndexedVector<Rank, Wide> kept_unfilled_;
    std::vector<Parts> origins_;  // parts up to each element of the kept cut; the first is the beginning of the run
};

}  // namespace warpfront::engine
