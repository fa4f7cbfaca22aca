#include "tools/from_code/learning/grid.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace warpfront::learning {

namespace {

std::int32_t difference(std::uint32_t to, std::uint32_t from) {
    return static_cast<std::int32_t>(to) - static_cast<std::int32_t>(from);
}

std::int32_t shorter_way(std::int32_t by, std::uint32_t size, bool closed) {
    if (!closed) return by;
    const auto all = static_cast<std::int32_t>(size);
    const std::int32_t up = (by % all + all) % all;
    return 2 * up <= all ? up : up - all;
}

std::uint64_t length_of(const Offset& offset) {
    return static_cast<std::uint64_t>(std::abs(offset.columns)) + static_cast<std::uint64_t>(std::abs(offset.rows)) +
           static_cast<std::uint64_t>(std::abs(offset.planes));
}

/// Returns the number of directions of an offset: two if it leads halfway around a closed axis, otherwise one.
std::uint32_t ways(const Array& array, const Offset& offset) {
    const auto halfway = [](std::int32_t by, std::uint32_t size, bool closed) {
        return closed && by > 0 && 2 * static_cast<std::uint32_t>(by) == size;
    };
    return halfway(offset.columns, array.columns, array.closed.columns) ||
                   halfway(offset.rows, array.rows, array.closed.rows) ||
                   halfway(offset.planes, array.planes, array.closed.planes)
               ? 2
               : 1;
}

/// Returns whether an offset leads to a neighbour, also a diagonal one, and all ranks send to the rank there.
bool are_all_sent(const Array& array, const Offset& offset, const std::set<std::pair<Rank, Rank>>& pairs) {
    if (std::abs(offset.columns) > 1 || std::abs(offset.rows) > 1 || std::abs(offset.planes) > 1) return false;
    for (std::uint32_t rank = 0; rank < array.ranks(); ++rank) {
        const Rank from{rank};
        if (stays(array, from, offset) && !pairs.contains({from, partner(array, from, offset)})) return false;
    }
    return true;
}

GridChoice choice_of(const Array& array, const std::set<std::pair<Rank, Rank>>& pairs) {
    std::set<Offset> offsets;
    for (const auto& [from, to] : pairs) offsets.insert(offset_of(array, from, to));
    GridChoice choice{array};
    for (const Offset& offset : offsets) {
        choice.is_stencil = choice.is_stencil && are_all_sent(array, offset, pairs);
        choice.offsets += ways(array, offset);
        choice.lengths += length_of(offset) * ways(array, offset);
    }
    return choice;
}

/// Returns all process grids of these sizes. Each axis of three or more ranks may be open or closed.
std::vector<Array> arrays_of(const RankGrid& grid) {
    std::vector<Array> arrays;
    for (unsigned each = 0; each < 8; ++each) {
        const Closed closed{(each & 1) != 0, (each & 2) != 0, (each & 4) != 0};
        const bool seen = (!closed.columns || grid.columns > 2) && (!closed.rows || grid.rows > 2) &&
                          (!closed.planes || grid.planes > 2);
        if (seen) arrays.push_back({grid, closed});
    }
    return arrays;
}

}  // namespace

Offset shortest(const Array& array, const Offset& offset) {
    return {shorter_way(offset.columns, array.columns, array.closed.columns),
            shorter_way(offset.rows, array.rows, array.closed.rows),
            shorter_way(offset.planes, array.planes, array.closed.planes)};
}

Offset offset_of(const Array& array, Rank from, Rank to) {
    return shortest(array,
                    {difference(array.column(to), array.column(from)), difference(array.row(to), array.row(from)),
                     difference(array.plane(to), array.plane(from))});
}

bool stays(const Array& array, Rank from, const Offset& offset) {
    const auto within = [](std::uint32_t at, std::int32_t by, std::uint32_t size, bool closed) {
        const std::int64_t to = std::int64_t{at} + by;
        return closed || (to >= 1 && to <= std::int64_t{size});
    };
    return within(array.column(from), offset.columns, array.columns, array.closed.columns) &&
           within(array.row(from), offset.rows, array.rows, array.closed.rows) &&
           within(array.plane(from), offset.planes, array.planes, array.closed.planes) &&
           (offset == Offset{} || shortest(array, offset) != Offset{});
}

Rank partner(const Array& array, Rank from, const Offset& offset) {
    const auto moved = [](std::uint32_t at, std::int32_t by, std::uint32_t size, bool closed) {
        const std::int64_t to = std::int64_t{at} + by;
        if (!closed) return static_cast<std::uint32_t>(to);
        const std::int64_t all = size;
        return static_cast<std::uint32_t>(((to - 1) % all + all) % all + 1);
    };
    return array.at(moved(array.column(from), offset.columns, array.columns, array.closed.columns),
                    moved(array.row(from), offset.rows, array.rows, array.closed.rows),
                    moved(array.plane(from), offset.planes, array.planes, array.closed.planes));
}

std::optional<Group> group_of(const RankGrid& grid, const std::vector<Rank>& members) {
    const auto same = [&](auto key) {
        std::vector<Rank> expected;
        for (std::uint32_t rank = 0; rank < grid.ranks(); ++rank) {
            if (key(Rank{rank}) == key(members.front())) expected.push_back(Rank{rank});
        }
        return expected == members;
    };
    const auto row = [&grid](Rank rank) { return grid.row(rank); };
    const auto column = [&grid](Rank rank) { return grid.column(rank); };
    const auto plane = [&grid](Rank rank) { return grid.plane(rank); };
    if (same([](Rank) { return 0; })) return Group::world;
    if (same([&](Rank rank) { return std::pair(row(rank), plane(rank)); })) return Group::row;
    if (same([&](Rank rank) { return std::pair(column(rank), plane(rank)); })) return Group::column;
    if (same(plane)) return Group::plane;
    if (same([&](Rank rank) { return std::pair(column(rank), row(rank)); })) return Group::pillar;
    if (same(row)) return Group::row_of_all_planes;
    if (same(column)) return Group::column_of_all_planes;
    return std::nullopt;
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
            for (const Array& array : arrays_of(grid)) choices.push_back(choice_of(array, pairs));
        }
    }
    std::stable_sort(choices.begin(), choices.end(), [&pairs](const GridChoice& a, const GridChoice& b) {
        const auto key = [&pairs](const GridChoice& choice) {
            const Array& grid = choice.array;
            const int closed = int{grid.closed.columns} + int{grid.closed.rows} + int{grid.closed.planes};
            const std::uint32_t longest = std::max({grid.columns, grid.rows, grid.planes});
            // If no pair exchanges messages, nothing distinguishes the axes.
            return std::tuple(!choice.is_stencil, choice.offsets, choice.lengths, closed, grid.planes,
                              pairs.empty() ? grid.rows : longest, grid.rows);
        };
        return key(a) < key(b);
    });
    return choices;
}

}  // namespace warpfront::learning
