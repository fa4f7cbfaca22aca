// Integer expressions that are linear in the numbers `turn` and `part` of an iteration (iterations.hpp), and the
// iterations at which a comparison of two such expressions changes its result.
//
// The loop variable is linear, and so are its multiples and sums. A remainder or quotient of the variable is linear
// over iterations in which the remainder does not return to 0. If it does, the folding throws a SplitRequest.
#pragma once

#include <optional>

#include "psl/specialising/iterations.hpp"
#include "psl/specialising/residual.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::psl {

/// The linear expression turn * (turn of an iteration) + part * (part of an iteration) + offset.
struct Affine {
    Wide turn = 0;
    Wide part = 0;
    Wide offset = 0;

    bool constant() const { return turn == 0 && part == 0; }
};

/// The variable of a loop, over some iterations of this loop.
struct LoopVariable {
    unsigned level = 0;
    Iterations iterations;
};

/// Returns the linear form of a node. Returns nothing if the node is not linear in this variable alone, if a value
/// exceeds 2^62, or if the expression is too long. Throws SplitRequest.
std::optional<Affine> affine(const Graph& graph, NodeId node, const LoopVariable& variable);

/// Returns true if `difference op 0` is true in all iterations, and false if it is false in all. Otherwise throws
/// SplitRequest.
bool holds_throughout(OperatorKind op, const Affine& difference, const LoopVariable& variable);

}  // namespace warpfront::psl
