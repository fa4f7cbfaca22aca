#include "simulator/analytic/fill.hpp"

#include <algorithm>
#include <array>

#include "simulator/analytic/phases.hpp"

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

/// The links of the process grid in the coordinates of a sweep: (1, 1) is the corner where the sweep starts.
class SweepFrame {
public:
    SweepFrame(const NeighbourLocalities& localities, Corner from)
        : localities_(localities), mirror_x_(is_east(from)), mirror_y_(is_south(from)) {}

    /// Returns the link between (i, j) and (i + 1, j).
    std::size_t after_in_x(std::uint32_t i, std::uint32_t j) const {
        const RankGrid grid = localities_.grid();
        return localities_.east_of(mirror_x_ ? grid.columns - i : i, mirror_y_ ? grid.rows + 1 - j : j).index;
    }
    /// Returns the link between (i, j) and (i, j + 1).
    std::size_t after_in_y(std::uint32_t i, std::uint32_t j) const {
        const RankGrid grid = localities_.grid();
        return localities_.south_of(mirror_x_ ? grid.columns + 1 - i : i, mirror_y_ ? grid.rows - j : j).index;
    }

private:
    const NeighbourLocalities& localities_;
    bool mirror_x_;
    bool mirror_y_;
};

using Times = std::vector<MessageTime>;

Times times_of(const TileCosts::ByLocality& parts) {
    Times times;
    for (const MessageParts& each : parts) times.push_back(each.time());
    return times;
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

record::PathParts computing(Time alone, double slowing) {
    const Time slowed = slowing == 1.0 ? alone : scaled(alone, slowing, "with shared memory bandwidth");
    return {.compute = alone, .memory = slowed - alone};
}

TileCosts tile_costs(const program::WavefrontPhase& phase, const machine::Machine& machine, double slowing) {
    TileCosts tile{.pre_work = computing(phase.pre_work, slowing),
                   .work = computing(phase.work, slowing),
                   .east_west = {},
                   .north_south = {}};
    tile.east_west.resize(machine.profiles.size());
    tile.north_south.resize(machine.profiles.size());
    for (std::size_t locality = 0; locality < machine.profiles.size(); ++locality) {
        if (machine.profiles[locality].empty()) continue;  // no two ranks have this locality
        tile.east_west[locality] = message_parts(machine.profiles[locality], phase.east_west);
        tile.north_south[locality] = message_parts(machine.profiles[locality], phase.north_south);
    }
    return tile;
}

SweepFill::SweepFill(const NeighbourLocalities& localities, Corner from, const TileCosts& tile)
    : localities_(localities), tile_(tile), from_(from), from_north_(localities.grid().ranks()) {
    const SweepFrame frame(localities, from);
    const RankGrid grid = localities.grid();
    const Times x = times_of(tile.east_west);
    const Times y = times_of(tile.north_south);
    const WideTime work = tile.work.total();
    std::vector<WideTime> start(grid.columns);  // start[i - 1] is Start(i, j - 1) until it is Start(i, j)
    for (std::uint32_t j = 1; j <= grid.rows; ++j) {
        for (std::uint32_t i = 1; i <= grid.columns; ++i) {
            if (i == 1 && j == 1) {
                start[0] = tile.pre_work.total();
                continue;
            }
            WideTime latest;
            if (i > 1) {
                latest = start[i - 2] + work + x[frame.after_in_x(i - 1, j)].total;
                if (j > 1) latest += y[frame.after_in_y(i, j - 1)].recv;
            }
            if (j > 1) {
                WideTime by_y = start[i - 1] + work + y[frame.after_in_y(i, j - 1)].total;
                if (i < grid.columns) by_y += x[frame.after_in_x(i, j - 1)].send;
                if (i == 1 || by_y > latest) {
                    latest = by_y;
                    from_north_[std::size_t{j - 1} * grid.columns + (i - 1)] = true;
                }
            }
            start[i - 1] = latest;
        }
    }
}

record::PathParts SweepFill::step_in_x(std::uint32_t i, std::uint32_t j) const {
    const SweepFrame frame(localities_, from_);
    record::PathParts step = tile_.work + tile_.east_west[frame.after_in_x(i - 1, j)].total;
    if (j > 1) step += tile_.north_south[frame.after_in_y(i, j - 1)].recv;
    return step;
}

record::PathParts SweepFill::step_in_y(std::uint32_t i, std::uint32_t j) const {
    const SweepFrame frame(localities_, from_);
    record::PathParts step = tile_.work + tile_.north_south[frame.after_in_y(i, j - 1)].total;
    if (i < localities_.grid().columns) step += tile_.east_west[frame.after_in_x(i, j - 1)].send;
    return step;
}

record::PathParts SweepFill::start(std::uint32_t i, std::uint32_t j) const {
    record::PathParts sum = tile_.pre_work;
    while (i > 1 || j > 1) {
        if (from_north_[std::size_t{j - 1} * localities_.grid().columns + (i - 1)]) {
            sum += step_in_y(i, j--);
        } else {
            sum += step_in_x(i--, j);
        }
    }
    return sum;
}

record::PathParts SweepFill::start(Corner corner) const {
    const RankGrid grid = localities_.grid();
    return start(is_east(corner) == is_east(from_) ? 1 : grid.columns,
                 is_south(corner) == is_south(from_) ? 1 : grid.rows);
}

CornerStarts corner_starts(const NeighbourLocalities& localities, Corner from, const TileCosts& tile) {
    const SweepFill fill(localities, from, tile);
    CornerStarts starts;
    for (const Corner corner : {Corner::northwest, Corner::northeast, Corner::southwest, Corner::southeast}) {
        starts[static_cast<std::size_t>(corner)] = fill.start(corner).total();
    }
    return starts;
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
