// Nonblocking messages of ranks (MPI_Isend) that may have to wait for their posts, or for a bus or NIC of their node.
//
// Such a message leaves by itself, even while its rank computes. An eager message leaves at once, and a rendezvous when
// its sender receives notice of the post. If it makes progress only in calls, it leaves when its rank is in a call
// (call_progress.hpp). It requests the resources of its node by an event of its own. Until it has left, no other
// message may be sent on its channel.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "simulator/engine/state/state.hpp"
#include "simulator/network/order.hpp"

namespace warpfront::engine {

/// A nonblocking message. Its clock and state have the same meaning as those of a sending rank (state.hpp). If it is
/// `sending`, it waits for its post, and the clock is the end of its o_send. If it `awaits_call`, the clock is the
/// arrival of its acknowledgement. If it is `leaving` or `done`, the clock is the time at which it left.
struct BegunMessage : Requester {
    SendEndpointId send_endpoint = kNone;
    network::Age age;        // age of the statement that sends it
    std::int64_t until = 0;  // if `done`: earliest end of a wait for the message, if that is after its departure
};

class BegunMessages {
public:
    using BySendEndpoint = std::unordered_map<SendEndpointId, BegunMessage, IdHash>;

    /// Returns all messages, in no particular order.
    const BySendEndpoint& all() const { return messages_; }
    /// Adds a message with this cost. Its o_send ends at the rank's clock.
    BegunMessage& begin(const RankLine& line, SendEndpointId send_endpoint, CostId cost, network::Age age) {
        BegunMessage& message = messages_[send_endpoint];
        message.clock = line.clock;
        message.request_cost = cost;
        message.state = RankState::sending;
        message.send_endpoint = send_endpoint;
        message.age = age;
        return message;
    }
    BegunMessage* find(SendEndpointId send_endpoint) {
        const auto found = messages_.find(send_endpoint);
        return found == messages_.end() ? nullptr : &found->second;
    }
    /// Removes the message when its rank has waited for it.
    void end(SendEndpointId send_endpoint) { messages_.erase(send_endpoint); }

    std::uint64_t bytes() const { return messages_.size() * sizeof(BySendEndpoint::value_type); }

private:
    BySendEndpoint messages_;
};

}  // namespace warpfront::engine
