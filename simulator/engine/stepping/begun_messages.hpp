// Messages that their ranks have begun without waiting for them (MPI_Isend) and that have to wait for their posts.
//
// Such a message leaves on its own as soon as its post is known to the sender, whatever its rank does meanwhile; where
// it makes progress in calls alone, once its rank is in one (call_progress.hpp). What it holds on its node it requests
// then, as an event of its own. While one is under way no other message may be sent on its channel.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "simulator/engine/state/state.hpp"
#include "simulator/network/order.hpp"

namespace warpfront::engine {

/// Clock and state mean what they mean for a rank that sends: `sending` = it waits for its post, and when its o_send
/// was over; `awaits_call` = when its acknowledgement arrives; `leaving`, `done` = when it left.
struct BegunMessage : Requester {
    SendEndpointId send_endpoint = kNone;
    network::Age age;        // of its statement
    std::int64_t until = 0;  // done: a wait for it ends no sooner, where that is later than when it left
};

class BegunMessages {
public:
    using BySendEndpoint = std::unordered_map<SendEndpointId, BegunMessage, IdHash>;

    /// In no order.
    const BySendEndpoint& all() const { return messages_; }
    /// The rank's o_send of a message with this cost is over at its clock.
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
    /// The wait of the rank for this message is over.
    void end(SendEndpointId send_endpoint) { messages_.erase(send_endpoint); }

    std::uint64_t bytes() const { return messages_.size() * sizeof(BySendEndpoint::value_type); }

private:
    BySendEndpoint messages_;
};

}  // namespace warpfront::engine
