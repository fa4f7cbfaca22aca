// The placement of ranks. The process grid is cut into patches of Cx x Cy x Cz ranks, one node each; the last patch of
// a row, a column or a line through the planes may be smaller. Patches are numbered as ranks are, row by row and plane
// by plane; the number is that of the node, the engine's logical process. The places of a patch are numbered in the
// same way. A table gives each place a core of the node (placement/cores.hpp), a rule each node a host
// (placement/rules.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/units/ids.hpp"

namespace warpfront::machine {

/// The Cx x Cy x Cz ranks of one node.
struct Patch : Extents {
    /// Requires that the cores of a node hold the patch.
    constexpr std::uint32_t ranks() const { return static_cast<std::uint32_t>(count()); }
};

/// Numbers the positions of a grid row by row and plane by plane; x, y and z count from 0.
constexpr std::uint32_t number_in(const Extents& array, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return (z * array.rows + y) * array.columns + x;
}

struct Placement {
    RankGrid grid;
    Patch patch;
    std::vector<std::uint32_t> cores;  // by place in the patch, each once; empty: place k has core k
    Extents node_array;                // of nodes: ceil(columns / Cx), ceil(rows / Cy), ceil(planes / Cz)
    std::vector<Host> host_of;         // by node

    std::uint32_t nodes() const { return static_cast<std::uint32_t>(node_array.count()); }
    Node node_of(Rank rank) const {
        const std::uint32_t x = (grid.column(rank) - 1) / patch.columns;
        const std::uint32_t y = (grid.row(rank) - 1) / patch.rows;
        const std::uint32_t z = (grid.plane(rank) - 1) / patch.planes;
        return {(z * node_array.rows + y) * node_array.columns + x};
    }
    /// Returns the place of a rank in the patch of its node.
    std::uint32_t place_of(Rank rank) const {
        return number_in(patch, (grid.column(rank) - 1) % patch.columns, (grid.row(rank) - 1) % patch.rows,
                         (grid.plane(rank) - 1) % patch.planes);
    }
    std::uint32_t core_of(Rank rank) const { return core_of_place(place_of(rank)); }
    std::uint32_t core_of_place(std::uint32_t place) const { return cores.empty() ? place : cores[place]; }
    /// Returns the core of a position in the patch, counted from 0 in each direction.
    std::uint32_t core_at(std::uint32_t x, std::uint32_t y, std::uint32_t z = 0) const {
        return core_of_place(number_in(patch, x, y, z));
    }
};

/// Returns the patches of `grid`, whose ranks fill the cores in order; host_of is empty.
inline Placement cut(RankGrid grid, Patch patch) {
    Placement placement;
    placement.grid = grid;
    placement.patch = patch;
    placement.node_array = {(grid.columns - 1) / patch.columns + 1, (grid.rows - 1) / patch.rows + 1,
                            (grid.planes - 1) / patch.planes + 1};
    return placement;
}

}  // namespace warpfront::machine
