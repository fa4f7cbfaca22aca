// Integer expressions that are linear in the turn and the part of a loop's trips (trips.hpp), and where comparisons of
// two such change their outcome. The loop variable is one, and so are sums and multiples of it; its remainders and
// quotients are as long as neither wraps, which is asked for by a Distinction.
#pragma once

#include <optional>

#include "psl/residual.hpp"
#include "psl/trips.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::psl {

/// turn * (turn of the trips) + part * (part of the trips) + offset.
struct Affine {
    Wide turn = 0;
    Wide part = 0;
    Wide offset = 0;

    bool constant() const { return turn == 0 && part == 0; }
};

/// The variable of one loop, and which trips it stands for.
struct LoopVariable {
    unsigned level = 0;
    Trips trips;
};

/// Nothing where the node is not linear in this variable alone, or a value of it is beyond 2^62, or it is long.
/// Throws Distinction.
std::optional<Affine> affine(const Graph& graph, NodeId node, const LoopVariable& variable);

/// Whether `difference op 0` holds for all trips; throws Distinction where it holds for some.
bool holds_throughout(Op op, const Affine& difference, const LoopVariable& variable);

}  // namespace warpfront::psl
