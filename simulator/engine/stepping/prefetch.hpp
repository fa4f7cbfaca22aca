// What will be used soon is fetched into the cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/remote_event.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/arbitration.hpp"

namespace warpfront::engine {

/// The empty statement keeps GCC from taking a function that does nothing else for one without effect, whose calls it
/// leaves out.
inline void prefetch_line(const void* address) {
    __builtin_prefetch(address);
    asm volatile("");
}

/// Brings what the event `k + 24` will touch into the cache, its endpoint, and what that of event `k + 12` leads to.
inline void prefetch_event(const Layout& layout, const State& state, const std::vector<RemoteEvent>& events,
                           std::size_t k) {
    constexpr std::size_t kEndpoint = 24;
    constexpr std::size_t kBehind = 12;
    if (k + kEndpoint < events.size()) {
        const RemoteEvent& coming = events[k + kEndpoint];
        if (coming.kind == RemoteEvent::post) prefetch_line(&state.send_endpoints[coming.target]);
        if (coming.kind == RemoteEvent::data) prefetch_line(&state.receive_endpoints[coming.target]);
    }
    if (k + kBehind >= events.size()) return;
    const RemoteEvent& coming = events[k + kBehind];
    if (coming.kind == RemoteEvent::post && state.send_endpoints[coming.target].blocked) {
        prefetch_line(&state.ranks[layout.rank_of_send_endpoint(coming.target)]);
    }
    if (coming.kind != RemoteEvent::data) return;
    const ReceiveEndpoint& head = state.receive_endpoints[coming.target];
    const std::uint32_t rank = layout.rank_of_receive_endpoint(coming.target);
    if (layout.ejects) prefetch_line(&state.servers[layout.hot_state_of(layout.node_of[rank])]);
    if (!layout.ejects && head.awaited) prefetch_line(&state.ranks[rank]);
    if (!is(head, ReceiveState::empty) && coming.target < state.queues.size()) {
        prefetch_line(&state.queues[coming.target]);
    }
}

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
    }

    /// Before the node at `index` is served.
    void fetch(std::size_t index) {
        constexpr std::size_t kHotState = 12;
        constexpr std::size_t kAll = 6;
        constexpr std::size_t kChannels = 4;
        constexpr std::size_t kMany = 100;
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

    static constexpr std::size_t kRank = 8;

    const Layout& layout_;
    const State& state_;
    const std::vector<std::uint32_t>* nodes_ = nullptr;
    std::size_t count_ = 0;
    std::int64_t limit_ = 0;
    std::array<std::uint32_t, kRank> requests_{};  // on the node at `index`, in place index % kRank
};

}  // namespace warpfront::engine
