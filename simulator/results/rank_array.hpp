// The array of ranks as maps for pictures: when each rank's first tile was done, its computing, its waiting, its
// finish. An array of more than kMostCells columns or rows, or of more than kMostCells x kMostCells ranks in several
// planes, is divided into cells of equal numbers of ranks (fewer at the east, south and upper edges), of which the maps
// have the means; values have six significant digits, finishes ten. So the maps are small, whatever the array.
#pragma once

#include <cstdint>

#include <nlohmann/json.hpp>

#include "simulator/record/record.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::results {

inline constexpr std::uint32_t kMostCells = 64;  // along a side

/// `columns` and `rows` of cells, `columns_per_cell` and `rows_per_cell` of ranks, of several planes also `planes` and
/// `planes_per_cell`; then the maps in seconds, cell by cell from the north-west, a row first, plane by plane:
/// `first_tile_s` (left out where some rank has none), `compute_s`, `wait_s` (for messages and partners), `queue_s`
/// (for bus, NIC and links), `finish_s`. Null for a record without the ranks' breakdowns.
nlohmann::ordered_json rank_array(const record::Record& record, const RankGrid& grid);

}  // namespace warpfront::results
