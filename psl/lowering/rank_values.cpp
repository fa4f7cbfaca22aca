#include "psl/lowering/rank_values.hpp"

namespace warpfront::psl {

std::int64_t RankValues::operator()(SlotId id) {
    const ValueSlot& slot = slots_[id];
    if (slot.known) return *slot.known;
    const Value& value = evaluator_.value(slot.node);
    try {
        return finished(slot.use, value, evaluator_.here());
    } catch (const EvaluationError& error) {
        graph_.fail(error, slot.origin, &evaluator_.here());
    }
}

}  // namespace warpfront::psl
