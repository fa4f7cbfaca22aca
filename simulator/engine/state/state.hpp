// The data that the engine changes during a run. A rank takes one cache line, and each receive endpoint and send
// endpoint 16 bytes. A send endpoint of a collective with eager messages takes 8 bytes. Servers are stored by node. A
// rank with at most four channels in each direction fits into three cache lines.
//
// A rank is in one of these states. The meaning of its clock depends on the state:
//   running          in the ready queue or being simulated     when its next instruction starts
//   sending          blocked in a rendezvous send              when its o_send was over
//   receiving        blocked in a receive                      when it began to wait
//   leaving          blocked until the arrival of its message is known      when the message left its node
//   choosing         blocked until a message of a choice arrives      when it began to wait
//   requests_processing  requests the message processing for a sent message    the request time
//   requests_departure   requests the bus (or the next resource) for a sent message   the request time
//   requests_injection   has been granted the bus and requests the NIC              the request time
//   requests_receive     requests the bus for a received message               the request time
//   requests_match    a message of a choice has arrived, or will   when it began to wait; the request is for the match
//   requests_compute  requests to compute, if cores share memory bandwidth         the request time
//   computing         computes, if cores share memory bandwidth      when it will end at its present speed
//   in_block          in a block of a fixed length, if ranks make progress in calls      when the block will end
//   at_iteration_end     paused at the end of an iteration (see recurrence.hpp)
//   done             has finished                              when it finished
// A rank has at most one request that waits for its time, since MPI calls are blocking. So pending requests need no
// storage of their own. The state of a nonblocking message changes from `sending` to `done` when the message has left
// its node. In between, it may be `awaits_call` if the message makes progress in calls and its acknowledgement has
// arrived, or `leaving` if its sender waits for its arrival.
//
// Events are ordered by time, then by the age of a request (network/order.hpp), then by rank.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "simulator/engine/state/indexed_vector.hpp"
#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/memory_budget.hpp"
#include "simulator/network/order.hpp"
#include "simulator/network/server.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/wave.hpp"

namespace warpfront::engine {

enum class RankState : std::uint8_t {
    running,
    sending,
    receiving,
    leaving,
    awaits_call,
    choosing,
    requests_processing,
    requests_departure,
    requests_injection,
    requests_receive,
    requests_match,
    requests_compute,
    computing,
    in_block,
    at_iteration_end,
    done
};

inline bool has_request(RankState state) {
    return state >= RankState::requests_processing && state <= RankState::in_block;
}

/// Something that requests the shared resources of a node: a rank, or a nonblocking message of a rank
/// (stepping/begun_messages.hpp).
struct Requester {
    std::int64_t clock = 0;        // picoseconds; its meaning depends on the state (see above)
    std::int64_t server_wait = 0;  // total wait for servers, outside collectives
    std::int64_t nic_wait = 0;     // total wait for NICs, outside collectives
    CostId request_cost{};         // cost of the message that is sent, or of the message of the request
    RankState state = RankState::running;
};

struct alignas(64) RankLine : Requester {
    std::uint8_t collective_position = 0;  // 0 outside collectives, otherwise 1 + 3 * step + (0 post, 1 send, 2 wait)
    Core core;                             // core on its node
    std::uint64_t wave = 0;                // iteration << kWaveBits | wave within the iteration
    InstructionId at;                      // the next or the current instruction
    /// iterations left of each loop, including the present iteration
    std::array<std::uint32_t, program::kMaxLoopDepth> iterations_left{};
    Node node;
};
static_assert(sizeof(RankLine) == 64);

/// Adds `waves` to the waves of the rank's iteration. Throws std::length_error if they exceed 2^34, which takes hours
/// of simulation.
inline void add_waves(RankLine& line, std::uint64_t waves) {
    const std::uint64_t before = line.wave;
    line.wave += waves;
    if (before >> kWaveBits == line.wave >> kWaveBits) return;
    throw std::length_error("an iteration has more iterations of loops than the engine can count (2^34)");
}

/// The state of a receive endpoint's head, its first message. If the head is `in_flight`, ReceiveEndpoint::time is its
/// arrival at the NIC. If it is `data`, this is the time from which it can be received.
enum class ReceiveState : std::uint8_t { empty, in_flight, data };

/// The receiver's end of a channel (source, destination, tag), with the first message, its head. Further messages are
/// queued behind the head in order (Backlog).
struct ReceiveEndpoint {
    std::int64_t time = 0;
    std::uint32_t cost_index : 24 = 0;
    std::uint32_t state : 2 = 0;              // a ReceiveState
    std::uint32_t awaited : 1 = 0;            // 1 if the receiver waits for a message here
    std::uint32_t needs_post_notice : 1 = 0;  // 1 if the sender is notified of posts
    /// 1 if the sender's end is in the same partition, and posts need no remote event
    std::uint32_t is_local : 1 = 0;
    std::uint32_t delayed : 1 = 0;         // 1 if the head was delayed in the network: see Backlog::delay
    std::uint32_t queued : 1 = 0;          // 1 if messages are queued behind the head: see Backlog
    std::uint32_t in_choice : 1 = 0;       // 1 if messages here are candidates (stepping/matching.hpp)
    SendEndpointId send_endpoint = kNone;  // endpoint of the sender

