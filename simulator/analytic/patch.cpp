#include "simulator/analytic/patch.hpp"

#include <algorithm>

namespace warpfront::analytic {

machine::Patch occupied_patch(const machine::Placement& placement) {
    return {.columns = std::min(placement.patch.columns, placement.grid.columns),
            .rows = std::min(placement.patch.rows, placement.grid.rows)};
}

BusHolds bus_holds(const machine::Placement& placement) {
    const machine::Patch patch = occupied_patch(placement);
    const std::int64_t columns = patch.columns;
    const std::int64_t rows = patch.rows;
    const bool along_x = placement.grid.columns > 1;
    const bool along_y = placement.grid.rows > 1;
    const std::int64_t collisions_x = along_x ? std::max<std::int64_t>(0, (columns + 1) * rows - 2) : 0;
    const std::int64_t collisions_y = along_y ? std::max<std::int64_t>(0, columns * (rows + 1) - 2) : 0;

    BusHolds holds{.east_west = collisions_x / 2, .north_south = collisions_y / 2};
    if (collisions_x % 2 != 0) ++(along_y ? holds.north_south : holds.east_west);
    if (collisions_y % 2 != 0) ++(along_x ? holds.east_west : holds.north_south);
    return holds;
}

}  // namespace warpfront::analytic
