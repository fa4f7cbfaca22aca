// The availability of cores and nodes for self-scheduled tasks. A batch system may grant and withdraw cores, and nodes
// may fail.
//
//   changes   from `at` on, the node has `cores` cores until its next change. Before its first change it has all cores
//   drawn     in each interval of length `every`, each node has a random number of cores from `least` to `most`
//   lost      the node fails together with its tasks. It is available again after `repaired`, or never
//
// A draw depends only on its key: seed, node, and number of the draw.
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
    std::optional<Time> repaired;  // time until the node is available again; empty if it is never repaired
};

struct Availability {
    std::vector<CoresChange> changes{};
    std::optional<DrawnCores> drawn{};
    /// true if cores change at the beginning of a turn of their list; false if they change when their task ends
    bool by_turn = false;
    std::vector<LostNode> lost{};

    /// Returns true if all cores are available all the time.
    bool complete() const { return changes.empty() && !drawn && lost.empty(); }
};

}  // namespace warpfront::variation
