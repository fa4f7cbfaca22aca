// A cost map: factors for the compute time of ranks and of single tiles, as a CSV table.
//
//   rank,factor        rank,wave,factor
//   17,1.25            17,3,0.5          tile 3 of rank 17
//                      17,,1.25          all of rank 17; if both are given, both apply
//
// Ranks count from 0, row by row and plane by plane. `wave` counts the iterations of the rank's loops within the
// iteration of the code: in sweeps over two or more tiles it is the number of the tile from 0, continued from sweep to
// sweep.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::scenario {

/// Reads a cost map. Diagnostics: unknown_column, missing_key for a required column, out_of_range for ranks from
/// `ranks` on and for negative factors, duplicate_row, bad_number, and those of CSV.
std::vector<variation::CostFactor> read_cost_map(const input::SourceFilePtr& source, std::uint64_t ranks,
                                                 input::Diagnostics& faults);

}  // namespace warpfront::scenario
