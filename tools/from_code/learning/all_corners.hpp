// Recognises calls of the shipped template `all_corners` in the steps of all ranks.
//
// Each rank executes the loops of such a call a different number of times, so one interior rank does not represent the
// others. Therefore a call is recognised on all ranks at once. The number of tiles is counted on the first rank. The
// template is then lowered with that number for the process grid of the run. Each rank must have exactly the steps,
// partners and matches of messages that this gives. A rank sends the same number of bytes in all its messages along one
// axis.
//
// A shorter sequence then replaces the steps of a call. Its numbers are found like those of other steps:
//
//   corners; repeat 4 * tiles { computing of a tile; corners_east_west; corners_north_south }
#pragma once

#include <vector>

#include "tools/from_code/learning/grid.hpp"
#include "tools/from_code/learning/steps.hpp"

namespace warpfront::learning {

/// Replaces the calls of `all_corners` by the sequence above. Returns true if there were any. The process grid must
/// have at least two columns and two rows.
bool take_all_corners(std::vector<RankSteps>& ranks, const Array& array);

}  // namespace warpfront::learning
