// The time until a sweep has filled the pipeline (Mudalige 2009, table 4.2). Coordinates count from the corner where
// the sweep starts. Rank (i, j) begins its first tile at
//
//   Start(1,1) = W_pre
//   Start(i,j) = max( Start(i-1,j) + W + Total_E + Recv_N ,  Start(i,j-1) + W + Send_E + Total_S )
//
// without terms for missing partners: no Recv_N for j = 1, no Send_E for i = n. Each term is charged at the locality of
// the link it crosses: Total_E of (i-1,j) to (i,j), Recv_N and Total_S of (i,j-1) to (i,j), Send_E of (i,j-1) to
// (i+1,j-1). For a patch of Cx x Cy ranks per node these are the on-chip rules of table 4.8. They also hold for chips
// within nodes and for patches cut off at the edge of the process grid. Sweeps from other corners use the recursion on
// the mirrored grid.
//
// A sweep can start once the fill of the previous one has reached its corner; the last sweep of an iteration must reach
// its far corner. The published n_diag and n_full (table 4.1) count these corners: Start(1,m) is the thesis's
// T_diagfill, Start(n,m) its T_fullfill, Start(n,1) the counterpart along a row, and Start(1,1) applies if the next
// sweep starts at the same corner.
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

/// The locality of every link between neighbouring ranks: two bytes per rank, looked up once.
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

/// One tile's work and its messages by locality.
struct TileCosts {
    using ByLocality = std::vector<MessageParts>;

    record::PathParts pre_work;
    record::PathParts work;
    ByLocality east_west;
    ByLocality north_south;
};

/// Returns `alone` as computing, and the additional time if all computing takes `slowing` times as long (1 or more),
/// for cores that share memory. Throws BadInput (closed_form_overflow).
record::PathParts computing(Time alone, double slowing);

/// Returns the costs of a tile of `phase`, its computing slowed as above. Throws BadInput (closed_form_overflow).
TileCosts tile_costs(const program::WavefrontPhase& phase, const machine::Machine& machine, double slowing = 1.0);

/// Start at the four corners of the process grid, indexed by program::Corner.
using CornerStarts = std::array<WideTime, 4>;

/// The fill of the process grid by a sweep from one corner. Time grows with the number of ranks; memory is one row, and
/// one bit per rank for the term selected by its maximum. The arguments must outlive it.
class SweepFill {
public:
    SweepFill(const NeighbourLocalities& localities, program::Corner from, const TileCosts& tile);

    /// Returns the parts of Start(i,j), traced back along the path that the maxima select; of equal terms, the one in
    /// x.
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

/// Returns Start at each corner of a sweep from `from`.
CornerStarts corner_starts(const NeighbourLocalities& localities, program::Corner from, const TileCosts& tile);

/// Returns the corner that the fill of sweep `sweep` (from 0) must reach.
program::Corner fill_ends_at(std::span<const program::Corner> corners, std::size_t sweep);

/// The sweeps of an iteration by the corner that their fill must reach, relative to the corner where they start.
struct FillCounts {
    std::int64_t same = 0;      // Start(1,1)
    std::int64_t row = 0;       // Start(n,1), along a row
    std::int64_t diagonal = 0;  // n_diag: Start(1,m), along a column
    std::int64_t full = 0;      // n_full: Start(n,m)
    friend bool operator==(const FillCounts&, const FillCounts&) = default;

    /// Returns the ranks that all fills cross in x: n - 1 for each fill along a row or across the grid.
    std::int64_t columns() const { return row + full; }
    std::int64_t rows() const { return diagonal + full; }
};
FillCounts fill_counts(std::span<const program::Corner> corners);

/// Returns true for two sweeps from each corner, in the order of Sweep3D: southeast, northeast, southwest, northwest.
bool is_sweep3d_order(std::span<const program::Corner> corners);

/// Returns true for two sweeps from each corner, in any order.
bool has_two_from_each_corner(std::span<const program::Corner> corners);

}  // namespace warpfront::analytic
