// Messages that their ranks have begun without waiting for them (MPI_Isend) and that have to wait for their posts.
//
// Such a message leaves on its own as soon as its post is known to the sender, whatever its rank does meanwhile: the
// network interface makes progress, as that of the XT4 and those of InfiniBand do. What it holds on its node it requests
// then, in the same order as ranks do: by (time, age of its statement, rank), a rank's own request before those of its
// messages, and these by the places of their channels. Each node has a list of the messages that request something.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simulator/engine/stepping/arbitration.hpp"
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

struct BegunMessage {
    std::int64_t requested = 0;  // when its o_send was over
    std::uint32_t cost = 0;
    network::Age age;                                 // of its statement
    RankState wants = RankState::requests_departure;  // at `time`, as a rank does
    std::int64_t time = kHorizon.ps;
    bool met = false;           // its post is known
    std::int64_t bus_wait = 0;  // one after the other until it left, as the next
    std::int64_t nic_wait = 0;
    std::optional<std::int64_t> left{};
};

class BegunMessages {
public:
    using BySendEndpoint = std::unordered_map<std::uint32_t, BegunMessage>;

    explicit BegunMessages(PartitionContext& context) : context_(context), layout_(context.layout) {}

    bool empty() const { return messages_.empty(); }
    /// In no order.
    const BySendEndpoint& all() const { return messages_; }
    void begin(std::uint32_t send_endpoint, const BegunMessage& message) { messages_[send_endpoint] = message; }
    BegunMessage* find(std::uint32_t send_endpoint) {
        const auto found = messages_.find(send_endpoint);
        return found == messages_.end() ? nullptr : &found->second;
    }
    /// It has left, or its rank sends it from now on.
    void end(std::uint32_t send_endpoint) { messages_.erase(send_endpoint); }

    /// The message wants something at `time`.
    void request(std::uint32_t send_endpoint, RankState wants, std::int64_t time);
    /// When the first message of the node wants something; kHorizon: never.
    std::int64_t first_request(std::uint32_t node) const {
        if (first_.empty() || first_[node] == kNone) return kHorizon.ps;
        return entries_[first_[node]].time;
    }
    /// Whether that stands before the request of a rank at the same time.
    bool is_before(std::uint32_t node, network::Age age, std::uint32_t rank) const;
    std::uint32_t take_first(std::uint32_t node);
    /// Whether a message of the node wants links at `time` or before.
    bool requests_links(std::uint32_t node, std::int64_t time) const;

    std::uint64_t bytes() const;

private:
    struct Entry {
        std::int64_t time = 0;
        std::uint32_t send_endpoint = kNone;
        std::uint32_t next = kNone;
    };

    std::uint32_t new_entry(std::int64_t time, std::uint32_t send_endpoint);
    bool comes_before(const Entry& a, const Entry& b) const;

    PartitionContext& context_;
    const Layout& layout_;
    BySendEndpoint messages_;
    std::vector<std::uint32_t> first_;  // by node: of its list; empty until there is a request
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> free_;
};

}  // namespace warpfront::engine
