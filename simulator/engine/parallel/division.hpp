// The division of a machine's nodes among partitions, one thread each.
//
// Two nodes share a link if stored routes (StoredRoutes) of both nodes cross the link. Nodes that are connected by
// shared links form a group. Ranks on a torus whose routes follow one dimension after another share links within the
// planes of the first dimensions only, so the groups of such a torus are small. If no group is divided, each partition
// grants all links of stored routes by itself, in the order of its calendar; otherwise one thread grants the links of
// all partitions between rounds.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/engine/state/ids.hpp"
#include "simulator/engine/state/indexed_vector.hpp"
#include "simulator/engine/state/layout.hpp"

namespace warpfront::engine {

struct Division {
    IndexedVector<Node, std::uint16_t> partition_of;
    bool keeps_groups = false;  // true if every group is in one partition
};

/// Divides the nodes among `count` partitions, at most as many as nodes. If there are events, a partition is eight
/// stripes of nodes, row by row, so that all partitions have about the same share of a wave's front. Otherwise a
/// partition is one stripe, which borders on at most two others. Groups are kept unless a partition becomes more than a
/// quarter larger than the mean.
Division divide(const Layout& layout, std::size_t count);

}  // namespace warpfront::engine
