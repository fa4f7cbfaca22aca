// The placement of ranks. The rank array is cut into patches of Cx x Cy x Cz ranks, one node each; the last patch of a
// row, a column or a line through the planes may be smaller. Patches are numbered as ranks are, row by row and plane by
// plane; the number is that of the node, the engine's logical process. Cores of a patch are numbered likewise; core c
// is on chip c / (cores / chips). A rule gives each node a host of the platform (placement/rules.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/units/ids.hpp"

namespace warpfront::machine {

/// The Cx x Cy x Cz ranks of one node.
struct Patch : Extents {
    /// Precondition: the cores of a node hold the patch.
    constexpr std::uint32_t ranks() const { return static_cast<std::uint32_t>(count()); }
};

struct Placement {
    RankGrid grid;
    Patch patch;
    Extents node_array;         // of nodes: ceil(columns / Cx), ceil(rows / Cy), ceil(planes / Cz)
    std::vector<Host> host_of;  // by node

    std::uint32_t nodes() const { return static_cast<std::uint32_t>(node_array.count()); }
    Node node_of(Rank rank) const {
        const std::uint32_t x = (grid.column(rank) - 1) / patch.columns;
        const std::uint32_t y = (grid.row(rank) - 1) / patch.rows;
        const std::uint32_t z = (grid.plane(rank) - 1) / patch.planes;
        return {(z * node_array.rows + y) * node_array.columns + x};
    }
    std::uint32_t core_of(Rank rank) const {
        const std::uint32_t x = (grid.column(rank) - 1) % patch.columns;
        const std::uint32_t y = (grid.row(rank) - 1) % patch.rows;
        const std::uint32_t z = (grid.plane(rank) - 1) % patch.planes;
        return (z * patch.rows + y) * patch.columns + x;
    }
};

/// The patches of `grid`; host_of is empty.
inline Placement cut(RankGrid grid, Patch patch) {
    Placement placement;
    placement.grid = grid;
    placement.patch = patch;
    placement.node_array = {(grid.columns - 1) / patch.columns + 1, (grid.rows - 1) / patch.rows + 1,
                            (grid.planes - 1) / patch.planes + 1};
    return placement;
}

}  // namespace warpfront::machine
