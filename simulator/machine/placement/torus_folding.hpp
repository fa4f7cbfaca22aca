// Folding a grid of nodes into a torus, and growing a torus until the grid folds well into it.
//
// Vocabulary. A path through some dimensions of the torus is boustrophedon: it reverses at each end, so consecutive
// positions are one link apart. A folding assigns the dimensions to four groups with P_c, P_r, P_p and P_l hosts along
// their paths:
//   columns  array column x is at position x mod P_c of the first path, reversed in every second fold,
//            and belongs to fold x / P_c; there are F_c = ceil(columns / P_c) folds
//   rows     the same for array row y on the second path, with F_r folds
//   planes   the same for array plane z on the third path, with F_p folds; an array of one plane has no such path
//   layers   the folds (f_c, f_r, f_p) of a node are one position of the fourth path. The axes are nested by their
//            folds, the axis with the fewest innermost: position = (f_outer * F_middle + f_middle) * F_inner + f_inner,
//            F_c * F_r * F_p <= P_l
// Four independent positions determine a node's host, so no two nodes share one. Neighbours in the grid are
//   within a fold                     1 link apart
//   across a turn of the inner axis   1 link apart (only the layer changes, by one)
//   across a turn of another axis     at most as many links apart as the axes within it have folds (only the layer
//                                     changes, by the product of these folds)
// If at most one axis folds, all neighbours are adjacent. A grid of three dimensions that fits the torus axis by axis
// has no folds at all.
//
// The best folding has the least greatest distance, then the fewest links over all pairs of neighbours. If no other
// folding holds the grid although the torus has enough hosts, all dimensions are layers: every node is a fold of its
// own, and the lines along the shortest side of the grid follow one another on one path through the whole torus.
//
// Growing (`size: fit`). One axis of the grid lies in the layers: it has as many folds as nodes. With the folds F_a and
// F_b of the other two chosen, the dimensions become ceil(a / F_a), ceil(b / F_b) and, in place of the axis in the
// layers, the number required by all folds together; further dimensions stay. For a grid of one plane the planes lie in
// the layers. The choice minimises, in this order:
//   1. hosts beyond twice the nodes
//   2. elongation (longest dimension / shortest) beyond 2
//   3. the greatest distance between neighbours
//   4. hosts
//   5. elongation
// so a grid whose sides are within a factor of two becomes a torus of its own shape. A torus of two dimensions becomes
// columns x rows, or, of several planes, the longest side x the product of the others; a ring gets one host per node.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/units/ids.hpp"

namespace warpfront::machine {

/// The largest number of dimensions longer than one host that are folded; with more, all are layers.
inline constexpr std::size_t kMostFoldedDimensions = 8;

/// A value for each of columns, rows and planes.
template <class Number>
using PerAxis = std::array<Number, 3>;

/// A boustrophedon path through some dimensions of a torus.
class TorusPath {
public:
    /// Makes the path through the dimensions k whose `group[k]` is `which`.
    TorusPath(const std::vector<std::uint32_t>& dimensions, const std::vector<unsigned>& group, unsigned which);

    std::uint64_t length() const { return length_; }
    /// Returns the part of the host number that the coordinates at `position` < length() contribute.
    std::uint32_t offset(std::uint64_t position) const;

private:
    struct Leg {
        std::uint32_t hosts = 1;   // number of hosts along this dimension
        std::uint32_t stride = 1;  // difference of host numbers between neighbours
    };
    std::vector<Leg> legs_;
    std::uint64_t length_ = 1;
};

/// The nesting of the folds of the three axes, the axis with the fewest innermost; of equal ones the first.
class NestedFolds {
public:
    explicit NestedFolds(const PerAxis<std::uint64_t>& folds);

    /// Returns the product of the folds.
    std::uint64_t count() const { return count_; }
    /// Returns the distance of two neighbouring folds of an axis.
    std::uint64_t stride(std::size_t axis) const { return stride_[axis]; }
    std::uint64_t folds(std::size_t axis) const { return folds_[axis]; }
    /// Returns a bound on the links between neighbours in the grid.
    std::uint64_t greatest_distance() const;

private:
    PerAxis<std::uint64_t> folds_;
    PerAxis<std::uint64_t> stride_{};
    std::uint64_t count_ = 1;
};

/// A folding of a grid into a torus.
class TorusFolding {
public:
    TorusFolding(const Extents& array, PerAxis<TorusPath> paths, TorusPath layer_path);

    /// Returns true if the layers suffice; otherwise the other members are meaningless.
    bool holds() const { return folds_.count() <= layers_.length(); }
    /// Returns the host of the node at this column, row and plane, from 0.
    Host host(const PerAxis<std::uint32_t>& node) const;
    std::uint64_t greatest_distance() const { return folds_.greatest_distance(); }
    /// Returns a bound on the links, beyond one each, over all pairs of neighbours.
    std::uint64_t extra_links() const;

private:
    PerAxis<std::uint64_t> extents_;
    PerAxis<TorusPath> paths_;
    TorusPath layers_;
    NestedFolds folds_;
};

/// Returns the best of all foldings; the torus must have a host for every node.
TorusFolding best_folding(const Extents& array, const std::vector<std::uint32_t>& dimensions);

/// Returns the number of hosts of a torus.
std::uint64_t hosts_of(const std::vector<std::uint32_t>& dimensions);

/// Returns dimensions that hold the grid, chosen as above; as many of them as `original` has.
std::vector<std::uint32_t> grow(const std::vector<std::uint32_t>& original, const Extents& array);

}  // namespace warpfront::machine
