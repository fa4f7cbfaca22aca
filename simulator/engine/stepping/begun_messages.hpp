// Messages that their ranks have begun without waiting for them (MPI_Isend) and that have to wait for their posts.
//
// Such a message leaves on its own as soon as its post is known to the sender, whatever its rank does meanwhile; where
// it makes progress in calls alone, once its rank is in one (call_progress.hpp). What it holds on its node it
// requests then, in the same order as ranks do: by (time, age of its statement, rank), a rank's own request before
// those of its messages, and these by the places of their channels. Each node has a list of the messages that request
// something. While one is under way no other message may be sent on its channel.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simulator/engine/stepping/arbitration.hpp"
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

/// Clock and state mean what they mean for a rank that sends: `sending` = it waits for its post, and when its o_send
/// was over; `awaits_call` = when its acknowledgement arrives; `leaving`, `done` = when it left.
struct BegunMessage : Requester {
    SendEndpointId send_endpoint = kNone;
    network::Age age;              // of its statement
    std::int64_t until = 0;        // done: a wait for it ends no sooner, where that is later than when it left
    BegunMessage* next = nullptr;  // in the list of its node
};

class BegunMessages {
public:
    using BySendEndpoint = std::unordered_map<SendEndpointId, BegunMessage, IdHash>;

    explicit BegunMessages(PartitionContext& context) : context_(context), layout_(context.layout) {}

    /// In no order.
    const BySendEndpoint& all() const { return messages_; }
    /// The rank's o_send of a message with this cost is over at its clock.
    BegunMessage& begin(const RankLine& line, SendEndpointId send_endpoint, CostId cost);
    BegunMessage* find(SendEndpointId send_endpoint) {
        const auto found = messages_.find(send_endpoint);
        return found == messages_.end() ? nullptr : &found->second;
    }
    /// The wait of the rank for this message is over.
    void end(SendEndpointId send_endpoint) { messages_.erase(send_endpoint); }

    /// The message wants something at its clock.
    void request(BegunMessage& message, RankState what);
    /// The message of the node that requests something first; null: none does.
    const BegunMessage* first(Node node) const { return first_.empty() ? nullptr : first_[node]; }
    SendEndpointId take_first(Node node);
    /// Whether a message of the node wants links at `time` or before.
    bool requests_links(Node node, std::int64_t time) const;

    std::uint64_t bytes() const;

private:
    bool comes_before(const BegunMessage& a, const BegunMessage& b) const;

    PartitionContext& context_;
    const Layout& layout_;
    BySendEndpoint messages_;
    IndexedVector<Node, BegunMessage*> first_;  // of its list; empty until there is a request
};

}  // namespace warpfront::engine