    CostId cost() const { return {cost_index}; }
    void set_cost(CostId cost) { cost_index = cost.index & 0xFFFFFFU; }
};
static_assert(sizeof(ReceiveEndpoint) == 16);

inline void set(ReceiveEndpoint& head, ReceiveState state) { head.state = static_cast<std::uint32_t>(state) & 3U; }
inline bool is(const ReceiveEndpoint& head, ReceiveState state) {
    return head.state == static_cast<std::uint32_t>(state);
}

/// The sender's end of a channel. A receive is posted only after the previous message has been received, so at most one
/// known post has not been used by a message. On a channel with both eager and rendezvous messages, messages may have
/// been sent before their posts (State::before_post).
struct SendEndpoint {
    ReceiveEndpointId receive_endpoint = kNone;
    std::uint32_t path : 16 = 0;
    std::uint32_t has_post : 1 = 0;  // 1 if a post is known that no message has used; a rendezvous needs such a post
    std::uint32_t own_link : 3 = 0;
    std::uint32_t is_local : 1 = 0;
    std::uint32_t needs_post_notice : 1 = 0;  // 1 if the receiver notifies the sender of posts
    std::uint32_t blocked : 1 = 0;            // 1 if a message here waits for its post
};
static_assert(sizeof(SendEndpoint) == 8);

struct PostedSendEndpoint : SendEndpoint {
    std::int64_t posted = 0;  // time of the latest known post
};
static_assert(sizeof(PostedSendEndpoint) == 16);

/// The waits of a message in the network. They are subtracted from its receiver's waiting time.
struct Delay {
    std::int64_t link = 0;
    std::int64_t ejection = 0;
};

/// The messages behind the heads of receive endpoints, and the delays of heads. Freed entries are used again. Each
/// partition has one backlog. The messages of an endpoint are linked in a circle, in order: the last one refers to the
/// first.
class Backlog {
public:
    struct EntryId {
        std::uint32_t index = 0;
        friend constexpr bool operator==(EntryId, EntryId) = default;
    };
    struct Entry {
        std::int64_t time = 0;
        Delay delay;
        std::uint32_t cost_index : 31 = 0;
        std::uint32_t in_flight : 1 = 0;
        EntryId next = kNone;

        CostId cost() const { return {cost_index}; }
        void set_cost(CostId cost) { cost_index = cost.index & 0x7FFFFFFFU; }
    };
    struct Ends {
        EntryId last = kNone;
        EntryId in_flight = kNone;  // first message that has not reached the NIC yet
    };
    using Channels = HugePageArray<ReceiveEndpointId, Ends>;
    using DelayNumbers = HugePageArray<ReceiveEndpointId, std::uint32_t>;
    /// Makes a backlog. `channels` contains the ends of the queues of channels. Messages of collectives are rarely
    /// queued, so the ends of their queues are in a table. `delay_numbers` has an element for each channel if messages
    /// can be delayed.
    Backlog(Channels& channels, DelayNumbers& delay_numbers, MemoryBudget& budget)
        : channels_(channels), delay_numbers_(delay_numbers), budget_(budget) {}

