// What will be used soon is fetched into the cache.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/engine/stepping/arbitration.hpp"
#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"

namespace warpfront::engine {

/// The empty statement keeps GCC from taking a function that does nothing else for one without effect, whose calls it
/// leaves out.
inline void fetch_ahead(const void* address) {
    __builtin_prefetch(address);
    asm volatile("");
}

/// What the nodes that come next in a window are made of, so many nodes ahead. Where many have something to do all
/// ranks are at work, and do not fit into the cache together: then fetching what is not used takes longer than it
/// saves, so first the desks are fetched, then who asks there, then that rank's channels.
class NodesAhead {
public:
    NodesAhead(const Layout& layout, const State& state) : layout_(layout), state_(state) {}

    /// `nodes` will be served in this order, each up to `limit`. Those who join them later are not fetched.
    void begin(const std::vector<std::uint32_t>& nodes, std::int64_t limit) {
        nodes_ = &nodes;
        count_ = nodes.size();
        limit_ = limit;
        asks_.fill(kNone);
    }

    /// Before the node at `index` is served.
    void fetch(std::size_t index) {
        constexpr std::size_t kDesk = 12;
        constexpr std::size_t kAll = 6;
        constexpr std::size_t kChannels = 4;
        constexpr std::size_t kMany = 100;
        if (index + kDesk < count_) fetch_desk((*nodes_)[index + kDesk]);
        if (count_ < kMany) {
            if (index + kAll < count_) fetch_all((*nodes_)[index + kAll]);
            return;
        }
        if (index + kChannels < count_) fetch_channels(asks_[(index + kChannels) % kRank]);
        if (index + kRank < count_) asks_[index % kRank] = fetch_who_asks((*nodes_)[index + kRank]);
    }

private:
    void fetch_desk(std::uint32_t node) const {
        fetch_ahead(&layout_.ranks_on[std::size_t{node} * layout_.cores]);
        fetch_ahead(&state_.servers[layout_.desk_of(node)]);
    }
    void fetch_all(std::uint32_t node) const {
        fetch_end_of_desk(node);
        for (std::uint32_t core = 0; core < layout_.cores; ++core) {
            const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
            if (rank == kNone) continue;
            fetch_ahead(&state_.ranks[rank]);
            fetch_channels(rank);
        }
    }
    /// Returns who it is; nothing changes that before the node's own turn.
    std::uint32_t fetch_who_asks(std::uint32_t node) const {
        if (layout_.ejects && state_.arrival(layout_, node) < limit_) {
            const std::uint32_t inlet = state_.first_flight(layout_, node).inlet;
            fetch_ahead(&state_.inlets[inlet]);
            fetch_ahead(&state_.ranks[layout_.rank_of_inlet(inlet)]);
        }
        const std::uint32_t rank = first_to_ask(layout_, state_, node, limit_).rank;
        if (rank == kNone) return kNone;
        fetch_ahead(&state_.ranks[rank]);
        fetch_end_of_desk(node);
        return rank;
    }
    void fetch_end_of_desk(std::uint32_t node) const {
        fetch_ahead(&state_.servers[layout_.desk_of(node) + layout_.desk.used - 1]);
    }
    void fetch_channels(std::uint32_t rank) const {
        if (rank == kNone) return;
        fetch_ahead(&state_.inlets[layout_.inlet_numbers.at(rank, 0)]);
        fetch_ahead(&state_.outlets[layout_.outlet_numbers.at(rank, 0)]);
    }

    static constexpr std::size_t kRank = 8;

    const Layout& layout_;
    const State& state_;
    const std::vector<std::uint32_t>* nodes_ = nullptr;
    std::size_t count_ = 0;
    std::int64_t limit_ = 0;
    std::array<std::uint32_t, kRank> asks_{};  // on the node at `index`, in place index % kRank
};

}  // namespace warpfront::engine
