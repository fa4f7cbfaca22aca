// From the skeleton to the classes of ranks. For every rank the few slots that differ between ranks are evaluated;
// their values are the rank's key. Ranks with equal keys have one program, so only a new key costs more than the
// evaluation.
//
// Slots behind a branch are evaluated only if the branch is taken: the probe mirrors the skeleton's branches, each slot
// once. Values come in the order of the probe, so a key determines the branches of its evaluation.
#pragma once

#include "psl/lowering/code_writer.hpp"
#include "psl/specialising/residual.hpp"
#include "psl/specialising/skeleton.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

/// Fills `class_of` and `classes` of `program`; throws BadInput if a rank reaches a fault.
void make_classes(const Skeleton& skeleton, const Slots& slots, const Graph& graph, program::Program& program);

// The program of one class of ranks: loops and branches of the skeleton with the values of one of its ranks.

class CollectiveSteps;

/// Writes the program of the current rank of `values`, at most kMostInstructions long.
WrittenClass write_class(const Skeleton& skeleton, const Graph& graph, RankValues& values, CollectiveSteps& steps);

}  // namespace warpfront::psl
