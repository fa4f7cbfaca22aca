#include "simulator/analytic/mpp.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "simulator/analytic/message.hpp"
#include "simulator/analytic/sweep_order.hpp"
#include "simulator/analytic/terms.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::analytic {

namespace {

/// N, of all sweeps of an iteration.
std::int64_t waves_of(const program::WavefrontPhase& phase) {
    const auto sweeps = static_cast<std::int64_t>(phase.corners.size());
    if (phase.tiles <= kMostWaves / sweeps) return sweeps * phase.tiles;
    throw input::BadInput(
        input::DiagnosticKind::closed_form_overflow, {},
        fmt::format("{} sweeps of {} tiles are more waves than a pipeline may have", sweeps, phase.tiles),
        fmt::format("expected at most {} waves in an iteration", kMostWaves));
}

}  // namespace

Iteration pipeline_iteration(const program::WavefrontPhase& phase, const machine::Machine& machine,
                             const StepsBehindFirst& behind) {
    const RankGrid grid = machine.placement.grid;
    const FillCounts fills = fill_counts(phase.corners);
    const std::int64_t waves = waves_of(phase);
    const std::int64_t hops =
        fills.columns() * (std::int64_t{grid.columns} - 1) + fills.rows() * (std::int64_t{grid.rows} - 1);
    const WideTime cpu = WideTime{phase.pre_work} + phase.work;
    const Bytes larger = std::max(phase.east_west, phase.north_south);
    const WideTime message = message_cost(machine.profile(machine.network()), larger).total;
    Iteration iteration;
    iteration.fill = times(cpu, hops, "the fills") + times(message, 2 * hops, "the fills");
    iteration.stack = times(cpu, waves, "all waves") + times(message, behind(waves), "all waves");
    return iteration;
}

std::optional<std::string> not_a_pipeline(const Inputs& inputs) {
    const RankGrid grid = inputs.grid();
    if (grid.columns == 1 || grid.rows == 1) {
        return fmt::format("the array has {} x {} ranks", grid.columns, grid.rows);
    }
    const auto has_no_sweeps = [](const program::WavefrontPhase& phase) { return phase.corners.empty(); };
    if (!std::ranges::any_of(inputs.program.closed_form, has_no_sweeps)) return std::nullopt;
    return fmt::format("`{}` has no sweeps", inputs.program.name);
}

Prediction mpp(const Inputs& inputs) {
    const auto behind = [](std::int64_t wave) { return 4 * (wave - 1); };
    return over_phases(inputs.program, [&](const program::WavefrontPhase& phase) {
        return pipeline_iteration(phase, inputs.machine, behind);
    });
}

}  // namespace warpfront::analytic
