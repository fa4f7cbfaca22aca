// The program of one class of ranks: loops and branches of the skeleton with the values of one of its ranks.
#pragma once

#include "psl/residual.hpp"
#include "psl/skeleton.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

class CollectiveSteps;

/// The values of slots for the evaluator's current rank.
class RankValues {
public:
    RankValues(const Slots& slots, const Graph& graph) : slots_(slots), graph_(graph), evaluator_(graph) {}

    void set_rank(Rank rank) { evaluator_.set_rank(rank); }
    const EvaluationContext& here() const { return evaluator_.here(); }
    std::int64_t operator()(SlotId id);

private:
    const Slots& slots_;
    const Graph& graph_;
    Evaluator evaluator_;
};

/// The program of the current rank of `values`, at most kMostInstructions long.
program::RankClass write_class(const Skeleton& skeleton, const Graph& graph, RankValues& values,
                               CollectiveSteps& steps);

}  // namespace warpfront::psl
