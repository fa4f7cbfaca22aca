// Folding of a sequence of symbols into loops. Repeats are folded, the smallest period first, until none is left.
// Repeats of three and more iterations precede those of two, which may be coincidences (the last reduction of an
// iteration and one after the loop).
//
//   a b b a b b c   ->   2 x (a 2 x (b)) c
//
// Neither times nor sizes are part of a symbol. Loops of different runs are equal if they differ only in their numbers
// of iterations.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace warpfront::learning {

/// A leaf or, if the body is not empty, a loop.
struct Node {
    std::uint32_t symbol = 0;
    std::int64_t trips = 0;
    std::vector<Node> body;
    bool has = false;      // of a leaf that was matched
    bool lacking = false;  // of a leaf that this run does not have
    bool is_loop() const { return !body.empty(); }
};

/// Folds a sequence into loops with periods up to `longest`. `begins` returns the number of requests that a symbol
/// starts less those that it waits for. If a loop can begin at several places, it begins where the fewest requests are
/// open, at the first of these.
std::vector<Node> folded(const std::vector<std::uint32_t>& symbols,
                         const std::function<std::int64_t(std::uint32_t)>& begins, std::size_t longest = 4096);

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

/// Returns the loops of `shape` with their numbers of iterations in this sequence; nothing if the sequence does not
/// fit. A loop takes as many iterations as it can, the same number every time it is entered, and none if all its leaves
/// are absent.
std::optional<std::vector<Node>> fitted(std::vector<Node> shape, const std::vector<std::uint32_t>& symbols,
                                        const LeafRule& rule, Mismatch* mismatch = nullptr);

}  // namespace warpfront::learning
