// A cost map: what the work of ranks and of single tiles is multiplied by, as a table of CSV.
//
//   rank,factor        rank,wave,factor
//   17,1.25            17,3,0.5          tile 3 of rank 17
//                      17,,1.25          all of rank 17; both factors apply where both are given
//
// Ranks count from 0, row by row. `wave` counts the trips that the rank's loops have made in the iteration, so in a
// sweep over two or more tiles it is the tile's number from 0, going on from sweep to sweep.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/noise.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::scenario {

/// Diagnostics: unknown_column, missing_key for a column that must be there, out_of_range for ranks from `ranks` on and
/// for negative factors, duplicate_row, bad_number, and those of CSV.
std::vector<engine::CostFactor> read_cost_map(const input::SourceFilePtr& source, std::uint64_t ranks,
                                              input::Diagnostics& faults);

}  // namespace warpfront::scenario
