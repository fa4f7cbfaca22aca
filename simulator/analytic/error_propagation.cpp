#include "simulator/analytic/error_propagation.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "simulator/analytic/fill.hpp"
#include "simulator/analytic/message.hpp"
#include "simulator/analytic/phases.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::analytic {

namespace {

double ratio(Time part, Time whole) {
    return whole.ps == 0 ? 0.0 : static_cast<double>(part.ps) / static_cast<double>(whole.ps);
}

ErrorWeights weights_of(const program::WavefrontPhase& phase, const machine::Machine& machine) {
    const Bytes larger = std::max(phase.east_west, phase.north_south);
    const MessageTime message = message_cost(machine.profile(machine.network()), larger);
    const double alpha = ratio(message.send, message.total);
    const double beta = ratio(message.recv, message.total);
    const FillCounts fills = fill_counts(phase.corners);
    const RankGrid grid = machine.placement.grid;
    const double along_x = static_cast<double>(fills.columns()) * (grid.columns - 1.0);
    const double along_y = static_cast<double>(fills.rows()) * (grid.rows - 1.0);
    const double tiles = static_cast<double>(phase.corners.size()) * static_cast<double>(phase.tiles);
    const double iterations = static_cast<double>(phase.iterations);
    return {.work = iterations * (along_x + along_y + tiles),
            .total = iterations * (along_x * (1 + beta) + along_y * (1 + alpha) + 2 * (alpha + beta) * tiles)};
}

}  // namespace

ErrorWeights error_weights(const Inputs& inputs) {
    check_closed_form(inputs.program);
    ErrorWeights sum;
    for (const program::WavefrontPhase& phase : inputs.program.closed_form) {
        const ErrorWeights weights = weights_of(phase, inputs.machine);
        sum.work += weights.work;
        sum.total += weights.total;
    }
    return sum;
}

WideTime propagated_deviation(const ErrorWeights& weights, const InputDeviations& deviations) {
    const double ps = std::hypot(weights.work * static_cast<double>(deviations.work.ps),
                                 weights.total * static_cast<double>(deviations.total.ps));
    if (ps <= static_cast<double>(kLongestTerm.ps)) return WideTime{static_cast<Wide>(std::round(ps))};
    throw input::BadInput(input::DiagnosticKind::closed_form_overflow, {},
                          fmt::format("the closed form cannot hold a deviation of {:.3g} s", ps * 1e-12),
                          fmt::format("expected at most {:.3g} s", seconds(kLongestTerm)));
}

Bounds one_sigma_bounds(WideTime predicted, WideTime deviation) {
    return {.low = std::max(WideTime{}, predicted - deviation), .high = predicted + deviation};
}

}  // namespace warpfront::analytic
