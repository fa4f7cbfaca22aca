#include "tools/learning/grid.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>

namespace warpfront::learning {

namespace {

std::int32_t difference(std::uint32_t to, std::uint32_t from) {
    return static_cast<std::int32_t>(to) - static_cast<std::int32_t>(from);
}

GridChoice choice_of(const RankGrid& grid, const std::set<std::pair<Rank, Rank>>& pairs) {
    std::set<Offset> offsets;
    for (const auto& [from, to] : pairs) offsets.insert(offset_of(grid, from, to));
    GridChoice choice{grid, static_cast<std::uint32_t>(offsets.size()), 0};
    for (const Offset& offset : offsets) {
        choice.lengths += static_cast<std::uint64_t>(std::abs(offset.columns)) +
                          static_cast<std::uint64_t>(std::abs(offset.rows)) +
                          static_cast<std::uint64_t>(std::abs(offset.planes));
    }
    return choice;
}

}  // namespace

Offset offset_of(const RankGrid& grid, Rank from, Rank to) {
    return {difference(grid.column(to), grid.column(from)), difference(grid.row(to), grid.row(from)),
            difference(grid.plane(to), grid.plane(from))};
}

bool stays(const RankGrid& grid, Rank from, const Offset& offset) {
    const auto within = [](std::uint32_t at, std::int32_t by, std::uint32_t size) {
        const std::int64_t to = std::int64_t{at} + by;
        return to >= 1 && to <= std::int64_t{size};
    };
    return within(grid.column(from), offset.columns, grid.columns) && within(grid.row(from), offset.rows, grid.rows) &&
           within(grid.plane(from), offset.planes, grid.planes);
}

Rank partner(const RankGrid& grid, Rank from, const Offset& offset) {
    const auto moved = [](std::uint32_t at, std::int32_t by) {
        return static_cast<std::uint32_t>(std::int64_t{at} + by);
    };
    return grid.at(moved(grid.column(from), offset.columns), moved(grid.row(from), offset.rows),
                   moved(grid.plane(from), offset.planes));
}

std::vector<GridChoice> grids_of(const std::vector<RankSteps>& ranks) {
    std::set<std::pair<Rank, Rank>> pairs;
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        for (const Step& step : ranks[rank].steps) {
            if (is_send(step.kind)) pairs.insert({Rank{rank}, step.peer});
        }
    }
    const auto count = static_cast<std::uint32_t>(ranks.size());
    std::vector<GridChoice> choices;
    for (std::uint32_t columns = 1; columns <= count; ++columns) {
        for (std::uint32_t rows = 1; columns * rows <= count; ++rows) {
            if (count % (columns * rows) != 0) continue;
            RankGrid grid;
            grid.columns = columns;
            grid.rows = rows;
            grid.planes = count / columns / rows;
            choices.push_back(choice_of(grid, pairs));
        }
    }
    std::stable_sort(choices.begin(), choices.end(), [&pairs](const GridChoice& a, const GridChoice& b) {
        const auto key = [&pairs](const GridChoice& choice) {
            const RankGrid& grid = choice.grid;
            const std::uint32_t longest = std::max({grid.columns, grid.rows, grid.planes});
            // Nothing tells of the axes where no pair exchanges messages.
            return std::tuple(choice.offsets, choice.lengths, grid.planes, pairs.empty() ? grid.rows : longest,
                              grid.rows);
        };
        return key(a) < key(b);
    });
    return choices;
}

}  // namespace warpfront::learning
