// The program of one class of ranks, written as one of its ranks sees it: loops and branches of the skeleton with the
// values of that rank.
#pragma once

#include "psl/residual.hpp"
#include "psl/skeleton.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

/// The values of slots for the rank that the evaluator stands at.
class RankValues {
public:
    RankValues(const Slots& slots, const Graph& graph) : slots_(slots), graph_(graph), evaluator_(graph) {}

    void stand_at(Rank rank) { evaluator_.stand_at(rank); }
    const EvaluationContext& here() const { return evaluator_.here(); }
    std::int64_t operator()(SlotId id);

private:
    const Slots& slots_;
    const Graph& graph_;
    Evaluator evaluator_;
};

/// The program of the rank at which `values` stands, of at most kMostInstructions.
program::RankClass write_class(const Skeleton& skeleton, const Graph& graph, RankValues& values);

}  // namespace warpfront::psl
