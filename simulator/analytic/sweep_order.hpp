// What the order of an iteration's sweeps means for its fills. A sweep can start once the fill of the one before has
// reached its corner; the last one must reach its far corner. The published n_diag and n_full (Mudalige 2009, table
// 4.1) count these corners.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simulator/program/wavefront.hpp"

namespace warpfront::analytic {

bool is_east(program::Corner corner);
bool is_south(program::Corner corner);
program::Corner opposite(program::Corner corner);

/// The corner that the fill of sweep `sweep` (from 0) must reach.
program::Corner fill_ends_at(std::span<const program::Corner> corners, std::size_t sweep);

/// The sweeps of an iteration by the corner that their fill must reach, relative to the corner where they start.
struct FillCounts {
    std::int64_t same = 0;      // Start(1,1)
    std::int64_t row = 0;       // Start(n,1), along a row
    std::int64_t diagonal = 0;  // n_diag: Start(1,m), along a column
    std::int64_t full = 0;      // n_full: Start(n,m)
    friend bool operator==(const FillCounts&, const FillCounts&) = default;

    /// Ranks that all fills cross in x: n - 1 for each along a row or across the array.
    std::int64_t columns() const { return row + full; }
    std::int64_t rows() const { return diagonal + full; }
};
FillCounts fill_counts(std::span<const program::Corner> corners);

/// Two sweeps from each corner, in the order of Sweep3D: southeast, northeast, southwest, northwest.
bool is_sweep3d_order(std::span<const program::Corner> corners);

/// Two sweeps from each corner, in any order.
bool has_two_from_each_corner(std::span<const program::Corner> corners);

}  // namespace warpfront::analytic
