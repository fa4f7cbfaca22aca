#include "tools/server/topologies.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpfront::tools {

namespace {

constexpr std::string_view kLatency = "50ns";

/// The least lattice of powers of two with so many places.
std::array<std::uint64_t, 3> lattice(std::uint64_t places) {
    std::array<std::uint64_t, 3> sides{1, 1, 1};
    for (std::size_t k = 0; sides[0] * sides[1] * sides[2] < places; ++k) sides[k % 3] *= 2;
    return sides;
}

std::uint64_t times_that_hold(std::uint64_t each, std::uint64_t all) {
    return std::max<std::uint64_t>(1, (all + each - 1) / each);
}

/// A tree of levels of 32, each with as many cables up as down.
std::string fat_tree(std::uint64_t nodes) {
    constexpr std::uint64_t kChildren = 32;
    std::vector<std::uint64_t> children{std::min(nodes, kChildren)};
    std::vector<std::uint64_t> parents{1};
    for (std::uint64_t below = times_that_hold(kChildren, nodes); below > 1;
         below = times_that_hold(kChildren, below)) {
        parents.push_back(children.back());
        children.push_back(std::min(below, kChildren));
    }
    return fmt::format("kind: fat_tree, children: [{}], parents: [{}]", fmt::join(children, ", "),
                       fmt::join(parents, ", "));
}

std::string dragonfly(std::uint64_t nodes) {
    constexpr std::uint64_t kGroup = 4 * 8 * 4;
    return fmt::format("kind: dragonfly, groups: {}, chassis: 4, blades: 8, nodes: 4, global: 8",
                       times_that_hold(kGroup, nodes));
}

std::string rule(TopologyKind kind, std::uint64_t nodes) {
    constexpr std::uint64_t kHosts = 8;
    switch (kind) {
        case TopologyKind::torus: return fmt::format("kind: torus, dimensions: [{}]", fmt::join(lattice(nodes), ", "));
        case TopologyKind::fat_tree: return fat_tree(nodes);
        case TopologyKind::dragonfly: return dragonfly(nodes);
        case TopologyKind::hyperx: break;
    }
    return fmt::format("kind: hyperx, dimensions: [{}], hosts: {}",
                       fmt::join(lattice(times_that_hold(kHosts, nodes)), ", "), kHosts);
}

}  // namespace

std::string_view name_of(TopologyKind kind) {
    constexpr std::array<std::string_view, kTopologyKinds.size()> kNames{"torus", "fat tree", "dragonfly", "HyperX"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string topology_for(TopologyKind kind, std::uint64_t nodes, Bandwidth bandwidth) {
    nodes = std::max<std::uint64_t>(nodes, 2);  // there is no network of one
    return fmt::format("{{{}, bandwidth: {:.6g}MBps, latency: {}}}", rule(kind, nodes),
                       bandwidth.bytes_per_second / 1e6, kLatency);
}

}  // namespace warpfront::tools
