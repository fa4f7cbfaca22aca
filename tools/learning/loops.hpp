// A sequence of symbols as loops: repeats are folded, the smallest period first, until none is left; those of three and
// more trips before those of two, which may be chance (the last reduction of an iteration and one behind the loop).
//
//   a b b a b b c   ->   2 x (a 2 x (b)) c
//
// Neither times nor sizes are part of a symbol. Loops of different runs are the same where only their trips differ.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace warpfront::learning {

/// A leaf, or a loop where the body is not empty.
struct Node {
    std::uint32_t symbol = 0;
    std::int64_t trips = 0;
    std::vector<Node> body;
    bool has = false;      // of a leaf that was met
    bool lacking = false;  // of a leaf that this run does not have
    bool is_loop() const { return !body.empty(); }
};

/// Periods up to `longest` are looked for. `begins` says how many requests a symbol begins, less those that it waits
/// for: of the places where a loop could begin as well, it begins where the fewest are open, the first of these.
std::vector<Node> folded(const std::vector<std::uint32_t>& symbols,
                         const std::function<std::int64_t(std::uint32_t)>& begins, std::size_t longest = 4096);

/// How leaves of a shape are met by symbols of another run.
struct LeafRule {
    std::function<bool(std::uint32_t leaf, std::uint32_t symbol)> same;
    std::function<bool(std::uint32_t leaf)> absent;    // no symbol stands for it
    std::function<bool(std::uint32_t leaf)> may_lack;  // all symbols of a leaf may be absent
};

/// The symbol of a sequence beyond which no way through a shape leads, and the leaf that the shape has there.
struct Mismatch {
    std::size_t at = 0;                       // the length of the sequence: its end
    std::optional<std::uint32_t> expected{};  // nothing: the end
};

/// The loops of `shape` with the trips that they have in this sequence; nothing where it does not fit: a loop takes as
/// many trips as it can, and as many each time that it is come to; none where all of it is absent.
std::optional<std::vector<Node>> fitted(std::vector<Node> shape, const std::vector<std::uint32_t>& symbols,
                                        const LeafRule& rule, Mismatch* mismatch = nullptr);

}  // namespace warpfront::learning
