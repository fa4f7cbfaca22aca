// Which array the ranks of a run form: that in which partners are fewest offsets.
//
// All factorisations of the number of ranks are tried, numbered along a row first (units/ids.hpp); another numbering is
// the same array with its axes under other names. Of equally many offsets the shorter ones are taken (a neighbour in
// a row of the other axis is at 1, not at the length of a row), then fewer planes, then the squarest, then fewer rows.
//
// An axis is closed where the first rank behind its end is the one at its begin, which makes offsets fewer still:
// a ring of 8 has the offsets +1 and -1, and not -7 and +7 as well. An axis of one or two ranks does not show it.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/units/ids.hpp"
#include "tools/learning/steps.hpp"

namespace warpfront::learning {

/// From a rank to its partner.
struct Offset {
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    std::int32_t planes = 0;
    friend constexpr auto operator<=>(const Offset&, const Offset&) = default;
};

/// Which axes are closed.
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

/// On a closed axis the shorter way, of two equal ones that to higher numbers.
Offset offset_of(const Array& array, Rank from, Rank to);
/// The offset that leads to the same rank, as `offset_of` gives it.
Offset shortest(const Array& array, const Offset& offset);
/// Whether the partner stands in the array; around a closed axis of one rank nobody does.
bool stays(const Array& array, Rank from, const Offset& offset);
Rank partner(const Array& array, Rank from, const Offset& offset);

/// The ranks of a collective, as all ranks of the array see them.
enum class Group : std::uint8_t { world, row, column, plane, pillar, row_of_all_planes, column_of_all_planes };

/// The group of these ranks; nothing where they are none of the array.
std::optional<Group> group_of(const RankGrid& grid, const std::vector<Rank>& members);

struct GridChoice {
    Array array;
    std::uint32_t offsets = 0;  // distinct ones
    std::uint64_t lengths = 0;  // their sum
};
/// The best first; a run without messages between two ranks is one row.
std::vector<GridChoice> grids_of(const std::vector<RankSteps>& ranks);

}  // namespace warpfront::learning