    void push(ReceiveEndpointId receive_endpoint, const Entry& entry);
    /// Removes the first message behind the head and returns it. Sets `more` to true if there are further messages.
    Entry pop(ReceiveEndpointId receive_endpoint, bool& more);
    /// Returns the first message behind the head. There must be one.
    const Entry& first(ReceiveEndpointId receive_endpoint) {
        return entries_[entries_[ends(receive_endpoint).last].next];
    }
    /// Returns the first message behind the head that is in flight; null if there is none.
    Entry* first_in_flight(ReceiveEndpointId receive_endpoint) {
        const EntryId entry = ends(receive_endpoint).in_flight;
        return entry == kNone ? nullptr : &entries_[entry];
    }
    /// Records that the first message in flight behind the head has reached the NIC.
    void land(ReceiveEndpointId receive_endpoint);
    /// Calls `visit` for each message behind the head, in order.
    template <typename Visit>
    void for_each(ReceiveEndpointId receive_endpoint, const Visit& visit) {
        const EntryId last = ends(receive_endpoint).last;
        if (last == kNone) return;
        for (EntryId at = entries_[last].next;; at = entries_[at].next) {
            visit(entries_[at]);
            if (at == last) return;
        }
    }
    std::uint64_t count(ReceiveEndpointId receive_endpoint);
    /// Returns how many messages are queued behind the heads of all channels.
    std::uint64_t count() const { return entries_.size() - free_.size(); }

    /// Stores the delay of a head. The head must be marked `delayed`. `delay` returns the delay until `end_delay` is
    /// called.
    void delay_head(ReceiveEndpointId receive_endpoint, const Delay& delay);
    Delay& delay(ReceiveEndpointId receive_endpoint) { return delays_[delay_numbers_[receive_endpoint]]; }
    void end_delay(ReceiveEndpointId receive_endpoint) { free_delays_.push_back(delay_numbers_[receive_endpoint]); }

    std::uint64_t bytes() const;

private:
    EntryId next_in_flight(EntryId entry, EntryId last) const;
    Ends& ends(ReceiveEndpointId receive_endpoint) {
        return channels_.contains(receive_endpoint) ? channels_[receive_endpoint] : collective_[receive_endpoint];
    }

    Channels& channels_;
    DelayNumbers& delay_numbers_;
    MemoryBudget& budget_;
    /// queues of collectives; looked up, but never iterated
    std::unordered_map<ReceiveEndpointId, Ends, IdHash> collective_;
    IndexedVector<EntryId, Entry> entries_;
    std::vector<EntryId> free_;
    std::vector<Delay> delays_;
    std::vector<std::uint32_t> free_delays_;
};

/// Sums by rank that are used more rarely than those in RankLine.
struct RankStatistics {
    std::int64_t compute = 0;  // time of blocks, if they may not take their nominal times
    std::uint64_t blocks = 0;  // number of blocks that have ended in this iteration, if times of blocks vary
    std::int64_t link_wait = 0;
    std::int64_t collective = 0;
    std::int64_t unexpected_messages = 0;  // number of messages that arrived before their receive was posted
    std::int64_t unexpected_time = 0;      // cost of these messages, outside collectives
    /// time at which the first iteration of a loop ended, before any collective; 0 if there was none
    std::int64_t first_tile = 0;
};

/// Processor time for messages. It is summed during the simulation if the run determines partners.
struct Overheads {
    std::int64_t send = 0;
    std::int64_t recv = 0;
    std::int64_t until = 0;  // the sums contain everything up to this time
};

/// The time at which an open receive was posted, if its rank may not wait for it at once. If all bits are 0, no receive
/// is open.
struct OpenPost {
    std::int64_t time_and_one = 0;

    bool exists() const { return time_and_one > 0; }
    std::int64_t time() const { return time_and_one - 1; }
};

/// The number of elements in each array of a State. Exact numbers follow from the layout of a run. Estimates follow
/// from program and machine before there is a layout (estimate.cpp).
struct Extents {
    std::uint64_t ranks = 0;
    std::uint64_t channels = 0;              // receive endpoints of channels
    std::uint64_t receive_endpoints = 0;     // receive endpoints of channels and collectives
    std::uint64_t send_endpoints = 0;        // send endpoints that may need a clear-to-send
    std::uint64_t quiet_send_endpoints = 0;  // send endpoints that never need a clear-to-send
    std::uint64_t servers = 0;
    std::uint64_t turns = 0;
    std::uint64_t links = 0;  // number of servers that are links
    std::uint64_t delay_numbers = 0;
    std::uint64_t before_post = 0;
    std::uint64_t phase_times = 0;
    std::uint64_t overheads = 0;
    std::uint64_t open_posts = 0;
};

/// Returns the memory of a State's arrays.
std::uint64_t state_bytes(const Extents& extents);

class CriticalPaths;
class TimelineRecorder;

struct State {
    State(const Layout& layout, const Channels& channels);

