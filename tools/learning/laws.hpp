// Times of pieces of computing as laws: a coefficient times a product of extents, and a constant.
//
// Three runs are met exactly by some product of any few numbers, so a law is not chosen by its residual alone. Each
// candidate has a price by what physics expects of a block:
//
//   the volume        the product of all extents of the block (`Dimension`), at no price
//   surfaces          one extent less
//   products of fewer factors
//   further factors   dimensions that the block's own messages do not show, first those that no message shows
//   a constant        beside the product
//   a whole extent    that the ranks of the array share evenly
//
// The price is in nats, as is the support: what the residuals of whole runs, and of the ranks within them, say by
// Schwarz's criterion. Residuals below the noise of the blocks are as good as none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/learning/expressions.hpp"

namespace warpfront::learning {

/// One form of a dimension: an atom, or the mean of the blocks into which it is divided (`nz / nz_blocks`).
struct Extent {
    Atom atom;
    std::optional<Atom> blocks{};
    friend bool operator==(const Extent&, const Extent&) = default;
};

/// A dimension of what a rank computes, in the forms that it may have, the likeliest first.
struct Dimension {
    enum class Evidence : std::uint8_t {
        own_messages,    // messages of the loop in which the block stands depend on it
        other_messages,  // messages or loops elsewhere do
        unseen           // neither messages nor loops do
    };
    Evidence evidence = Evidence::unseen;
    std::vector<Extent> extents;
};

/// The time of a block on one rank.
struct TimeSample {
    const Values* at = nullptr;
    double picoseconds = 0.0;  // above 0
    std::size_t run = 0;
};

struct Law {
    std::vector<Atom> atoms;     // whose product ...
    std::vector<Atom> divisors;  // ... over the product of these ...
    double slope = 0.0;          // ... takes so many picoseconds per unit
    double constant = 0.0;       // picoseconds
    double residual = 0.0;       // root of the mean square, relative
};
/// Picoseconds.
double value_of(const Law& law, const Values& values);

struct FoundLaw {
    Law law;
    std::vector<Law> rivals;  // that the runs support nearly as well, the best first
};

/// `noise` is the relative deviation of one block's executions on a rank.
FoundLaw time_law(const std::vector<TimeSample>& samples, double noise, const std::vector<Dimension>& dimensions);

}  // namespace warpfront::learning
