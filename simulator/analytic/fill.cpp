#include "simulator/analytic/fill.hpp"

#include <algorithm>
#include <array>

namespace warpfront::analytic {

namespace {

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

/// The links of the array as a sweep from one corner meets them: (1, 1) is where it starts.
class SweepFrame {
public:
    SweepFrame(const NeighbourLocalities& localities, Corner from)
        : localities_(localities), mirror_x_(is_east(from)), mirror_y_(is_south(from)) {}

    /// Between (i, j) and (i + 1, j).
    std::size_t after_in_x(std::uint32_t i, std::uint32_t j) const {
        const RankGrid grid = localities_.grid();
        return localities_.east_of(mirror_x_ ? grid.columns - i : i, mirror_y_ ? grid.rows + 1 - j : j).index;
    }
    /// Between (i, j) and (i, j + 1).
    std::size_t after_in_y(std::uint32_t i, std::uint32_t j) const {
        const RankGrid grid = localities_.grid();
        return localities_.south_of(mirror_x_ ? grid.columns + 1 - i : i, mirror_y_ ? grid.rows - j : j).index;
    }
    /// The corner of the array at the near or far end of each direction of the sweep.
    Corner corner(bool far_x, bool far_y) const {
        const bool east = far_x != mirror_x_;
        const bool south = far_y != mirror_y_;
        return south ? (east ? Corner::southeast : Corner::southwest) : (east ? Corner::northeast : Corner::northwest);
    }

private:
    const NeighbourLocalities& localities_;
    bool mirror_x_;
    bool mirror_y_;
};

/// Advances `start` by one row of the sweep: start[i - 1] holds Start(i, j - 1) before, Start(i, j) after.
void advance(std::vector<WideTime>& start, const SweepFrame& frame, const TileCosts& tile, std::uint32_t j) {
    const auto columns = static_cast<std::uint32_t>(start.size());
    for (std::uint32_t i = 1; i <= columns; ++i) {
        if (i == 1 && j == 1) {
            start[0] = tile.pre_work;
            continue;
        }
        WideTime latest;
        if (i > 1) {
            latest = start[i - 2] + tile.work + tile.east_west[frame.after_in_x(i - 1, j)].total;
            if (j > 1) latest += tile.north_south[frame.after_in_y(i, j - 1)].recv;
        }
        if (j > 1) {
            WideTime by_y = start[i - 1] + tile.work + tile.north_south[frame.after_in_y(i, j - 1)].total;
            if (i < columns) by_y += tile.east_west[frame.after_in_x(i, j - 1)].send;
            latest = std::max(latest, by_y);
        }
        start[i - 1] = latest;
    }
}

}  // namespace

NeighbourLocalities::NeighbourLocalities(const machine::Machine& machine)
    : grid_(machine.placement.grid), east_(grid_.ranks(), machine.network()), south_(grid_.ranks(), machine.network()) {
    for (std::uint32_t row = 1; row <= grid_.rows; ++row) {
        for (std::uint32_t column = 1; column <= grid_.columns; ++column) {
            const Rank rank = grid_.at(column, row);
            if (column < grid_.columns) east_[rank.index] = machine.locality(rank, grid_.at(column + 1, row));
            if (row < grid_.rows) south_[rank.index] = machine.locality(rank, grid_.at(column, row + 1));
        }
    }
}

TileCosts tile_costs(const program::WavefrontPhase& phase, const machine::Machine& machine) {
    TileCosts tile{.pre_work = phase.pre_work, .work = phase.work, .east_west = {}, .north_south = {}};
    tile.east_west.resize(machine.profiles.size());
    tile.north_south.resize(machine.profiles.size());
    for (std::size_t locality = 0; locality < machine.profiles.size(); ++locality) {
        if (machine.profiles[locality].empty()) continue;  // no two ranks share it
        tile.east_west[locality] = message_cost(machine.profiles[locality], phase.east_west);
        tile.north_south[locality] = message_cost(machine.profiles[locality], phase.north_south);
    }
    return tile;
}

CornerStarts corner_starts(const NeighbourLocalities& localities, Corner from, const TileCosts& tile) {
    const SweepFrame frame(localities, from);
    const RankGrid grid = localities.grid();
    std::vector<WideTime> start(grid.columns);
    CornerStarts starts;
    const auto note = [&](bool far_y) {
        starts[static_cast<std::size_t>(frame.corner(false, far_y))] = start.front();
        starts[static_cast<std::size_t>(frame.corner(true, far_y))] = start.back();
    };
    for (std::uint32_t j = 1; j <= grid.rows; ++j) {
        advance(start, frame, tile, j);
        if (j == 1) note(false);
    }
    note(true);
    return starts;
}

std::vector<WideTime> last_row_starts(const NeighbourLocalities& localities, const TileCosts& tile) {
    const SweepFrame frame(localities, Corner::northwest);
    std::vector<WideTime> start(localities.grid().columns);
    for (std::uint32_t j = 1; j <= localities.grid().rows; ++j) advance(start, frame, tile, j);
    return start;
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
