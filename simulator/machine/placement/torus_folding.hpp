// Folds a grid of nodes into a torus, and grows a torus until the grid folds well into it.
//
// Terms. A path through some dimensions of the torus is boustrophedon: it reverses at each end, so consecutive
// positions are one link apart. A folding divides the dimensions into four groups. The paths through them have P_c,
// P_r, P_p and P_l hosts:
//   columns  column x of the grid belongs to fold x / P_c, and is at position x mod P_c of the first path. Every second
//            fold is reversed. There are F_c = ceil(columns / P_c) folds
//   rows     rows use the second path in the same way, with F_r folds
//   planes   planes use the third path in the same way, with F_p folds; a grid of one plane has no such path
//   layers   the folds (f_c, f_r, f_p) of a node determine its position on the fourth path. The axes are nested, and
//            the axis with the fewest folds is innermost. The position is (f_outer * F_middle + f_middle) * F_inner +
//            f_inner, with F_c * F_r * F_p <= P_l
// The four positions of a node determine its host, so no two nodes have the same host. The distances of neighbours in
// the grid are
//   within a fold                     1 link
//   across a turn of the inner axis   1 link (only the layer changes, by one)
//   across a turn of another axis     at most the product of the numbers of folds of the axes within it (only the layer
//                                     changes, by this product)
// If at most one axis folds, all neighbours are adjacent. A grid of three dimensions that fits the torus axis by axis
// has no folds at all.
//
// The best folding has the least greatest distance, then the least sum of links over all pairs of neighbours. It is
// possible that the torus has enough hosts but no folding fits. Then all dimensions are layers: every node is a fold of
// its own. The lines along the shortest side of the grid follow one another on one path through the whole torus.
//
// Growing (`size: fit`). One axis of the grid is in the layers, with a fold for each of its nodes. For given numbers of
// folds F_a and F_b of the other two axes, the dimensions become ceil(a / F_a), ceil(b / F_b) and, for the layers, the
// number that all folds together need. Further dimensions do not change. If the grid has one plane, the planes are in
// the layers; in a torus of two dimensions, the columns or the rows. The best choice minimises, in this order:
//   1. hosts beyond twice the nodes
//   2. elongation (longest dimension / shortest) beyond 2
//   3. the greatest distance between neighbours
//   4. hosts
//   5. elongation
// So a grid whose sides differ by at most a factor of two becomes a torus of the same shape. If all choices for a grid
// of one or two dimensions have an elongation beyond 2, all lengths of the first three dimensions that differ by at
// most a factor of two are choices as well, each with its best folding. So 1,000 nodes in a row become 10 x 10 x 10, or
// 40 x 25 in two dimensions. With several planes, a torus of two dimensions becomes the longest side x the product of
// the other two. A ring has one host per node.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/units/ids.hpp"

namespace warpfront::machine {

/// The largest number of dimensions (longer than one host) that are folded. If there are more, all are layers.
inline constexpr std::size_t kMostFoldedDimensions = 8;

/// A value for each of columns, rows and planes.
template <class Number>
using PerAxis = std::array<Number, 3>;

/// A boustrophedon path through some dimensions of a torus.
class TorusPath {
public:
    /// Makes the path through each dimension k with `group[k]` == `which`.
    TorusPath(const std::vector<std::uint32_t>& dimensions, const std::vector<unsigned>& group, unsigned which);

    std::uint64_t length() const { return length_; }
    /// Returns the contribution of a position to the number of the host. `position` must be below length().
    std::uint32_t offset(std::uint64_t position) const;

private:
    struct Leg {
        std::uint32_t hosts = 1;   // number of hosts along the dimension
        std::uint32_t stride = 1;  // difference of host numbers between neighbours
    };
    std::vector<Leg> legs_;
    std::uint64_t length_ = 1;
};

/// The nesting of the folds of the three axes: the axis with the fewest folds is innermost; of equal ones the first.
class NestedFolds {
public:
    explicit NestedFolds(const PerAxis<std::uint64_t>& folds);

    /// Returns the product of the folds.
    std::uint64_t count() const { return count_; }
    /// Returns the distance between two consecutive folds of an axis.
    std::uint64_t stride(std::size_t axis) const { return stride_[axis]; }
    std::uint64_t folds(std::size_t axis) const { return folds_[axis]; }
    /// Returns an upper bound of the links between two neighbours in the grid.
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

    /// Returns true if the layers suffice. Otherwise the other members have no meaning.
    bool holds() const { return folds_.count() <= layers_.length(); }
    /// Returns the host of the node with this column, row and plane, counted from 0.
    Host host(const PerAxis<std::uint32_t>& node) const;
    std::uint64_t greatest_distance() const { return folds_.greatest_distance(); }
    /// Returns an upper bound of the additional links of all pairs of neighbours. A pair that is one link apart has no
    /// additional links.
    std::uint64_t extra_links() const;

private:
    PerAxis<std::uint64_t> extents_;
    PerAxis<TorusPath> paths_;
    TorusPath layers_;
    NestedFolds folds_;
};

/// Returns the best of all foldings. The torus must have a host for every node.
TorusFolding best_folding(const Extents& array, const std::vector<std::uint32_t>& dimensions);

/// Returns the number of hosts of a torus.
std::uint64_t hosts_of(const std::vector<std::uint32_t>& dimensions);

/// Returns the dimensions of a torus for the grid, chosen as above. There are as many dimensions as in `original`.
std::vector<std::uint32_t> grow(const std::vector<std::uint32_t>& original, const Extents& array);

}  // namespace warpfront::machine
