// Rendezvous that make progress only in MPI calls (`progress: in_calls` of a hardware file), if ranks use nonblocking
// messages.
//
// A rank is in a call except in its blocks (compute, delay). Consider consecutive blocks without a message operation
// between them: the first block begins at b, and the last one ends at e. If an action of the rank is due at t, the rank
// performs it at the time
//
//   R(t) = e  if b < t < e for some such b and e,  else t
//
// The rank is in a call at b, at e, and from its last operation on (MPI_Finalize). Consider a rendezvous that is
// requested at q, when o_send is over. Its receive is posted at p:
//
//   met            m = max(p, q + request)
//   acknowledged   r = R_receiver(m)                  equal to m if the receive is blocking or waited for
//   leaves         d = R_sender(r + answer)           equal to r + answer if the send is blocking or waited for
//
// When the data leaves, neither rank has to act any more: network interfaces move the data. Eager messages need no
// progress.
//
// An action of a rank is a timed request of its node. It is granted before all other requests of the same time. This
// order is exact: whether t is in a block depends only on events before t, which have already taken place. It does not
// depend on other events at t, since the rank is in a call at b and at e. A block is a timed request too. It is granted
// at its end, before all other requests of that time, because messages may leave then. So a rank never runs ahead of
// its node through a block. If a rendezvous may have to wait until its receiver is in a call, no clear-to-send is sent
// when the receive is posted. Instead, the request of the message goes to the receiver's node. The receiver sends the
// clear-to-send when it acknowledges the request.
//
// The tables in this file, by rank or endpoint, are only looked up, never iterated. Only one thread at a time may use
// them.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/engine/state/ids.hpp"
#include "simulator/engine/stepping/matching.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::engine {

/// An action for a rendezvous: its receiver acknowledges it, or its sender lets the data leave.
struct ProgressStep {
    enum class Kind : std::uint8_t { acknowledge, leave };

    std::int64_t time = 0;
    Kind kind = Kind::acknowledge;
    std::uint32_t endpoint_index = 0;  // a receive endpoint to acknowledge, or a send endpoint to leave
    friend constexpr auto operator<=>(const ProgressStep&, const ProgressStep&) = default;

    static ProgressStep acknowledge(std::int64_t time, ReceiveEndpointId endpoint) {
        return {time, Kind::acknowledge, endpoint.index};
    }
    static ProgressStep leave(std::int64_t time, SendEndpointId endpoint) {
        return {time, Kind::leave, endpoint.index};
    }
    ReceiveEndpointId receive_endpoint() const { return {endpoint_index}; }
    SendEndpointId send_endpoint() const { return {endpoint_index}; }
};

/// The receiver's end of a channel whose rendezvous are acknowledged in calls. The channel has at most one open
/// request.
struct AcknowledgedChannel {
    std::uint32_t posts = 0;                // number of posts, modulo 2^32; messages of the channel use posts in order
    std::int64_t posted = 0;                // time of the latest post
    std::optional<MessageRequest> request;  // request of a message that has not met its post
};

class CallProgress {
public:
    /// Begins a block of the rank at `time`.
    void leave_call(Rank rank, std::int64_t time) {
        std::int64_t& since = ranks_[rank].outside_since;
        since = std::min(since, time);
    }
    /// Ends the rank's blocks. Returns the actions that were postponed during the blocks.
    std::vector<ProgressStep> enter_call(Rank rank) { return std::exchange(ranks_[rank], {}).postponed; }
    /// Returns true if the rank is in a block at `time`. `time` must not be after the end of the block.
    bool is_outside(Rank rank, std::int64_t time) const { return time > outside_since(rank); }
    /// Returns the beginning of the rank's blocks; kHorizon if it is in no block.
    std::int64_t outside_since(Rank rank) const {
        const auto found = ranks_.find(rank);
        return found == ranks_.end() ? kHorizon.ps : found->second.outside_since;
    }
    /// Postpones an action to the end of the rank's blocks.
    void postpone(Rank rank, const ProgressStep& step) { ranks_[rank].postponed.push_back(step); }
    const std::vector<ProgressStep>& postponed(Rank rank) const {
        static const std::vector<ProgressStep> none;
        const auto found = ranks_.find(rank);
        return found == ranks_.end() ? none : found->second.postponed;
    }

    AcknowledgedChannel& channel(ReceiveEndpointId endpoint) { return channels_[endpoint]; }
    AcknowledgedChannel channel(ReceiveEndpointId endpoint) const {
        const auto found = channels_.find(endpoint);
        return found == channels_.end() ? AcknowledgedChannel{} : found->second;
    }

    /// Adds an action of a rank. The caller adds an event to the calendar at the time of the action.
    void request(const ProgressStep& step) { steps_.insert(step); }
    void end(const ProgressStep& step) { steps_.erase(step); }
    /// Returns all requested actions.
    const std::set<ProgressStep>& steps() const { return steps_; }

    std::uint64_t bytes() const {
        constexpr std::uint64_t kNode = 48;  // bytes of a node of a table or a tree, including its entry
        std::uint64_t sum = kNode * (ranks_.size() + channels_.size() + 2 * steps_.size());
        for (const auto& [rank, each] : ranks_) sum += each.postponed.capacity() * sizeof(ProgressStep);
        return sum;
    }

private:
    struct OfRank {
        std::int64_t outside_since = kHorizon.ps;
        std::vector<ProgressStep> postponed;
    };

    std::unordered_map<Rank, OfRank, IdHash> ranks_;
    std::unordered_map<ReceiveEndpointId, AcknowledgedChannel, IdHash> channels_;
    std::set<ProgressStep> steps_;
};

}  // namespace warpfront::engine
