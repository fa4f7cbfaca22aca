// Integer expressions that are linear in the turn and the part of a loop's iterations (iterations.hpp), and the
// iterations at which a comparison of two such expressions changes its outcome. The loop variable, sums and multiples
// of it are linear. A remainder or quotient of the variable is linear in iterations in which it does not wrap; a
// Distinction requests a split into such iterations.
#pragma once

#include <optional>

#include "psl/specialising/iterations.hpp"
#include "psl/specialising/residual.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::psl {

/// The linear form turn * (turn of the iterations) + part * (part of the iterations) + offset.
struct Affine {
    Wide turn = 0;
    Wide part = 0;
    Wide offset = 0;

    bool constant() const { return turn == 0 && part == 0; }
};

/// The variable of one loop for a set of iterations.
struct LoopVariable {
    unsigned level = 0;
    Iterations iterations;
};

/// Returns the linear form; nothing if the node is not linear in this variable alone, if a value exceeds 2^62, or if
/// the expression is too long. Throws Distinction.
std::optional<Affine> affine(const Graph& graph, NodeId node, const LoopVariable& variable);

/// Returns true if `difference op 0` holds for all iterations; throws Distinction if the comparison holds for some of
/// them only.
bool holds_throughout(OperatorKind op, const Affine& difference, const LoopVariable& variable);

}  // namespace warpfront::psl
