#include "simulator/machine/placement.hpp"

#include "simulator/machine/torus.hpp"

namespace warpfront::machine {

Placement cut(RankGrid grid, Patch patch) {
    Placement placement;
    placement.grid = grid;
    placement.patch = patch;
    placement.node_columns = (grid.columns - 1) / patch.columns + 1;
    placement.node_rows = (grid.rows - 1) / patch.rows + 1;
    return placement;
}

std::vector<std::uint32_t> fold(std::uint32_t node_columns, std::uint32_t node_rows,
                                const std::vector<std::uint32_t>& dimensions) {
    const Folding folding = best_folding(node_columns, node_rows, dimensions);
    std::vector<std::uint32_t> host_of;
    host_of.reserve(std::size_t{node_columns} * node_rows);
    for (std::uint32_t y = 0; y < node_rows; ++y) {
        for (std::uint32_t x = 0; x < node_columns; ++x) host_of.push_back(folding.host(x, y));
    }
    return host_of;
}

}  // namespace warpfront::machine
