// Which array the ranks of a run form: that in which partners are fewest offsets.
//
// All factorisations of the number of ranks are tried, numbered along a row first (units/ids.hpp); another numbering is
// the same array with its axes under other names. Of equally many offsets the shorter ones are taken (a neighbour in
// a row of the other axis is at 1, not at the length of a row), then fewer planes, then the squarest, then fewer rows.
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

Offset offset_of(const RankGrid& grid, Rank from, Rank to);
/// Whether the partner stands in the array.
bool stays(const RankGrid& grid, Rank from, const Offset& offset);
Rank partner(const RankGrid& grid, Rank from, const Offset& offset);

struct GridChoice {
    RankGrid grid;
    std::uint32_t offsets = 0;  // distinct ones
    std::uint64_t lengths = 0;  // their sum
};
/// The best first; a run without messages between two ranks is one row.
std::vector<GridChoice> grids_of(const std::vector<RankSteps>& ranks);

}  // namespace warpfront::learning
