// The availability of cores and nodes for lists of self-scheduled tasks: cores that a batch system grants and
// withdraws, and nodes that are lost.
//
//   changes   from `at` on, the node has `cores` cores until its next change; before its first change it has all
//   drawn     in each interval of `every`, each node has a number of cores drawn uniformly from `least` to `most`
//   lost      the node fails with the tasks that it computes; it is back after `repaired`, or not at all
//
// Draws are keyed by (seed, node, number of the draw), so they depend on nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/units/ids.hpp"
#include "simulator/units/random.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::variation {

struct CoresChange {
    Time at;
    Node node;
    std::uint32_t cores = 0;
};

struct DrawnCores {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    Time every;  // length of an interval, above 0

    std::uint32_t number(Seed seed, Node node, std::uint64_t draw) const {
        return least + static_cast<std::uint32_t>(
                           Random(seed, Purpose::cores_there, node.index, draw).below(std::uint64_t{most} - least + 1));
    }
};

struct LostNode {
    Time at;
    Node node;
    std::optional<Time> repaired;  // time after which the node is available again
};

struct Availability {
    std::vector<CoresChange> changes{};
    std::optional<DrawnCores> drawn{};
    bool by_turn = false;  // true if cores come and go at the beginning of a turn of their list, not after their task
    std::vector<LostNode> lost{};

    /// Returns true if all cores are available throughout.
    bool complete() const { return changes.empty() && !drawn && lost.empty(); }
};

}  // namespace warpfront::variation
