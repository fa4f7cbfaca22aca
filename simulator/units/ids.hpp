// Numbers that the compiler distinguishes: an MPI rank, a node, a host of the platform. Also the process grid. A node
// is a patch of ranks with their shared cores, bus and NIC. The engine treats a node as one logical process. Placement
// assigns each node its own host.
//
// Process grids have columns, rows and planes; most have one plane. Ranks are numbered along a row first, then row by
// row, then plane by plane:
//   rank = ((plane - 1) * rows + row - 1) * columns + column - 1
// Columns count from the west, rows from the north and planes from the bottom, all from 1. Columns and rows are those
// of Mudalige 2009, chapter 3 (there: (i, j) in 1..n x 1..m).
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>

namespace warpfront {

struct Rank {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(Rank, Rank) = default;
};

struct Node {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(Node, Node) = default;
};

/// A host of the platform. Hosts are numbered in the order of the file, zone by zone, like SimGrid's netpoints. A
/// zone's own hosts precede those of its inner zones.
struct Host {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(Host, Host) = default;
};

/// The sizes of a grid. Invariant: none is zero.
struct Extents {
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;
    std::uint32_t planes = 1;

    /// Returns the number of elements of the grid, or the largest number that the type can represent.
    constexpr std::uint64_t count() const {
        const std::uint64_t plane = std::uint64_t{columns} * rows;
        constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
        return plane > kMost / planes ? kMost : plane * planes;
    }
    friend constexpr bool operator==(const Extents&, const Extents&) = default;
};

/// Formats "8 x 4"; for several planes "8 x 4 x 2".
inline std::string as_text(const Extents& extents) {
    const std::string plane = std::to_string(extents.columns) + " x " + std::to_string(extents.rows);
    return extents.planes == 1 ? plane : plane + " x " + std::to_string(extents.planes);
}

struct RankGrid : Extents {
    constexpr std::uint64_t ranks() const { return count(); }
    constexpr Rank at(std::uint32_t column, std::uint32_t row, std::uint32_t plane = 1) const {
        return {((plane - 1) * rows + (row - 1)) * columns + (column - 1)};
    }
    constexpr std::uint32_t column(Rank rank) const { return rank.index % columns + 1; }
    constexpr std::uint32_t row(Rank rank) const { return rank.index / columns % rows + 1; }
    constexpr std::uint32_t plane(Rank rank) const { return rank.index / columns / rows + 1; }
    /// Formats "column 3, row 1"; for several planes "column 3, row 1, plane 2".
    std::string coordinates(Rank rank) const {
        const std::string in_plane = "column " + std::to_string(column(rank)) + ", row " + std::to_string(row(rank));
        return planes == 1 ? in_plane : in_plane + ", plane " + std::to_string(plane(rank));
    }
};

}  // namespace warpfront
