#include "simulator/machine/placement/core_blocks.hpp"

namespace warpfront::machine {

Patch near_square(const Patch& whole, std::uint32_t ranks) {
    Patch nearest;
    const auto sides = [](const Patch& patch) { return std::uint64_t{patch.columns} + patch.rows + patch.planes; };
    for (std::uint32_t columns = whole.columns; columns > 0; --columns) {
        if (whole.columns % columns != 0 || ranks % columns != 0) continue;
        for (std::uint32_t rows = whole.rows; rows > 0; --rows) {
            if (whole.rows % rows != 0 || ranks / columns % rows != 0) continue;
            const Patch patch{columns, rows, ranks / columns / rows};
            if (whole.planes % patch.planes != 0) continue;
            if (nearest.ranks() != ranks || sides(patch) < sides(nearest)) nearest = patch;
        }
    }
    return nearest;
}

}  // namespace warpfront::machine
