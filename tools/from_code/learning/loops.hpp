// Folds a sequence of symbols into loops. Repeats are folded until none is left, the smallest period first. Repeats of
// three or more iterations are folded before those of two. Two equal parts may be a coincidence, such as the last
// reduction of an iteration and one after the loop. So a loop of two iterations within one of three is folded last, and
// the folding without it remains a candidate.
//
//   a b b a b b c   ->   2 x (a 2 x (b)) c
//   a b b a b b a b b   ->   3 x (a 2 x (b)), or 3 x (a b b)
//
// Symbols contain neither times nor sizes. Loops of different runs are equal if they differ only in their numbers of
// iterations.
//
// Some iterations of a loop may not execute all parts of its body. Such a part is an optional node. To find these
// loops, a symbol is chosen that occurs once in each iteration. The bodies between its occurrences are aligned, and the
// parts that only some of them have become optional. A folding with optional nodes is used if it is shorter than the
// exact folding.
//
//   a b a b c a b a b c a b   ->   5 x (a b [c])
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace warpfront::learning {

/// A leaf if the body is empty. Otherwise a loop, or an optional part of a loop's body.
struct Node {
    /// symbol of a leaf; for an optional node, its index among the optional nodes of the shape
    std::uint32_t symbol = 0;
    std::int64_t iterations = 0;
    std::vector<Node> body;
    bool optional = false;
    bool has = false;      // for a leaf, true if it has been matched
    bool lacking = false;  // for a leaf, true if this run does not have it
    bool is_leaf() const { return body.empty(); }
    bool is_loop() const { return !is_leaf() && !optional; }
};

/// A folding with its length as a text: the number of its leaves, plus a price for each loop and optional node.
struct Folding {
    std::vector<Node> nodes;
    std::size_t length = 0;
};
/// Folds a sequence into loops with periods up to `longest`. `begins` returns the number of requests that a symbol
/// starts, minus those that it waits for. If a loop can begin at several positions, it begins at the first position at
/// which the fewest requests are open. Returns the shortest foldings with optional nodes, then the exact folding. After
/// each of them follows the same folding in which repeats of two iterations within loops are folded too.
std::vector<Folding> foldings(const std::vector<std::uint32_t>& symbols,
                              const std::function<std::int64_t(std::uint32_t)>& begins, std::size_t longest = 4096);

/// Returns the length of a folding, written as a text.
std::size_t length_of(const std::vector<Node>& nodes);

/// Returns a short shape with the nodes of both shapes. Nodes that only one of them has become optional. Returns
/// nothing if the shapes are too long to compare.
std::vector<Node> merged(const std::vector<Node>& a, const std::vector<Node>& b);

/// A match of the symbols of another run with the leaves of a shape.
struct LeafRule {
    std::function<bool(std::uint32_t leaf, std::uint32_t symbol)> same;
    std::function<bool(std::uint32_t leaf)> absent;    // returns true if no symbol can match the leaf
    std::function<bool(std::uint32_t leaf)> may_lack;  // returns true if all symbols of the leaf may be missing
};

/// The first symbol of a sequence that does not fit a shape, and the leaf that the shape has at this position.
struct Mismatch {
    std::size_t at = 0;                       // equals the length of the sequence at its end
    std::optional<std::uint32_t> expected{};  // empty at the end of the shape
};

/// The execution of an optional node in one iteration of a loop.
struct Choice {
    std::uint32_t optional = 0;  // index of the optional node
    std::int64_t iteration = 0;  // counted from 0; 0 if the node is not in a loop
    bool taken = false;
};

/// A sequence that fits a shape.
struct Fit {
    std::vector<Node> nodes;  // the shape with the numbers of iterations of this sequence
    std::vector<Choice> choices;
};
/// Fits a sequence to a shape. Returns nothing if it does not fit. A loop gets as many iterations as possible, and the
/// same number each time it is entered. It gets none if all its leaves are absent. An optional node is executed if it
/// fits.
std::optional<Fit> fitted(std::vector<Node> shape, const std::vector<std::uint32_t>& symbols, const LeafRule& rule,
                          Mismatch* mismatch = nullptr);

}  // namespace warpfront::learning
