// The workers that are available in a run of task lists: the cores that a batch system grants
// (variation/availability.hpp), on nodes that are not lost.
//
//   offered   cores that the node may have
//   there     cores that it has: those that are offered, or, if cores join and leave by turns, those that were offered
//             when the latest turn began
//
// The first cores of a node are available, the others are not. Used by one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

#include "simulator/tasks/layout.hpp"
#include "simulator/variation/availability.hpp"

namespace warpfront::tasks {

/// Cores of one node, in their order.
using Cores = std::ranges::iota_view<WorkerId, WorkerId>;

class Presence {
public:
    Presence(const Layout& layout, const variation::Availability& availability, Seed seed)
        : layout_(layout), drawn_(availability.drawn), seed_(seed), by_turn_(availability.by_turn) {
        for (std::uint32_t node = 0; node < layout.nodes(); ++node) there_.push_back(layout.cores_of_node(node));
        offered_ = there_;
        lost_.resize(there_.size());
    }

    bool is_there(WorkerId worker) const {
        const std::uint32_t node = layout_.node_of(worker);
        return lost_[node] == 0 && (layout_.is_node(worker) || worker < first(node) + there_[node]);
    }
    std::uint32_t cores_there(std::uint32_t node) const { return there_[node]; }

    /// Sets the number of cores that the node may have from now on; returns the cores that join or leave in this
    /// moment.
    Cores offer(std::uint32_t node, std::uint32_t cores) {
        offered_[node] = std::min(cores, layout_.cores_of_node(node));
        const bool waits_for_turn = by_turn_ && there_[node] > 0;
        return waits_for_turn ? Cores(first(node), first(node)) : take_offer(node);
    }
    /// Sets the number of cores that the node may have to the number drawn.
    Cores offer_drawn(std::uint32_t node, std::int64_t draw) {
        return offer(node, drawn_->number(seed_, Node{node}, static_cast<std::uint64_t>(draw)));
    }
    /// Gives the node the cores that it may have; returns those that join or leave.
    Cores take_offer(std::uint32_t node) {
        const std::uint32_t before = std::exchange(there_[node], offered_[node]);
        return {first(node) + std::min(before, there_[node]), first(node) + std::max(before, there_[node])};
    }

    /// Marks a node as lost. A node may be lost again before it is repaired. Returns true if the node was available.
    bool lose(std::uint32_t node) { return lost_[node]++ == 0; }
    /// Repairs a node once. Returns true if it is available again.
    bool repair(std::uint32_t node) { return --lost_[node] == 0; }

private:
    WorkerId first(std::uint32_t node) const { return layout_.first_core_of_node(node); }

    const Layout& layout_;
    std::optional<variation::DrawnCores> drawn_;
    Seed seed_;
    bool by_turn_;
    std::vector<std::uint32_t> offered_, there_;  // by node
    std::vector<std::uint32_t> lost_;             // by node: the number of losses that are not repaired
};

}  // namespace warpfront::tasks
