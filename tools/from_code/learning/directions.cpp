#include "tools/from_code/learning/directions.hpp"

#include <cstdlib>

namespace warpfront::learning {

namespace {

/// One axis of a process grid.
struct GridAxis {
    std::uint32_t ranks = 0;
    bool closed = false;
    std::int32_t Offset::*along = nullptr;
};
std::array<GridAxis, 3> axes_of(const Array& array) {
    return {GridAxis{array.columns, array.closed.columns, &Offset::columns},
            GridAxis{array.rows, array.closed.rows, &Offset::rows},
            GridAxis{array.planes, array.closed.planes, &Offset::planes}};
}

Offset distance_of(const Offset& offset) {
    return {std::abs(offset.columns), std::abs(offset.rows), std::abs(offset.planes)};
}

/// Shortens a sequence to its smallest period.
void keep_period(std::vector<std::int32_t>& signs) {
    for (std::size_t period = 1; 2 * period <= signs.size(); ++period) {
        bool repeats = signs.size() % period == 0;
        for (std::size_t at = period; repeats && at < signs.size(); ++at) repeats = signs[at] == signs[at - period];
        if (!repeats) continue;
        signs.resize(period);
        return;
    }
}

}  // namespace

DirectedCall directed_call(const trace::RecordedSite& site, StepKind kind, const Offset& offset) {
    return {{site.file, site.line, site.function}, kind, distance_of(offset)};
}

void Directions::add(const trace::RecordedRun& recorded, const RankSteps& steps, const Array& array, Rank rank) {
    const std::array<GridAxis, 3> axes = axes_of(array);
    std::map<DirectedCall, std::array<Signs, 3>> own;
    for (const Step& step : steps.steps) {
        if (!has_partner(step.kind) || step.kind == StepKind::wait) continue;
        const Offset offset = offset_of(array, rank, step.peer);
        const DirectedCall call = directed_call(recorded.sites[step.site], step.kind, offset);
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            const std::int32_t by = offset.*axes[axis].along;
            if (axes[axis].closed && axes[axis].ranks > 2 && by != 0) own[call][axis].push_back(by > 0 ? 1 : -1);
        }
    }
    for (auto& [call, signs] : own) {
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            Signs& known = known_[call][axis];
            if (!known.empty() || signs[axis].empty()) continue;
            known = std::move(signs[axis]);
            keep_period(known);
        }
    }
}

Offset Directions::directed(const DirectedCall& call, std::size_t ordinal, const Array& array,
                            const Offset& offset) const {
    const auto found = known_.find(call);
    if (found == known_.end()) return offset;
    const std::array<GridAxis, 3> axes = axes_of(array);
    Offset directed = offset;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const Signs& signs = found->second[axis];
        if (!axes[axis].closed || axes[axis].ranks != 2 || signs.empty()) continue;
        directed.*axes[axis].along *= signs[ordinal % signs.size()];
    }
    return directed;
}

}  // namespace warpfront::learning
