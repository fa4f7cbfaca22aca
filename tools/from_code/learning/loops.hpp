// Folding of a sequence of symbols into loops. Repeats are folded, the smallest period first, until none is left.
// Repeats of three and more iterations precede those of two, which may be coincidences (the last reduction of an
// iteration and one after the loop). So a loop of two iterations within one of three is folded last, and the folding
// without it remains a candidate.
//
//   a b b a b b c   ->   2 x (a 2 x (b)) c
//   a b b a b b a b b   ->   3 x (a 2 x (b)), or 3 x (a b b)
//
// Neither times nor sizes are part of a symbol. Loops of different runs are equal if they differ only in their numbers
// of iterations.
//
// Some iterations of a loop may lack parts of its body: an optional node. Such loops are found around a symbol that
// occurs once in each iteration. The bodies between its occurrences are aligned, and what only some of them have
// becomes optional. A folding with optional nodes is used if it is shorter than the exact one.
//
//   a b a b c a b a b c a b   ->   5 x (a b [c])
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace warpfront::learning {

/// A leaf or, if the body is not empty, a loop or an optional part of a loop's body.
struct Node {
    std::uint32_t symbol = 0;  // of a leaf; of an optional node: its number among the optional nodes of the shape
    std::int64_t iterations = 0;
    std::vector<Node> body;
    bool optional = false;
    bool has = false;      // of a leaf that was matched
    bool lacking = false;  // of a leaf that this run does not have
    bool is_leaf() const { return body.empty(); }
    bool is_loop() const { return !is_leaf() && !optional; }
};

/// A folding, and its length as a text: the number of its leaves, and a price for each loop and optional node.
struct Folding {
    std::vector<Node> nodes;
    std::size_t length = 0;
};
/// Folds a sequence into loops with periods up to `longest`. `begins` returns the number of requests that a symbol
/// starts less those that it waits for. If a loop can begin at several places, it begins where the fewest requests are
/// open, at the first of these. Returns the shortest foldings with optional nodes, then the exact one, each followed by
/// the same with the repeats of two iterations within its loops folded.
std::vector<Folding> foldings(const std::vector<std::uint32_t>& symbols,
                              const std::function<std::int64_t(std::uint32_t)>& begins, std::size_t longest = 4096);

/// Returns the length of a folding as a text.
std::size_t length_of(const std::vector<Node>& nodes);

/// Returns a short shape that has the nodes of both shapes. Nodes that only one of them has become optional. Returns
/// nothing if the shapes are too long to compare.
std::vector<Node> merged(const std::vector<Node>& a, const std::vector<Node>& b);

/// The rule by which symbols of another run match the leaves of a shape.
struct LeafRule {
    std::function<bool(std::uint32_t leaf, std::uint32_t symbol)> same;
    std::function<bool(std::uint32_t leaf)> absent;    // no symbol represents the leaf
    std::function<bool(std::uint32_t leaf)> may_lack;  // all symbols of a leaf may be absent
};

/// The first symbol of a sequence that does not fit a shape, and the leaf that the shape has there.
struct Mismatch {
    std::size_t at = 0;                       // the length of the sequence: its end
    std::optional<std::uint32_t> expected{};  // nothing: the end
};

/// One iteration of the loop around an optional node.
struct Choice {
    std::uint32_t optional = 0;  // the node's number
    std::int64_t iteration = 0;  // from 0; 0 if there is no loop around the node
    bool taken = false;
};

/// A sequence that fits a shape.
struct Fit {
    std::vector<Node> nodes;  // the shape with the numbers of iterations in this sequence
    std::vector<Choice> choices;
};
/// Fits a sequence to a shape; returns nothing if it does not fit. A loop takes as many iterations as it can, the same
/// number every time it is entered, and none if all its leaves are absent. An optional node is taken where it fits.
std::optional<Fit> fitted(std::vector<Node> shape, const std::vector<std::uint32_t>& symbols, const LeafRule& rule,
                          Mismatch* mismatch = nullptr);

}  // namespace warpfront::learning
