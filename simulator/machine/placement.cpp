#include "simulator/machine/placement.hpp"

namespace warpfront::machine {

Placement cut(RankGrid grid, Patch patch) {
    Placement placement;
    placement.grid = grid;
    placement.patch = patch;
    placement.node_columns = (grid.columns - 1) / patch.columns + 1;
    placement.node_rows = (grid.rows - 1) / patch.rows + 1;
    return placement;
}

}  // namespace warpfront::machine
