// The placement of ranks. The rank array is cut into patches of Cx x Cy ranks, one node each; the last patch of a row
// or column may be smaller. Patches are numbered row by row; the number is that of the node, the engine's logical
// process. Cores of a patch are numbered row by row too; core c is on chip c / (cores / chips). A rule gives each node
// a host of the platform (placement/rules.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/units/ids.hpp"

namespace warpfront::machine {

/// The Cx x Cy ranks of one node.
struct Patch {
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;
    constexpr std::uint32_t ranks() const { return columns * rows; }
};

struct Placement {
    RankGrid grid;
    Patch patch;
    std::uint32_t node_columns = 1;  // ceil(columns / Cx)
    std::uint32_t node_rows = 1;
    std::vector<Host> host_of;  // by node

    std::uint32_t nodes() const { return node_columns * node_rows; }
    Node node_of(Rank rank) const {
        const std::uint32_t x = (grid.column(rank) - 1) / patch.columns;
        const std::uint32_t y = (grid.row(rank) - 1) / patch.rows;
        return {y * node_columns + x};
    }
    std::uint32_t core_of(Rank rank) const {
        const std::uint32_t x = (grid.column(rank) - 1) % patch.columns;
        const std::uint32_t y = (grid.row(rank) - 1) % patch.rows;
        return y * patch.columns + x;
    }
};

/// The patches of `grid`; host_of is empty.
Placement cut(RankGrid grid, Patch patch);

}  // namespace warpfront::machine
