// Calls of the shipped template `all_corners` in the steps of all ranks.
//
// How often a rank of such a call goes through its loops depends on the rank, so that no rank does what another does
// less what leaves the array. Therefore a call is recognised on all ranks at once: the tiles are counted on the first
// rank, the template is lowered with them for the array of the run, and each rank has exactly these steps, partners
// and matches of messages. A rank sends equally many bytes in all its messages along an axis of the array.
//
// The steps of a call then become fewer, from which numbers are found as from all others:
//
//   corners; repeat 4 * tiles { computing of a tile; corners_east_west; corners_north_south }
#pragma once

#include <vector>

#include "tools/learning/grid.hpp"
#include "tools/learning/steps.hpp"

namespace warpfront::learning {

/// Whether there are such calls, which then stand as above. The array has two columns and two rows or more.
bool take_all_corners(std::vector<RankSteps>& ranks, const Array& array);

}  // namespace warpfront::learning
