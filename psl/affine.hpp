// Integer expressions that are linear in the iteration number, slope * k + offset, and where comparisons of two such
// change their outcome.
#pragma once

#include <optional>

#include "psl/iterations.hpp"
#include "psl/residual.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::psl {

struct Affine {
    Wide slope = 0;
    Wide offset = 0;
};
/// Nothing where the node is not linear in k alone, or its coefficients are beyond 2^62, or it is long.
std::optional<Affine> affine(const Graph& graph, NodeId node);

/// Whether `difference op 0` holds throughout `interval`; throws Split at the first k where it changes.
bool holds_throughout(Op op, const Affine& difference, const Interval& interval);

}  // namespace warpfront::psl
