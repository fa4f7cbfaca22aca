// Laying a two-dimensional array of nodes into a torus, and growing a torus until an array lies well in it.
//
// Vocabulary. A path through some of the torus' dimensions runs to and fro (boustrophedon): consecutive positions are
// one link apart. A folding deals the dimensions into three groups with P_c, P_r and P_l hosts along their paths:
//   columns  array column x stands at position x mod P_c of the first path, running back on every other fold,
//            and belongs to fold x / P_c; there are F_c = ceil(columns / P_c) folds
//   rows     the same for array row y on the second path, F_r folds
//   layers   fold pair (f_c, f_r) stands at position outer * F_inner + inner of the third path, F_c * F_r <= P_l
// So a node is given by three independent positions, hence each has a host of its own, and neighbours in the array are
//   within a fold                     1 link apart
//   across a turn of the inner axis   1 link apart (only the layer changes, by one)
//   across a turn of the outer axis   at most F_inner links apart (only the layer changes, by F_inner)
// Where no axis folds, or only one, all neighbours are adjacent.
//
// The best folding has the least greatest distance, then the fewest links over all pairs of neighbours. Where no other
// holds the array, though the torus has hosts enough, all dimensions are layers: every node is a fold of its own, and
// the lines along the shorter side of the array follow one another on one path through the whole torus.
//
// Growing (`size: fit`). With F_c and F_r chosen, the first dimension becomes ceil(columns / F_c), the second
// ceil(rows / F_r), the third what F_c * F_r layers need; further dimensions stay. Of all choices: first those of at
// most twice as many hosts as nodes, of these those whose longest dimension is at most twice the shortest (both: or as
// near to that as can be), of these the least greatest distance between neighbours, then the fewest hosts, then the
// most cubic. A torus of two dimensions becomes columns x rows, a
// ring holds all nodes.
#pragma once

#include <cstdint>
#include <vector>

namespace warpfront::machine {

/// Of a torus with more dimensions (longer than one host) than this, all are layers.
inline constexpr std::size_t kMostFoldedDimensions = 8;

/// A path to and fro through some dimensions of a torus.
class TorusPath {
public:
    /// Through those dimensions k whose `group[k]` is `which`.
    TorusPath(const std::vector<std::uint32_t>& dimensions, const std::vector<unsigned>& group, unsigned which);

    std::uint64_t length() const { return length_; }
    /// What this path's coordinates add to the host number at `position` < length().
    std::uint32_t host(std::uint64_t position) const;

private:
    struct Leg {
        std::uint32_t hosts = 1;   // along this dimension
        std::uint32_t stride = 1;  // in host numbers
    };
    std::vector<Leg> legs_;
    std::uint64_t length_ = 1;
};

/// One way to lay an array into a torus.
class Folding {
public:
    Folding(std::uint32_t columns, std::uint32_t rows, TorusPath column_path, TorusPath row_path, TorusPath layer_path);

    /// Whether the layers suffice; the rest is meaningless where they do not.
    bool holds() const { return column_folds_ * row_folds_ <= layers_.length(); }
    std::uint32_t host(std::uint32_t column, std::uint32_t row) const;
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
Folding best_folding(std::uint32_t columns, std::uint32_t rows, const std::vector<std::uint32_t>& dimensions);

/// Hosts of a torus.
std::uint64_t hosts_of(const std::vector<std::uint32_t>& dimensions);

/// Dimensions that hold columns x rows nodes, as said above; as many of them as `shipped` has.
std::vector<std::uint32_t> grow(const std::vector<std::uint32_t>& shipped, std::uint32_t columns, std::uint32_t rows);

}  // namespace warpfront::machine
