// Folding a two-dimensional array of nodes into a torus, and growing a torus until the array folds well into it.
//
// Vocabulary. A path through some dimensions of the torus is boustrophedon: it reverses at each end, so consecutive
// positions are one link apart. A folding assigns the dimensions to three groups with P_c, P_r and P_l hosts along
// their paths:
//   columns  array column x is at position x mod P_c of the first path, reversed in every second fold,
//            and belongs to fold x / P_c; there are F_c = ceil(columns / P_c) folds
//   rows     the same for array row y on the second path, with F_r folds
//   layers   fold pair (f_c, f_r) is at position outer * F_inner + inner of the third path, F_c * F_r <= P_l
// Three independent positions determine a node's host, so no two nodes share one. Neighbours in the array are
//   within a fold                     1 link apart
//   across a turn of the inner axis   1 link apart (only the layer changes, by one)
//   across a turn of the outer axis   at most F_inner links apart (only the layer changes, by F_inner)
// If at most one axis folds, all neighbours are adjacent.
//
// The best folding has the least greatest distance, then the fewest links over all pairs of neighbours. If no other
// folding holds the array although the torus has enough hosts, all dimensions are layers: every node is a fold of its
// own, and the lines along the shorter side of the array follow one another on one path through the whole torus.
//
// Growing (`size: fit`). With F_c and F_r chosen, the first dimension becomes ceil(columns / F_c), the second
// ceil(rows / F_r), the third what F_c * F_r layers need; further dimensions stay. The choice minimises, in this order:
//   1. hosts beyond twice the nodes
//   2. elongation (longest dimension / shortest) beyond 2
//   3. the greatest distance between neighbours
//   4. hosts
//   5. elongation
// A torus of two dimensions becomes columns x rows; a ring gets one host per node.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/units/ids.hpp"

namespace warpfront::machine {

/// If more dimensions than this are longer than one host, all are layers.
inline constexpr std::size_t kMostFoldedDimensions = 8;

/// A boustrophedon path through some dimensions of a torus.
class TorusPath {
public:
    /// Through those dimensions k whose `group[k]` is `which`.
    TorusPath(const std::vector<std::uint32_t>& dimensions, const std::vector<unsigned>& group, unsigned which);

    std::uint64_t length() const { return length_; }
    /// The share of this path's coordinates in the host number at `position` < length().
    std::uint32_t offset(std::uint64_t position) const;

private:
    struct Leg {
        std::uint32_t hosts = 1;   // along this dimension
        std::uint32_t stride = 1;  // in host numbers
    };
    std::vector<Leg> legs_;
    std::uint64_t length_ = 1;
};

/// One way to fold an array into a torus.
class TorusFolding {
public:
    TorusFolding(std::uint32_t columns, std::uint32_t rows, TorusPath column_path, TorusPath row_path,
                 TorusPath layer_path);

    /// Whether the layers suffice; if not, the other members are meaningless.
    bool holds() const { return column_folds_ * row_folds_ <= layers_.length(); }
    Host host(std::uint32_t column, std::uint32_t row) const;
    /// A bound on the links between neighbours in the array.
    std::uint64_t greatest_distance() const;
    /// A bound on the links, beyond one each, over all pairs of neighbours.
    std::uint64_t extra_links() const;

private:
    TorusPath columns_, rows_, layers_;
    std::uint64_t column_folds_ = 1;
    std::uint64_t row_folds_ = 1;
    std::uint64_t across_outer_ = 1;  // pairs of neighbours at one turn of the outer axis
    bool columns_inner_ = true;
};

/// The best of all foldings; the torus must have a host for every node.
TorusFolding best_folding(std::uint32_t columns, std::uint32_t rows, const std::vector<std::uint32_t>& dimensions);

/// Hosts of a torus.
std::uint64_t hosts_of(const std::vector<std::uint32_t>& dimensions);

/// Dimensions that hold columns x rows nodes, chosen as above; as many of them as `original` has.
std::vector<std::uint32_t> grow(const std::vector<std::uint32_t>& original, std::uint32_t columns, std::uint32_t rows);

}  // namespace warpfront::machine
