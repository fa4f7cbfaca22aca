// The workers of a machine as numbers: its cores, node by node, then its nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "simulator/machine/placement.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::tasks {

using WorkerId = std::uint32_t;
inline constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

class Layout {
public:
    /// Creates the layout. Each rank of the placement is a core.
    Layout(const machine::Placement& placement, std::uint32_t ranks) : first_core_(placement.nodes() + 1) {
        std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> cores;  // node, core, rank
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            cores.emplace_back(placement.node_of({rank}).index, placement.core_of({rank}), rank);
        }
        std::ranges::sort(cores);
        for (const auto& [node, core, rank] : cores) {
            ++first_core_[node + 1];
            rank_of_.push_back({rank});
        }
        for (std::uint32_t node = 0; node < nodes(); ++node) first_core_[node + 1] += first_core_[node];
    }

    std::uint32_t cores() const { return static_cast<std::uint32_t>(rank_of_.size()); }
    std::uint32_t nodes() const { return static_cast<std::uint32_t>(first_core_.size()) - 1; }
    std::uint32_t workers() const { return cores() + nodes(); }

    bool is_node(WorkerId worker) const { return worker >= cores(); }
    WorkerId worker_of_node(std::uint32_t node) const { return cores() + node; }
    /// Returns the worker itself, or the node of the core.
    std::uint32_t node_of(WorkerId worker) const {
        if (is_node(worker)) return worker - cores();
        return static_cast<std::uint32_t>(std::ranges::upper_bound(first_core_, worker) - first_core_.begin()) - 1;
    }
    std::uint32_t cores_of_node(std::uint32_t node) const { return first_core_[node + 1] - first_core_[node]; }
    WorkerId first_core_of_node(std::uint32_t node) const { return first_core_[node]; }

    /// Returns the number of cores of a worker: one, or those of the node.
    std::uint32_t cores_of(WorkerId worker) const { return is_node(worker) ? cores_of_node(worker - cores()) : 1; }
    WorkerId first_core_of(WorkerId worker) const {
        return is_node(worker) ? first_core_of_node(worker - cores()) : worker;
    }
    /// Returns the rank of a core, or the first one of a node.
    Rank rank_of(WorkerId worker) const { return rank_of_[first_core_of(worker)]; }

private:
    std::vector<std::uint32_t> first_core_;  // by node; the last entry is the number of cores
    std::vector<Rank> rank_of_;              // by core
};

}  // namespace warpfront::tasks
