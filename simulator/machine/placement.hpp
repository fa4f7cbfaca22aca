// The placement of ranks. The rank array is cut into patches of Cx x Cy x Cz ranks, one node each; the last patch of a
// row, a column or a line through the planes may be smaller. Patches are numbered as ranks are, row by row and plane by
// plane; the number is that of the node, the engine's logical process. Cores of a patch are numbered likewise, or so by
// blocks and within; core c is on chip c / (cores / chips). A rule gives each node a host (placement/rules.hpp).
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
    Patch block;                // of cores that are numbered before the next; divides the patch
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
        return core_at((grid.column(rank) - 1) % patch.columns, (grid.row(rank) - 1) % patch.rows,
                       (grid.plane(rank) - 1) % patch.planes);
    }
    /// The core of a position in the patch, counted from 0 in each direction.
    std::uint32_t core_at(std::uint32_t x, std::uint32_t y, std::uint32_t z = 0) const {
        if (block.ranks() == 1) return number_in(patch, x, y, z);
        const Extents blocks{patch.columns / block.columns, patch.rows / block.rows, patch.planes / block.planes};
        return number_in(blocks, x / block.columns, y / block.rows, z / block.planes) * block.ranks() +
               number_in(block, x % block.columns, y % block.rows, z % block.planes);
    }

private:
    static std::uint32_t number_in(const Extents& extents, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        return (z * extents.rows + y) * extents.columns + x;
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
