// The time until a sweep has filled the pipeline (Mudalige 2009, table 4.2). Coordinates count from the corner where
// the sweep starts. Rank (i, j) begins its first tile at
//
//   Start(1,1) = W_pre
//   Start(i,j) = max( Start(i-1,j) + W + Total_E + Recv_N ,  Start(i,j-1) + W + Send_E + Total_S )
//
// Terms of missing partners are left out: Recv_N for j = 1, Send_E for i = n. Each term is charged at the locality of
// its link: Total_E at that of the link from (i-1,j) to (i,j), Recv_N and Total_S at that from (i,j-1) to (i,j), and
// Send_E at that from (i,j-1) to (i+1,j-1). For a patch of Cx x Cy ranks per node, these are the on-chip rules of table
// 4.8. They are also valid for chips within nodes, and for patches that are cut off at the edge of the process grid.
// For a sweep from another corner, the recursion runs on the mirrored grid.
//
// A sweep can start once the fill of the previous sweep has reached the corner where the new one starts. The last sweep
// of an iteration must reach the corner opposite to its start. The published n_diag and n_full (table 4.1) count these
// cases. Start(1,m) is T_diagfill of the thesis, and Start(n,m) is T_fullfill. Start(n,1) is the counterpart of
// Start(1,m) along a row. Start(1,1) applies if the next sweep starts at the same corner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simulator/analytic/message.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

/// The locality of every link between neighbouring ranks, computed once and stored in two bytes per rank.
class NeighbourLocalities {
public:
    explicit NeighbourLocalities(const machine::Machine& machine);

    RankGrid grid() const { return grid_; }
    /// Returns the locality between (column, row) and (column + 1, row).
    machine::Locality east_of(std::uint32_t column, std::uint32_t row) const {
        return east_[grid_.at(column, row).index];
    }
    /// Returns the locality between (column, row) and (column, row + 1).
    machine::Locality south_of(std::uint32_t column, std::uint32_t row) const {
        return south_[grid_.at(column, row).index];
    }

private:
    RankGrid grid_;
    std::vector<machine::Locality> east_;
    std::vector<machine::Locality> south_;
};

/// The work of one tile, and the costs of its messages by locality.
struct TileCosts {
    using ByLocality = std::vector<MessageParts>;

    record::PathParts pre_work;
    record::PathParts work;
    ByLocality east_west;
    ByLocality north_south;
};

/// Returns the parts of computing that takes the time `alone` on a single core and `slowing` times as long on cores
/// that share memory. The part `compute` is `alone`, and the part `memory` is the rest. `slowing` is at least 1. Throws
/// BadInput (closed_form_overflow).
record::PathParts computing(Time alone, double slowing);

/// Returns the costs of a tile of `phase`, with `slowing` as in `computing`. Throws BadInput (closed_form_overflow).
TileCosts tile_costs(const program::WavefrontPhase& phase, const machine::Machine& machine, double slowing = 1.0);

/// The times Start(i,j) of the ranks at the four corners of the process grid, indexed by program::Corner.
using CornerStarts = std::array<WideTime, 4>;

/// The fill of the process grid by a sweep from one corner. The computing time is proportional to the number of ranks.
/// The object stores one row of times, and one bit per rank for the term that the maximum selects. The arguments must
/// outlive the object.
class SweepFill {
public:
    SweepFill(const NeighbourLocalities& localities, program::Corner from, const TileCosts& tile);

    /// Returns the parts of Start(i,j) along the path that the maxima select. If both terms are equal, the path takes
    /// the one along x.
    record::PathParts start(std::uint32_t i, std::uint32_t j) const;
    /// Returns the parts of Start at a corner of the process grid.
    record::PathParts start(program::Corner corner) const;

private:
    record::PathParts step_in_x(std::uint32_t i, std::uint32_t j) const;
    record::PathParts step_in_y(std::uint32_t i, std::uint32_t j) const;

    const NeighbourLocalities& localities_;
    const TileCosts& tile_;
    program::Corner from_;
    std::vector<bool> from_north_;  // by rank, in rows of the sweep
};

/// Returns the time at which a sweep from the corner `from` begins its first tile at each corner of the process grid.
CornerStarts corner_starts(const NeighbourLocalities& localities, program::Corner from, const TileCosts& tile);

/// Returns the corner that the fill of sweep `sweep` (from 0) must reach.
program::Corner fill_ends_at(std::span<const program::Corner> corners, std::size_t sweep);

/// The sweeps of an iteration by the corner that their fill must reach, relative to the corner where they start.
struct FillCounts {
    std::int64_t same = 0;      // Start(1,1)
    std::int64_t row = 0;       // Start(n,1), the other end of the row
    std::int64_t diagonal = 0;  // n_diag: Start(1,m), the other end of the column
    std::int64_t full = 0;      // n_full: Start(n,m), the opposite corner
    friend bool operator==(const FillCounts&, const FillCounts&) = default;

    /// Returns the number of fills that cross all columns of the process grid.
    std::int64_t columns() const { return row + full; }
    std::int64_t rows() const { return diagonal + full; }
};
FillCounts fill_counts(std::span<const program::Corner> corners);

/// Returns true for two sweeps from each corner, in the order of Sweep3D: southeast, northeast, southwest, northwest.
bool is_sweep3d_order(std::span<const program::Corner> corners);

/// Returns true for two sweeps from each corner, in any order.
bool has_two_from_each_corner(std::span<const program::Corner> corners);

}  // namespace warpfront::analytic
