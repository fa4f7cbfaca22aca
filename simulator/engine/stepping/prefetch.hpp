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
        if (event.kind == RemoteEvent::post) prefetch_line(&state_.send_endpoints[event.target]);
        if (event.kind == RemoteEvent::data) prefetch_line(&state_.receive_endpoints[event.target]);
    }
    void fetch_behind(const RemoteEvent& event) const {
        if (event.kind == RemoteEvent::post && state_.send_endpoints[event.target].blocked) {
            prefetch_line(&state_.ranks[layout_.rank_of_send_endpoint(event.target)]);
        }
        if (event.kind != RemoteEvent::data) return;
        const ReceiveEndpoint& head = state_.receive_endpoints[event.target];
        const std::uint32_t rank = layout_.rank_of_receive_endpoint(event.target);
        if (layout_.ejects) prefetch_line(&state_.servers[layout_.hot_state_of(layout_.node_of[rank])]);
        if (!layout_.ejects && head.awaited) prefetch_line(&state_.ranks[rank]);
        if (!is(head, ReceiveState::empty) && event.target < state_.queues.size()) {
            prefetch_line(&state_.queues[event.target]);
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
    void begin(const std::vector<std::uint32_t>& nodes, std::int64_t limit) {
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
    void fetch_hot_state(std::uint32_t node) const {
        prefetch_line(&layout_.ranks_on[std::size_t{node} * layout_.cores]);
        prefetch_line(&state_.servers[layout_.hot_state_of(node)]);
    }
    void fetch_all(std::uint32_t node) const {
        fetch_end_of_hot_state(node);
        for (std::uint32_t core = 0; core < layout_.cores; ++core) {
            const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
            if (rank == kNone) continue;
            prefetch_line(&state_.ranks[rank]);
            fetch_channels(rank);
        }
    }
    /// Returns that rank; nothing changes it before the node's own turn.
    std::uint32_t fetch_next_requester(std::uint32_t node) const {
        if (layout_.ejects && state_.arrival(layout_, node) < limit_) {
            const std::uint32_t receive_endpoint = state_.first_in_flight_of(layout_, node).receive_endpoint;
            prefetch_line(&state_.receive_endpoints[receive_endpoint]);
            prefetch_line(&state_.ranks[layout_.rank_of_receive_endpoint(receive_endpoint)]);
        }
        const std::uint32_t rank = next_request(layout_, state_, node, limit_).rank;
        if (rank == kNone) return kNone;
        prefetch_line(&state_.ranks[rank]);
        fetch_end_of_hot_state(node);
        return rank;
    }
    void fetch_end_of_hot_state(std::uint32_t node) const {
        prefetch_line(&state_.servers[layout_.hot_state_of(node) + layout_.hot.used - 1]);
    }
    void fetch_channels(std::uint32_t rank) const {
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
    const std::vector<std::uint32_t>* nodes_ = nullptr;
    std::size_t count_ = 0;
    std::int64_t limit_ = 0;
    std::array<std::uint32_t, kRank> requests_{};  // on the node at `index`, in place index % kRank
};

}  // namespace warpfront::engine
