// The process grid of a run: the one in which the partners have the fewest distinct offsets.
//
// All factorisations of the number of ranks are tried, numbered along a row first (units/ids.hpp). Another numbering
// gives the same grid with its axes renamed. Among grids with equally many offsets the order of preference is: shorter
// offsets, fewer closed axes, fewer planes, the squarest grid, fewer rows. Shorter offsets exclude the grid of one row:
// on it, a neighbour that is one row away on the true grid is as many columns away as the row is long.
//
// An axis is closed (periodic) if its last rank is followed by its first. This reduces the number of offsets further: a
// ring of 8 has the offsets +1 and -1, without -7 and +7. An axis of one or two ranks does not reveal it.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/units/ids.hpp"
#include "tools/from_code/learning/steps.hpp"

namespace warpfront::learning {

/// The distance along each axis from a rank to its partner.
struct Offset {
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    std::int32_t planes = 0;
    friend constexpr auto operator<=>(const Offset&, const Offset&) = default;
};

/// The axes that are closed.
struct Closed {
    bool columns = false;
    bool rows = false;
    bool planes = false;
    bool any() const { return columns || rows || planes; }
    friend constexpr auto operator<=>(const Closed&, const Closed&) = default;
};
struct Array : RankGrid {
    Closed closed;
};

/// Returns the offset between two ranks. On a closed axis it is the shorter way around; if both ways are equal, the one
/// towards higher numbers.
Offset offset_of(const Array& array, Rank from, Rank to);
/// Returns the offset to the same rank in the form that `offset_of` returns.
Offset shortest(const Array& array, const Offset& offset);
/// Returns whether the partner is in the process grid. Along a closed axis of one rank there is no partner.
bool stays(const Array& array, Rank from, const Offset& offset);
Rank partner(const Array& array, Rank from, const Offset& offset);

/// The group of ranks of a collective, seen from any rank of the process grid.
enum class Group : std::uint8_t { world, row, column, plane, pillar, row_of_all_planes, column_of_all_planes };

/// Returns the group that consists of these ranks; nothing if there is none.
std::optional<Group> group_of(const RankGrid& grid, const std::vector<Rank>& members);

struct GridChoice {
    Array array;
    std::uint32_t offsets = 0;  // number of distinct offsets
    std::uint64_t lengths = 0;  // sum of the lengths of these offsets
    bool is_stencil = true;     // each rank sends to all ranks at these offsets, which are its neighbours
};
/// Returns the candidates, the best first. A run without messages between two ranks is one row.
std::vector<GridChoice> grids_of(const std::vector<RankSteps>& ranks);

}  // namespace warpfront::learning
