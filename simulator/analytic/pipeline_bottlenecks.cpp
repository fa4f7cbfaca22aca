#include "simulator/analytic/pipeline_bottlenecks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "simulator/analytic/mpp.hpp"
#include "simulator/analytic/patch.hpp"

namespace warpfront::analytic {

namespace {

SmpCluster cluster_of(const machine::Machine& machine) {
    const machine::Placement& placement = machine.placement;
    const machine::Patch patch = occupied_patch(placement);
    return {.columns = placement.node_array.columns,
            .rows = placement.node_array.rows,
            .ranks_x = patch.columns,
            .ranks_y = patch.rows,
            .channels = machine.links ? machine.links->parallel : 1};
}

}  // namespace

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

std::int64_t step_at_second_smp(const SmpCluster& cluster, std::int64_t wave) {
    const std::int64_t east = cluster.columns > 1 ? 2 * cluster.ranks_x : 0;
    const std::int64_t south = cluster.rows > 1 ? 2 * cluster.ranks_y : 0;
    return east + south + steps_behind_first(cluster, wave);
}

std::int64_t step_at_last_rank(const SmpCluster& cluster, std::int64_t wave) {
    const std::int64_t further_east = cluster.columns > 1 ? (cluster.columns - 2) * 2 * cluster.ranks_x : 0;
    const std::int64_t further_south = cluster.rows > 1 ? (cluster.rows - 2) * 2 * cluster.ranks_y : 0;
    const std::int64_t within = 2 * (cluster.ranks_x - 1) + 2 * (cluster.ranks_y - 1);
    return step_at_second_smp(cluster, wave) + further_east + further_south + within;
}

std::optional<std::string> not_smps(const Inputs& inputs) {
    if (const std::optional<std::string> other = not_a_pipeline(inputs)) return other;
    const machine::Machine& machine = inputs.machine;
    const machine::Patch patch = machine.placement.patch;
    const RankGrid grid = inputs.grid();
    if (patch.ranks() == 1) return "each rank has a node of its own";
    if (grid.columns % patch.columns != 0 || grid.rows % patch.rows != 0) {
        return fmt::format("nodes of {} x {} ranks do not divide the array of {} x {}", patch.columns, patch.rows,
                           grid.columns, grid.rows);
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
