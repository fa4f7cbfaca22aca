// Numbers that the compiler keeps apart: an MPI rank, a node, a host of the platform; and the rectangular array that
// the ranks form. A node is what the ranks of one patch share, its cores, bus and NIC, and one logical process of the
// engine. Placement gives each node a host of its own.
//
// Rank numbers run along a row first: rank = (row - 1) * columns + (column - 1), with column 1..columns counted from
// the west and row 1..rows counted from the north, as in Mudalige 2009, chapter 3 (there: (i, j) in 1..n x 1..m).
#pragma once

#include <compare>
#include <cstdint>

namespace warpfront {

struct Rank {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(Rank, Rank) = default;
};

struct Node {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(Node, Node) = default;
};

/// Numbered zone by zone in file order, each zone's own hosts first, in SimGrid's netpoint order.
struct Host {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(Host, Host) = default;
};

struct RankGrid {
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;

    constexpr std::uint64_t ranks() const { return std::uint64_t{columns} * rows; }
    constexpr Rank at(std::uint32_t column, std::uint32_t row) const { return {(row - 1) * columns + (column - 1)}; }
    constexpr std::uint32_t column(Rank rank) const { return rank.index % columns + 1; }
    constexpr std::uint32_t row(Rank rank) const { return rank.index / columns + 1; }
    friend constexpr bool operator==(RankGrid, RankGrid) = default;
};

}  // namespace warpfront
