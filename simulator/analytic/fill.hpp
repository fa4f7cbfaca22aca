// How long a sweep takes to fill the pipeline (Mudalige 2009, table 4.2). Counted from the corner where the sweep
// starts, rank (i, j) begins to work on its first tile at
//
//   Start(1,1) = W_pre
//   Start(i,j) = max( Start(i-1,j) + W + Total_E + Recv_N ,  Start(i,j-1) + W + Send_E + Total_S )
//
// without the terms that have no partner: no Recv_N for j = 1, no Send_E for i = n. Each term is charged by the layer
// of the link it crosses: Total_E that between (i-1,j) and (i,j), Recv_N and Total_S that between (i,j-1) and (i,j),
// Send_E that between (i,j-1) and (i+1,j-1). For a patch of Cx x Cy ranks per node these are the on-chip rules of
// table 4.7, but they hold as well for chips within nodes and for patches cut short at the edge of the array.
// Sweeps from other corners are the same recursion on the mirrored array.
//
// What follows a sweep is its fill up to the rank where the next sweep starts: Start(1,m) is the thesis's T_diagfill,
// Start(n,m) its T_fullfill, Start(n,1) their counterpart along a row, and Start(1,1) is what remains where the next
// sweep starts at the same corner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/analytic/message.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/wavefront.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

/// The layer of every link between neighbouring ranks: two bytes per rank, looked up once.
class NeighbourLayers {
public:
    explicit NeighbourLayers(const machine::Machine& machine);

    RankGrid grid() const { return grid_; }
    /// Between (column, row) and (column + 1, row).
    machine::Locality east_of(std::uint32_t column, std::uint32_t row) const {
        return east_[grid_.at(column, row).index];
    }
    /// Between (column, row) and (column, row + 1).
    machine::Locality south_of(std::uint32_t column, std::uint32_t row) const {
        return south_[grid_.at(column, row).index];
    }

private:
    RankGrid grid_;
    std::vector<machine::Locality> east_;
    std::vector<machine::Locality> south_;
};

/// One tile's work and its messages by layer.
struct TileCosts {
    using ByLayer = std::array<MessageCost, machine::kLocalities>;

    Time pre_work;
    Time work;
    ByLayer east_west;
    ByLayer north_south;
};

/// The costs of a tile of `phase`. Throws BadInput (closed_form_overflow).
TileCosts tile_costs(const program::WavefrontPhase& phase, const machine::Machine& machine);

/// Start at the four corners of the array, indexed by program::Corner.
using CornerStarts = std::array<WideTime, 4>;

/// Start at each corner, of a sweep that begins at `from`. Takes time proportional to the ranks and memory to a row.
CornerStarts corner_starts(const NeighbourLayers& layers, program::Corner from, const TileCosts& tile);

}  // namespace warpfront::analytic
