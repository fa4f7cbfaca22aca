// The values of slots for one rank after another.
#pragma once

#include "psl/specialising/residual.hpp"

namespace warpfront::psl {

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

}  // namespace warpfront::psl
