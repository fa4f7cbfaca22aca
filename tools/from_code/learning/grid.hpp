// The process grid of a run: the grid on which the partners have the fewest distinct offsets.
//
// All factorisations of the number of ranks are tried, with ranks numbered along a row first (units/ids.hpp). If the
// code numbers them differently, the axes of the grid are only renamed. If several grids have equally many offsets, the
// order of preference is: shorter offsets, fewer closed axes, fewer planes, the squarest grid, fewer rows. Shorter
// offsets exclude the grid of one row: there, a neighbour in the next row of the true grid is as many columns away as a
// row is long.
//
// An axis is closed (periodic) if its first rank follows its last. This reduces the number of offsets: a ring of 8 has
// the offsets +1 and -1, without -7 and +7. An axis of one or two ranks does not show whether it is closed.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/units/ids.hpp"
#include "tools/from_code/learning/steps.hpp"

namespace warpfront::learning {

/// The distance from a rank to its partner along each axis.
struct Offset {
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    std::int32_t planes = 0;
    friend constexpr auto operator<=>(const Offset&, const Offset&) = default;
};

/// For each axis, whether it is closed.
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

/// Returns the offset between two ranks. On a closed axis it goes the shorter way around. If both ways are equal, it
/// goes towards higher numbers.
Offset offset_of(const Array& array, Rank from, Rank to);
/// Returns the offset that leads to the same rank and goes the shorter way around closed axes, like `offset_of`.
Offset shortest(const Array& array, const Offset& offset);
/// Returns true if the partner is in the process grid. Along a closed axis of one rank there is no partner.
bool stays(const Array& array, Rank from, const Offset& offset);
Rank partner(const Array& array, Rank from, const Offset& offset);

/// The ranks of a collective, in relation to each rank of the process grid.
enum class Group : std::uint8_t { world, row, column, plane, pillar, row_of_all_planes, column_of_all_planes };

/// Returns the group that consists of these ranks; nothing if there is none.
std::optional<Group> group_of(const RankGrid& grid, const std::vector<Rank>& members);

struct GridChoice {
    Array array;
    std::uint32_t offsets = 0;  // number of distinct offsets
    std::uint64_t lengths = 0;  // sum of the lengths of these offsets
    bool is_stencil = true;     // each rank sends to all ranks at these offsets, which are its neighbours
};
/// Returns the candidates, the best first. If no two ranks exchange messages, the run is one row.
std::vector<GridChoice> grids_of(const std::vector<RankSteps>& ranks);

}  // namespace warpfront::learning
