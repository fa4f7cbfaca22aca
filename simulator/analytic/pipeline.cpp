#include "simulator/analytic/pipeline.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "simulator/analytic/fill.hpp"
#include "simulator/analytic/message.hpp"
#include "simulator/analytic/patch.hpp"
#include "simulator/analytic/phases.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::analytic {

namespace {

constexpr std::int64_t kStepsOfWave = 4;  // steps by which a wave follows the previous one if it waits for no channel

/// Returns N, the waves of all sweeps of an iteration.
std::int64_t waves_of(const program::WavefrontPhase& phase) {
    const auto sweeps = static_cast<std::int64_t>(phase.corners.size());
    if (phase.tiles <= kMostWaves / sweeps) return sweeps * phase.tiles;
    throw BadInput(DiagnosticKind::closed_form_overflow, {},
                   fmt::format("{} sweeps of {} tiles are more waves than a pipeline may have", sweeps, phase.tiles),
                   fmt::format("expected at most {} waves in an iteration", kMostWaves));
}

SmpCluster cluster_of(const machine::Machine& machine) {
    const machine::Placement& placement = machine.placement;
    const machine::Patch patch = occupied_patch(placement);
    return {.columns = placement.node_array.columns,
            .rows = placement.node_array.rows,
            .ranks_x = patch.columns,
            .ranks_y = patch.rows,
            .channels = machine.links ? machine.links->parallel : 1};
}

/// The number of message steps by which wave N, counted from 1, comes later than wave 1.
using StepsBehindFirst = std::function<std::int64_t(std::int64_t wave)>;

/// Returns one iteration with this delay of waves. Throws BadInput (closed_form_overflow).
Iteration pipeline_iteration(const program::WavefrontPhase& phase, const machine::Machine& machine,
                             const StepsBehindFirst& behind) {
    const RankGrid grid = machine.placement.grid;
    const FillCounts fills = fill_counts(phase.corners);
    const std::int64_t waves = waves_of(phase);
    const std::int64_t hops =
        fills.columns() * (std::int64_t{grid.columns} - 1) + fills.rows() * (std::int64_t{grid.rows} - 1);
    const record::PathParts cpu{.compute = WideTime{phase.pre_work} + phase.work};
    const Bytes larger = std::max(phase.east_west, phase.north_south);
    const record::PathParts message = message_parts(machine.profile(machine.network()), larger).total;
    const WideTime all_steps = times(message.total(), behind(waves), "all waves");
    const record::PathParts steps = times(message, kStepsOfWave * (waves - 1), "all waves");
    Iteration iteration;
    iteration.fill = times(cpu, hops, "the fills") + times(message, 2 * hops, "the fills");
    iteration.stack = times(cpu, waves, "all waves") + steps;
    iteration.stack.link = all_steps - steps.total();  // waiting for channels
    return iteration;
}

}  // namespace

std::optional<std::string> not_a_pipeline(const Inputs& inputs) {
    const RankGrid grid = inputs.grid();
    if (grid.columns == 1 || grid.rows == 1) {
        return fmt::format("the process grid has {} x {} ranks", grid.columns, grid.rows);
    }
    const auto has_no_sweeps = [](const program::WavefrontPhase& phase) { return phase.corners.empty(); };
    if (!std::ranges::any_of(inputs.program.closed_form, has_no_sweeps)) return std::nullopt;
    return fmt::format("`{}` has no sweeps", inputs.program.name);
}

Prediction mpp(const Inputs& inputs) {
    const auto behind = [](std::int64_t wave) { return kStepsOfWave * (wave - 1); };
    return over_phases(inputs.program, [&](const program::WavefrontPhase& phase) {
        return pipeline_iteration(phase, inputs.machine, behind);
    });
}

std::int64_t SmpCluster::boundary() const {
    const std::int64_t eastern = columns > 1 ? ranks_y : 0;
    const std::int64_t southern = rows > 1 ? ranks_x : 0;
    return std::max(eastern, southern);
}

std::int64_t steps_behind_first(const SmpCluster& cluster, std::int64_t wave) {
    const std::int64_t S = cluster.boundary();
    const std::int64_t L = cluster.channels;
    const std::int64_t group = (wave - 1) / L;
    const std::int64_t within = (wave - 1) % L;
    if (S <= 2 * L) return 4 * (wave - 1);
    if (S < 4 * L + 1) return 4 * (wave - 1) + group;
    if (group % 2 == 0) return group * S + 4 * within;
    return 4 * (L - 1) + 5 + (group - 1) * S + 4 * within;
}

std::optional<std::string> not_smps(const Inputs& inputs) {
    if (const std::optional<std::string> other = not_a_pipeline(inputs)) return other;
    const machine::Machine& machine = inputs.machine;
    const machine::Patch patch = machine.placement.patch;
    const RankGrid grid = inputs.grid();
    if (patch.ranks() == 1) return "each rank has its own node";
    if (grid.columns % patch.columns != 0 || grid.rows % patch.rows != 0) {
        return fmt::format("nodes of {} x {} ranks do not divide the process grid of {} x {}", patch.columns,
                           patch.rows, grid.columns, grid.rows);
    }
    const auto holds_links = [&](Bytes size) {
        return machine::row_for(machine.profile(machine.network()), size).holds_links;
    };
    const auto is_shared = [&](const program::WavefrontPhase& phase) {
        return holds_links(phase.east_west) && holds_links(phase.north_south);
    };
    if (machine.links && std::ranges::all_of(inputs.program.closed_form, is_shared)) return std::nullopt;
    return "links are not shared";
}

Prediction pipeline_bottlenecks(const Inputs& inputs) {
    const SmpCluster cluster = cluster_of(inputs.machine);
    const auto behind = [&](std::int64_t wave) { return steps_behind_first(cluster, wave); };
    return over_phases(inputs.program, [&](const program::WavefrontPhase& phase) {
        return pipeline_iteration(phase, inputs.machine, behind);
    });
}

}  // namespace warpfront::analytic
