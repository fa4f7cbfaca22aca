#include "simulator/machine/placement.hpp"

namespace warpfront::machine {

Placement cut(RankGrid grid, Patch patch) {
    Placement placement;
    placement.grid = grid;
    placement.patch = patch;
    placement.node_array = {(grid.columns - 1) / patch.columns + 1, (grid.rows - 1) / patch.rows + 1,
                            (grid.planes - 1) / patch.planes + 1};
    return placement;
}

}  // namespace warpfront::machine
