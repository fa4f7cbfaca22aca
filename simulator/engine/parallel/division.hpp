// The division of a machine's nodes among partitions, one thread each.
//
// Two nodes share a link if stored routes (StoredRoutes) of both nodes cross it. Nodes that are connected by shared
// links form a group. On a torus whose routes follow one dimension after another, links are shared only within the
// planes of the first dimensions, so groups are small. If no group is divided, each partition grants all links of
// stored routes itself, in the order of its calendar. Otherwise one thread grants the links of all partitions between
// rounds.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/engine/state/ids.hpp"
#include "simulator/engine/state/indexed_vector.hpp"
#include "simulator/engine/state/layout.hpp"

namespace warpfront::engine {

struct Division {
    IndexedVector<Node, std::uint16_t> partition_of;
    bool keeps_groups = false;  // true if every group is within one partition
};

/// Divides the nodes among `count` partitions, or fewer if there are fewer nodes. If there are events, a partition
/// consists of eight stripes of nodes, row by row. So all partitions have about the same share of a wave's front.
/// Without events, a partition is one stripe, which borders on at most two others. Groups are not divided, unless a
/// partition would exceed the mean size by more than a quarter.
Division divide(const Layout& layout, std::size_t count);

}  // namespace warpfront::engine
