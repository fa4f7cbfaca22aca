// The critical path of a run: of every rank, message, post and server the longest chain of events that ends there.
//
// Chains are carried forward; no event is stored. A rank's chain ends at its clock. Where two things have to be there,
// the chain of the later one goes on, the rank's own where both come at once:
//   receive       the rank, or the message that comes later
//   rendezvous    the sender's request, or the receive that is posted later; where it makes progress in calls, the rank
//                 that had to end a block first
//   bytes         the sender, or its message where the sender waits for that to leave or to arrive
//   grant         the request, or the message that held the server until the grant: then its hold is part of the path
// A message's chain leaves with it; one that waits for links longer than its sender's copy takes
// (MessageProtocol::delayed) follows who held the last of them. A message that is cut into packets keeps its own chain:
// its delay counts as waiting for links. A post's chain is its rank's. Messages of a channel do not overtake, so the
// chains of its messages, and of its posts, are queues.
//
// Parts: computing; overhead (o_send, o_recv and copies by processors); latency (of flights, requests,
// acknowledgements); bandwidth (the rest of a flight), or wire if a wire limits it; holds of bus, NIC, links by
// messages that others waited for, and apart from these of NICs whose message rate is the hold; memory (computing
// slowed by other cores). Each is a sum of costs of the machine along the path. So the time's derivative by a cost,
// times that cost, is its part: exact for changes so small that the same path stays the longest.
//
// Skipping. At a cut the state has elements: ranks, servers, queued messages, begun ones and posts. At a kept cut k
// each element becomes the origin of its chain; at the cut k + 1 where the state recurs element i has (origin p(i),
// parts D(i)), and
//   V(k+1)(i) = V(k)(p(i)) + D(i).
// Everything in the period recurs, and with it which of two things came later, so p and D are those of all periods, and
// n periods are p and D composed n times: by squares.
//
// Beside the chains: how long a rank has waited for messages anywhere but in trips of loops of tiles after their first
// (program/execution.hpp): until the waves of sweeps reached it, and between them. Periods of iterations repeat it;
// periods of tiles do not, since each rank makes a whole trip in one, and further trips are not first ones.
//
// One thread.
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

/// What a chain's time went to; record::PathParts has the same in the same order.
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
/// Sums that stand behind the parts: computing in saturated memory, as record::SaturatedMemory has it.
inline constexpr std::size_t kSaturated = kPathParts;
inline constexpr std::size_t kUneven = kPathParts + 1;
inline constexpr std::size_t kPathSums = kPathParts + 2;

/// A chain of events that leads from its origin to a moment: each event begins when the one before ends. The origin is
/// an element of the machine's state at an earlier cut, or the beginning of the run. The parts say what the time went
/// to, and add up to that moment; the two sums behind them do not count.
struct Chain {
    std::int64_t end = 0;  // picoseconds of virtual time, as clocks count it
    std::array<std::int64_t, kPathSums> parts{};
    std::uint32_t origin = 0;

    /// The chain goes on until `time`.
    void pass(std::int64_t time, PathPart part) {
        parts[static_cast<std::size_t>(part)] += time - end;
        end = time;
    }
};

/// First in, first out. Empty it allocates nothing, unlike std::deque, which takes 576 bytes: a run has two for every
/// channel, nearly all of them empty or of one entry.
template <typename Entry>
class ChainQueue {
public:
    void push_back(const Entry& entry) { entries_.push_back(entry); }
    /// What was popped is erased once it is as much as the rest.
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
    std::ptrdiff_t first_ = 0;  // not popped; below the size unless there are none
};

class CriticalPaths {
public:
    explicit CriticalPaths(const Layout& layout);

    /// Bytes of the chains with an entry in every queue; with skipping also what n periods are composed of, of a
    /// message and a post for each rank.
    static std::uint64_t bytes(const Extents& extents, bool skips);

    // Ranks.
    void pass(Rank rank, std::int64_t clock, PathPart part) { ranks_[rank].pass(clock, part); }
    /// A block that takes `alone` where no other core is in the way ends at `clock`.
    void pass_block(Rank rank, Time alone, std::int64_t clock);
    /// Begins a block of the rank at `now`, when so many cores that share its memory compute, itself included.
    void begin_block(Rank rank, std::int64_t now, std::int64_t cores);
    /// Notes that so many of them compute from `now` on.
    void change_block(Rank rank, std::int64_t now, std::int64_t cores);
    Chain& of(Rank rank) { return ranks_[rank]; }

    /// A server is held from `granted` on, after a request at `requested`, for `hold`.
    void hold(Chain& chain, ServerId server, std::int64_t requested, std::int64_t granted, std::int64_t hold,
              PathPart part);

