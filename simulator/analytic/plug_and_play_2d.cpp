#include "simulator/analytic/plug_and_play_2d.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "simulator/analytic/plug_and_play.hpp"
#include "simulator/analytic/sweep_order.hpp"
#include "simulator/analytic/terms.hpp"

namespace warpfront::analytic {

namespace {

Iteration iteration_2d(const program::WavefrontPhase& phase, const machine::Machine& alone) {
    const RankGrid grid = alone.placement.grid;
    const std::int64_t ranks = std::max(grid.columns, grid.rows);
    const Bytes size = grid.columns > 1 ? phase.east_west : phase.north_south;
    const MessageTime message = ranks > 1 ? message_cost(alone.profile(alone.network()), size) : MessageTime{};

    const FillCounts fills = fill_counts(phase.corners);
    const std::int64_t ends = grid.columns > 1 ? fills.columns() : grid.rows > 1 ? fills.rows() : 0;
    const auto sweeps = static_cast<std::int64_t>(phase.corners.size());
    const WideTime step = WideTime{phase.work} + message.total;
    const WideTime tile = WideTime{phase.pre_work} + phase.work + message.recv + message.send;
    const WideTime stack = times(tile, phase.tiles, "a stack of tiles") - phase.pre_work;
    return {
        .fill = times(times(step, ranks - 1, "a fill"), ends, "the fills") + times(phase.pre_work, sweeps, "the fills"),
        .stack = times(stack, sweeps, "the stacks of all sweeps"),
        .contention = {},
        .nonwavefront = nonwavefront(phase, alone)};
}

}  // namespace

std::optional<std::string> not_one_dimensional(const Inputs& inputs) {
    const RankGrid grid = inputs.grid();
    if (grid.columns == 1 || grid.rows == 1) return std::nullopt;
    return fmt::format("the array has {} x {} ranks", grid.columns, grid.rows);
}

Prediction plug_and_play_2d(const Inputs& inputs) {
    const machine::Machine alone = one_rank_per_node(inputs.machine);
    return over_phases(inputs.program,
                       [&](const program::WavefrontPhase& phase) { return iteration_2d(phase, alone); });
}

}  // namespace warpfront::analytic
