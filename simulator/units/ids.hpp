// Numbers that the compiler distinguishes: an MPI rank, a node, a host of the platform; and the process grid. A node is
// the ranks of one patch with their shared cores, bus and NIC, and one logical process of the engine. Placement gives
// each node a host of its own.
//
// Process grids have columns, rows and planes; most have one plane. Rank numbers run along a row first, then row by
// row, then plane by plane: rank = ((plane - 1) * rows + row - 1) * columns + column - 1, with column 1..columns
// counted from the west and row 1..rows counted from the north, as in Mudalige 2009, chapter 3 (there: (i, j) in 1..n x
// 1..m), and plane 1..planes counted from the bottom.
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

/// A host, numbered zone by zone in file order, each zone's own hosts first, in SimGrid's netpoint order.
struct Host {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(Host, Host) = default;
};

/// The sizes of a grid. Invariant: none is zero.
struct Extents {
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;
    std::uint32_t planes = 1;

    /// Returns the product; the largest number if the product exceeds it.
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