    // Posts and rendezvous, by send endpoint.
    void post(SendEndpointId send_endpoint, Rank rank);
    /// A post that is acknowledged in a call: made, and acknowledged then or later, when the chain is its rank's again.
    void begin_post(SendEndpointId send_endpoint, Rank rank) { posted_[send_endpoint] = ranks_[rank]; }
    void end_post(SendEndpointId send_endpoint, Rank rank, bool at_post) {
        posts_[send_endpoint].known.push_back(at_post ? posted_[send_endpoint] : ranks_[rank]);
    }
    /// A message uses the post of its own, known or still to come. Of a rendezvous whose request is made at `requested`
    /// and met by a post made at `posted`, the chain goes on to when the message may leave.
    void use_post(SendEndpointId send_endpoint);
    void meet(Chain& chain, SendEndpointId send_endpoint, std::int64_t posted, std::int64_t requested, Time request,
              std::int64_t leaves);
    /// A message begun without waiting has a chain of its own until its rank's wait for it ends.
    Chain& begun(SendEndpointId send_endpoint) { return begun_[send_endpoint]; }
    void end_begun(SendEndpointId send_endpoint) { begun_.erase(send_endpoint); }

    // Senders that wait for their bytes. The chain of the wait: from the departure until the bytes have left; or that
    // of the message, which has been transmitted last on its channel.
    void wait_for_bytes(SendEndpointId send_endpoint, CostId cost, Chain chain, std::int64_t until) {
        chain.pass(until, transfer_of(cost));
        awaited_[send_endpoint] = chain;
    }
    void wait_for_arrival(SendEndpointId send_endpoint, ReceiveEndpointId receive_endpoint) {
        awaited_[send_endpoint] = messages_[receive_endpoint].back().chain;
    }
    /// The rank goes on at `until`, if that is later than its chain's end.
    void end_wait_for_bytes(Rank rank, SendEndpointId send_endpoint, std::int64_t until);

    // Messages that leave, and arrive.
    /// The message requests its links later.
    void depart(SendEndpointId send_endpoint, const Chain& chain) { departed_[send_endpoint].push_back(chain); }
    /// The message whose links are granted now.
    void begin_leaving(const Chain& chain) { before_links_ = leaving_ = chain; }
    void begin_leaving(SendEndpointId send_endpoint);
    /// ... of several packets, which links have delayed by so long.
    void wait_for_links(SendEndpointId send_endpoint, Time delay) {
        begin_leaving(send_endpoint);
        leaving_.pass(leaving_.end + delay.ps, PathPart::link);
    }
    Chain& leaving() { return leaving_; }
    void transmit(ReceiveEndpointId receive_endpoint, CostId cost, bool delayed, std::int64_t arrives, bool in_flight);
    /// The first message of the endpoint in flight is taken by the NIC `server`.
    void eject(ReceiveEndpointId receive_endpoint, ServerId server, std::int64_t arrived, std::int64_t granted,
               CostId cost);
    /// The rank takes the first message, at the instruction at which `line` stands; its chain goes on where the rank
    /// has `waited` for it.
    void receive(Rank rank, const RankLine& line, ReceiveEndpointId receive_endpoint, std::int64_t waited);

    // Skipping.
    void keep();
    void skip(std::int64_t periods);

    /// Returns the part of the transfer of a message: wire if a wire limits it.
    PathPart transfer_of(CostId cost) const {
        return layout_.costs[cost].limited_by_wire ? PathPart::wire : PathPart::bandwidth;
    }

    using Parts = std::array<Wide, kPathSums>;
    /// The parts of a rank's path, from the beginning of the run.
    Parts parts(Rank rank) const;
    /// The longest of all ranks.
    /// How long the rank has waited outside the steady state of its pipelines, collectives of one instruction left out.
    WideTime unfilled(Rank rank) const { return WideTime{unfilled_[rank]}; }

private:
    struct Message {
        Chain chain;
        bool in_flight = false;
    };
    struct Posts {
        ChainQueue<Chain> known;
        std::uint64_t owed = 0;  // of messages that were sent before
    };

    /// The element that an element's chain continues after some periods, and the parts since.
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
    std::map<SendEndpointId, ChainQueue<Chain>> departed_;  // and have not been granted links
    Chain leaving_;
    Chain before_links_;
    IndexedVector<InstructionId, InstructionId> tile_loop_;  // the loop of tiles that it stands in, or kNone
    IndexedVector<Rank, Wide> unfilled_;
    IndexedVector<Rank, Wide> kept_unfilled_;
    std::vector<Parts> origins_;  // by element of the kept cut, from the beginning of the run; the first: the beginning
};

}  // namespace warpfront::engine
