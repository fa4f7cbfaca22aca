// What will be used soon is fetched into the cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/arbitration.hpp"
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

/// The empty statement keeps GCC from taking a function that does nothing else for one without effect, whose calls it
/// leaves out.
inline void prefetch_line(const void* address) {
    __builtin_prefetch(address);
    asm volatile("");
}

/// What the events that come next will touch, so many events ahead: their endpoints, then what these lead to.
class EventPrefetcher {
public:
    EventPrefetcher(const Layout& layout, const State& state, const std::vector<RemoteEvent>& events)
        : layout_(layout), state_(state), events_(events) {
        for (std::size_t k = 0; k < std::min(kEndpoint, events.size()); ++k) fetch_endpoint(events[k]);
        for (std::size_t k = 0; k < std::min(kBehind, events.size()); ++k) fetch_behind(events[k]);
    }

    /// Before the event at `index` is taken.
    void fetch(std::size_t index) const {
        if (index + kEndpoint < events_.size()) fetch_endpoint(events_[index + kEndpoint]);
        if (index + kBehind < events_.size()) fetch_behind(events_[index + kBehind]);
    }

private:
    void fetch_endpoint(const RemoteEvent& event) const {
        if (event.kind == RemoteEvent::post) prefetch_line(&state_.send_endpoints[event.send_endpoint()]);
        if (event.kind == RemoteEvent::data) prefetch_line(&state_.receive_endpoints[event.receive_endpoint()]);
    }
    void fetch_behind(const RemoteEvent& event) const {
        if (event.kind == RemoteEvent::post && state_.send_endpoints[event.send_endpoint()].blocked) {
            prefetch_line(&state_.ranks[layout_.rank_of(event.send_endpoint())]);
        }
        if (event.kind != RemoteEvent::data) return;
        const ReceiveEndpointId receive_endpoint = event.receive_endpoint();
        const ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
        const Rank rank = layout_.rank_of(receive_endpoint);
        if (layout_.ejects) prefetch_line(&state_.servers[layout_.hot_state_of(layout_.node_of[rank])]);
        if (!layout_.ejects && head.awaited) prefetch_line(&state_.ranks[rank]);
        if (!is(head, ReceiveState::empty) && state_.queues.contains(receive_endpoint)) {
            prefetch_line(&state_.queues[receive_endpoint]);
        }
    }

    static constexpr std::size_t kEndpoint = 24;
    static constexpr std::size_t kBehind = 12;

    const Layout& layout_;
    const State& state_;
    const std::vector<RemoteEvent>& events_;
};

/// What the nodes that come next in a window are made of, so many nodes ahead. Where many have something to do all
/// ranks are at work, and do not fit into the cache together: then fetching what is not used takes longer than it
/// saves, so first the hot states are fetched, then the rank with the next request, then that rank's channels.
class NodePrefetcher {
public:
    NodePrefetcher(const Layout& layout, const State& state) : layout_(layout), state_(state) {}

    /// `nodes` will be served in this order, each up to `limit`. Nodes that join later are not fetched.
    void begin(const std::vector<Node>& nodes, std::int64_t limit) {
        nodes_ = &nodes;
        count_ = nodes.size();
        limit_ = limit;
        requests_.fill(kNone);
        if (count_ >= kMany) return;
        for (std::size_t index = 0; index < std::min(kHotState, count_); ++index) fetch_hot_state(nodes[index]);
        for (std::size_t index = 0; index < std::min(kAll, count_); ++index) fetch_all(nodes[index]);
    }

    /// Before the node at `index` is served.
    void fetch(std::size_t index) {
        if (index + kHotState < count_) fetch_hot_state((*nodes_)[index + kHotState]);
        if (count_ < kMany) {
            if (index + kAll < count_) fetch_all((*nodes_)[index + kAll]);
            return;
        }
        if (index + kChannels < count_) fetch_channels(requests_[(index + kChannels) % kRank]);
        if (index + kRank < count_) requests_[index % kRank] = fetch_next_requester((*nodes_)[index + kRank]);
    }

private:
    void fetch_hot_state(Node node) const {
        prefetch_line(layout_.ranks_of(node).data());
        prefetch_line(&state_.servers[layout_.hot_state_of(node)]);
    }
    void fetch_all(Node node) const {
        fetch_end_of_hot_state(node);
        for (const Rank rank : layout_.ranks_of(node)) {
            if (rank == kNone) continue;
            prefetch_line(&state_.ranks[rank]);
            fetch_channels(rank);
        }
    }
    /// Returns that rank; nothing changes it before the node's own turn.
    Rank fetch_next_requester(Node node) const {
        if (layout_.ejects && state_.arrival(layout_, node) < limit_) {
            const ReceiveEndpointId receive_endpoint = state_.first_in_flight_of(layout_, node).receive_endpoint;
            prefetch_line(&state_.receive_endpoints[receive_endpoint]);
            prefetch_line(&state_.ranks[layout_.rank_of(receive_endpoint)]);
        }
        const Rank rank = next_request(layout_, state_, node, limit_).rank;
        if (rank == kNone) return kNone;
        prefetch_line(&state_.ranks[rank]);
        fetch_end_of_hot_state(node);
        return rank;
    }
    void fetch_end_of_hot_state(Node node) const {
        prefetch_line(&state_.servers[layout_.hot_state_of(node) + (layout_.hot.used - 1)]);
    }
    void fetch_channels(Rank rank) const {
        if (rank == kNone) return;
        prefetch_line(&state_.receive_endpoints[layout_.receive_endpoint_numbers.at(rank, 0)]);
        prefetch_line(&state_.send_endpoints[layout_.send_endpoint_numbers.at(rank, 0)]);
    }

    static constexpr std::size_t kMany = 100;
    static constexpr std::size_t kHotState = 12;
    static constexpr std::size_t kRank = 8;
    static constexpr std::size_t kAll = 6;
    static constexpr std::size_t kChannels = 4;

    const Layout& layout_;
    const State& state_;
    const std::vector<Node>* nodes_ = nullptr;
    std::size_t count_ = 0;
    std::int64_t limit_ = 0;
    std::array<Rank, kRank> requests_{};  // on the node at `index`, in place index % kRank
};

}  // namespace warpfront::engine
