#include "simulator/analytic/sweep_order.hpp"

#include <algorithm>
#include <array>

namespace warpfront::analytic {

using program::Corner;

bool is_east(Corner corner) { return corner == Corner::northeast || corner == Corner::southeast; }
bool is_south(Corner corner) { return corner == Corner::southwest || corner == Corner::southeast; }

Corner opposite(Corner corner) {
    switch (corner) {
        case Corner::northwest: return Corner::southeast;
        case Corner::northeast: return Corner::southwest;
        case Corner::southwest: return Corner::northeast;
        case Corner::southeast: return Corner::northwest;
    }
    return corner;
}

Corner fill_ends_at(std::span<const Corner> corners, std::size_t sweep) {
    return sweep + 1 == corners.size() ? opposite(corners[sweep]) : corners[sweep + 1];
}

FillCounts fill_counts(std::span<const Corner> corners) {
    FillCounts counts;
    for (std::size_t sweep = 0; sweep < corners.size(); ++sweep) {
        const Corner until = fill_ends_at(corners, sweep);
        const bool along_x = is_east(corners[sweep]) != is_east(until);
        const bool along_y = is_south(corners[sweep]) != is_south(until);
        ++(along_x ? (along_y ? counts.full : counts.row) : (along_y ? counts.diagonal : counts.same));
    }
    return counts;
}

bool is_sweep3d_order(std::span<const Corner> corners) {
    using enum Corner;
    constexpr std::array kOrder{southeast, southeast, northeast, northeast, southwest, southwest, northwest, northwest};
    return std::equal(corners.begin(), corners.end(), kOrder.begin(), kOrder.end());
}

bool has_two_from_each_corner(std::span<const Corner> corners) {
    using enum Corner;
    return corners.size() == 8 &&
           std::ranges::all_of(std::array{northwest, northeast, southwest, southeast},
                               [&](Corner from) { return std::ranges::count(corners, from) == 2; });
}

}  // namespace warpfront::analytic
