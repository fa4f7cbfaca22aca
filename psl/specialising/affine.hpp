// Integer expressions that are linear in the turn and the part of a loop's trips (trips.hpp), and the trips at which a
// comparison of two such expressions changes its outcome. The loop variable, sums and multiples of it are linear. Its
// remainders and quotients are linear as long as neither wraps; a Distinction requests such trips.
#pragma once

#include <optional>

#include "psl/specialising/residual.hpp"
#include "psl/specialising/trips.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::psl {

/// turn * (turn of the trips) + part * (part of the trips) + offset.
struct Affine {
    Wide turn = 0;
    Wide part = 0;
    Wide offset = 0;

    bool constant() const { return turn == 0 && part == 0; }
};

/// The variable of one loop for a set of trips.
struct LoopVariable {
    unsigned level = 0;
    Trips trips;
};

/// Nothing if the node is not linear in this variable alone, if a value exceeds 2^62, or if the expression is too long.
/// Throws Distinction.
std::optional<Affine> affine(const Graph& graph, NodeId node, const LoopVariable& variable);

/// Whether `difference op 0` holds for all trips; throws Distinction if it holds for some only.
bool holds_throughout(OperatorKind op, const Affine& difference, const LoopVariable& variable);

}  // namespace warpfront::psl
