// Laws for the times of computing: a coefficient times a product of extents, plus a constant.
//
// Some product of the available numbers fits three runs exactly. So a law is not chosen by its residual alone. Each
// candidate has a price, which is lower if it is physically plausible:
//
//   the volume        the product of all extents of the block (`Dimension`), at no price
//   a constant        added to the product
//   a surface         the volume without one extent
//   fewer factors     the volume without several extents. A missing extent costs less in a block outside of all loops
//                     with messages, since the block may do something once
//   further factors   dimensions on which the block's own messages do not depend. They cost least if no message depends
//                     on them
//   squares           an extent that the product contains twice; no volume does
//   a whole extent    shared evenly by all ranks
//
// Support is measured in the same unit as the price, nats. It is the value of Schwarz's criterion for the residuals of
// whole runs and of the ranks within them. Residuals below the noise of the blocks count as zero.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/from_code/learning/expressions.hpp"

namespace warpfront::learning {

/// One variant of a dimension: an atom, its square, or the mean of the blocks into which it is divided (`nz /
/// nz_blocks`).
struct Extent {
    Atom atom;
    std::optional<Atom> blocks{};
    bool squared = false;
    friend bool operator==(const Extent&, const Extent&) = default;
};

/// A dimension of a block of computing, with its possible extents, the likeliest first.
struct Dimension {
    enum class Evidence : std::uint8_t {
        own_messages,    // messages of the loop around the block contain it
        rank_messages,   // messages elsewhere contain it, and no loop around the block has messages
        other_messages,  // messages or loops elsewhere contain it
        unseen           // neither messages nor loops contain it
    };
    Evidence evidence = Evidence::unseen;
    std::vector<Extent> extents;
    friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// The time of a block on one rank.
struct TimeSample {
    const Values* at = nullptr;
    double picoseconds = 0.0;  // time, above 0
    std::size_t run = 0;
};

struct Law {
    std::vector<Atom> atoms;     // factors of the product
    std::vector<Atom> divisors;  // divisors of the product
    double slope = 0.0;          // picoseconds per unit of the product
    double constant = 0.0;       // picoseconds that are added to the product
    double residual = 0.0;       // root mean square of the relative differences
};
/// Returns the time in picoseconds.
double value_of(const Law& law, const Values& values);

struct FoundLaw {
    Law law;
    std::vector<Law> rivals;  // laws that the runs support nearly as well, the best first
};

/// Returns true if two places of computing take the same times on the ranks of all runs, up to noise.
bool are_alike(const std::vector<TimeSample>& one, const std::vector<TimeSample>& other, double noise);

/// Finds the law that the samples support best. `noise` is the relative deviation of a block's executions on one rank.
FoundLaw time_law(const std::vector<TimeSample>& samples, double noise, const std::vector<Dimension>& dimensions);

}  // namespace warpfront::learning