    HugePageArray<Rank, RankLine> ranks;
    HugePageArray<ReceiveEndpointId, ReceiveEndpoint> receive_endpoints;
    HugePageArray<SendEndpointId, PostedSendEndpoint> send_endpoints;
    /// Send endpoints of collectives, counted from the first one, if none needs a clear-to-send. Otherwise these
    /// endpoints are in `send_endpoints`.
    HugePageArray<SendEndpointId, SendEndpoint> quiet_send_endpoints;
    HugePageArray<ServerId, network::Server> servers;      // numbered as in Layout
    IndexedVector<ServerId, network::Turn> turns;          // next link of each bundle, if the choice is round_robin
    HugePageArray<LinkServerId, std::int64_t> link_waits;  // total wait of messages for each link, if links are shared
    HugePageArray<Rank, RankStatistics> statistics;
    HugePageArray<Rank, Overheads> overheads;               // only if the program has choices
    HugePageArray<ReceiveEndpointId, OpenPost> open_posts;  // only if unexpected messages are counted
    Backlog::DelayNumbers delay_numbers;  // for Backlog::delay, by channel; only if NICs or links are shared
    Backlog::Channels queues;             // queues of messages behind the heads of channels
    /// Number of messages sent before their post, if some channel has eager and rendezvous messages.
    HugePageArray<SendEndpointId, std::uint64_t> before_post;

    LargePageVector<std::int64_t> phase_times;  // times by rank and phase, if the program has phases: see begin_phase
    bool records_activity = false;              // true if activities are recorded, in `overheads` or in a timeline
    MemoryBudget budget;
    CriticalPaths* paths = nullptr;        // null if critical paths are not requested
    TimelineRecorder* timeline = nullptr;  // null if no timeline is requested
    std::uint64_t bytes() const;

    SendEndpoint& send_endpoint(SendEndpointId number) {
        return is_quiet(number) ? quiet_send_endpoints[quiet(number)] : send_endpoints[number];
    }
    const SendEndpoint& send_endpoint(SendEndpointId number) const {
        return is_quiet(number) ? quiet_send_endpoints[quiet(number)] : send_endpoints[number];
    }

    /// Adds a post. It belongs to the first message of the send endpoint that has no post yet.
    void add_post(SendEndpointId send_endpoint, std::int64_t posted) {
        send_endpoints[send_endpoint].posted = posted;
        if (!before_post.empty() && before_post[send_endpoint] > 0) {
            --before_post[send_endpoint];
        } else {
            send_endpoints[send_endpoint].has_post = 1;
        }
    }
    /// Uses the post of a message that is sent. For an eager message, the sender may learn of the post later.
    void use_post(SendEndpointId send_endpoint) {
        if (send_endpoints[send_endpoint].has_post == 0) ++before_post[send_endpoint];
        send_endpoints[send_endpoint].has_post = 0;
    }

private:
    State(const Layout& layout, const Channels& channels, const Extents& extents);

    bool is_quiet(SendEndpointId number) const { return number.index >= extents_.send_endpoints; }
    SendEndpointId quiet(SendEndpointId number) const {
        return {number.index - static_cast<std::uint32_t>(extents_.send_endpoints)};
    }

    const Extents extents_;
};

// The time of every rank by phase of the program. A rank is in the phase of its current instruction (Layout::phase_at):
// from its clock at the mark that begins the phase to its clock at the next mark. During a phase the stored sum
// contains the clock at its beginning with a negative sign. So the time up to a cut of virtual time is the stored sum
// plus the cut.

inline std::size_t phase_place(const Layout& layout, Rank rank, std::uint32_t phase) {
    return std::size_t{rank.index} * layout.phases + phase;
}

/// Ends the rank's phase, and begins `phase` at the rank's clock.
inline void begin_phase(const Layout& layout, State& state, Rank rank, const RankLine& line, std::uint32_t phase) {
    state.phase_times[phase_place(layout, rank, layout.phase_at[line.at])] += line.clock;
    state.phase_times[phase_place(layout, rank, phase)] -= line.clock;
}

/// Ends the phase of a rank that has finished.
inline void end_phases(const Layout& layout, State& state, Rank rank, const RankLine& line) {
    if (layout.phases > 0) state.phase_times[phase_place(layout, rank, layout.phase_at[line.at])] += line.clock;
}

}  // namespace warpfront::engine
