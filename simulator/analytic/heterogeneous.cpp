#include "simulator/analytic/heterogeneous.hpp"

#include <algorithm>

#include "simulator/analytic/plug_and_play.hpp"
#include "simulator/analytic/terms.hpp"

namespace warpfront::analytic {

program::WavefrontPhase slower(program::WavefrontPhase phase, double factor) {
    for (Time* const computing : {&phase.pre_work, &phase.work, &phase.other}) {
        *computing = scaled(*computing, factor, "on ranks that are not alike");
    }
    return phase;
}

std::optional<std::string> not_heterogeneous(const Inputs& inputs) {
    if (inputs.unequal.classes.empty()) return "all ranks have one speed";
    if (!inputs.unequal.map.empty()) return "a cost map has factors of its own";
    return std::nullopt;
}

Prediction heterogeneous(const Inputs& inputs) {
    double mean = 0.0;
    double longest = 0.0;
    for (const SpeedClass& each : inputs.unequal.classes) {
        mean += each.share / each.speed;
        longest = std::max(longest, 1.0 / each.speed);
    }
    const NeighbourLocalities localities(inputs.machine);
    return over_phases(inputs.program, [&](const program::WavefrontPhase& phase) {
        Iteration iteration = iteration_of(slower(phase, longest), inputs.machine, localities);
        iteration.fill = fills(phase, tile_costs(slower(phase, mean), inputs.machine), localities);
        return iteration;
    });
}

}  // namespace warpfront::analytic
