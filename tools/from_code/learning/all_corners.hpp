// Recognition of calls of the shipped template `all_corners` in the steps of all ranks.
//
// The number of iterations of each loop in such a call depends on the rank, so the ranks cannot be compared with one
// interior rank. Therefore a call is recognised on all ranks at once. The tiles are counted on the first rank, and the
// template is lowered with that number for the process grid of the run. Each rank must then have exactly these steps,
// partners and matches of messages. A rank sends the same number of bytes in all its messages along one axis.
//
// The steps of a call are then replaced by a shorter sequence, whose numbers are found in the usual way:
//
//   corners; repeat 4 * tiles { computing of a tile; corners_east_west; corners_north_south }
#pragma once

#include <vector>

#include "tools/from_code/learning/grid.hpp"
#include "tools/from_code/learning/steps.hpp"

namespace warpfront::learning {

/// Replaces such calls by the sequence above and returns whether there were any. The process grid needs at least two
/// columns and two rows.
bool take_all_corners(std::vector<RankSteps>& ranks, const Array& array);

}  // namespace warpfront::learning
