#include "simulator/analytic/plug_and_play.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "simulator/analytic/fill.hpp"
#include "simulator/analytic/message.hpp"
#include "simulator/analytic/patch.hpp"
#include "simulator/analytic/phases.hpp"

namespace warpfront::analytic {

namespace {

using program::Corner;
using program::WavefrontPhase;

/// Returns I, the hold of the bus by a message of `size`; zero if such messages do not occupy the bus.
Time bus_hold(const machine::Machine& machine, Bytes size) {
    const bool holds = machine::row_for(machine.profile(machine.network()), size).holds_bus;
    if (!machine.bus || !holds) return {};
    return machine.bus->o_dma + byte_time(size, machine.bus->G_dma);
}

Iteration iteration_2d(const program::WavefrontPhase& phase, const machine::Machine& alone) {
    const RankGrid grid = alone.placement.grid;
    const std::int64_t ranks = std::max(grid.columns, grid.rows);
    const Bytes size = grid.columns > 1 ? phase.east_west : phase.north_south;
    const MessageParts message = ranks > 1 ? message_parts(alone.profile(alone.network()), size) : MessageParts{};

    const FillCounts fills = fill_counts(phase.corners);
    const std::int64_t ends = grid.columns > 1 ? fills.columns() : grid.rows > 1 ? fills.rows() : 0;
    const auto sweeps = static_cast<std::int64_t>(phase.corners.size());
    const record::PathParts pre_work{.compute = phase.pre_work};
    const record::PathParts step = record::PathParts{.compute = phase.work} + message.total;
    const record::PathParts tile = pre_work + record::PathParts{.compute = phase.work} + message.recv + message.send;
    const record::PathParts stack = times(tile, phase.tiles, "a stack of tiles") - pre_work;
    const record::PathParts wait = ranks > 1 ? eager_wait(alone.profile(alone.network()), size) : record::PathParts{};
    return {.fill = times(times(step, ranks - 1, "a fill"), ends, "the fills") + times(pre_work, sweeps, "the fills"),
            .stack = times(stack, sweeps, "the stacks of all sweeps"),
            .contention = {},
            .nonwavefront = nonwavefront(phase, alone),
            .eager_waits = times(times(wait, phase.tiles, "a stack of tiles"), sweeps, "the stacks of all sweeps")};
}

}  // namespace

record::PathParts fills(const WavefrontPhase& phase, const TileCosts& tile, const NeighbourLocalities& localities) {
    std::array<std::optional<SweepFill>, 4> known;
    record::PathParts sum;
    for (std::size_t sweep = 0; sweep < phase.corners.size(); ++sweep) {
        const Corner from = phase.corners[sweep];
        const Corner until = fill_ends_at(phase.corners, sweep);
        std::optional<SweepFill>& fill = known[static_cast<std::size_t>(from)];
        if (!fill) fill.emplace(localities, from, tile);
        sum += fill->start(until);
    }
    return sum;
}

record::PathParts nonwavefront(const WavefrontPhase& phase, const machine::Machine& machine, double slowing) {
    record::PathParts sum = computing(phase.other, slowing);
    if (phase.allreduces > 0) {
        sum += times(allreduce_parts(machine, phase.allreduce_bytes), phase.allreduces, "the allreduces");
    }
    for (const program::Exchange& exchange : phase.exchanges) {
        const MessageParts cost = message_parts(machine.profile(machine.network()), exchange.bytes);
        sum += times(cost.total, exchange.count, "the exchanges");
    }
    return sum;
}

SteadyTile steady_tile(const WavefrontPhase& phase, const TileCosts& tile, const machine::Machine& machine) {
    const std::size_t network = machine.network().index;
    const RankGrid grid = machine.placement.grid;
    SteadyTile steady;
    steady.uncontended = steady.overlapped = tile.pre_work + tile.work;
    const auto add = [&](const MessageParts& message, Bytes size, std::uint32_t ranks) {
        if (ranks == 1) return;
        const record::PathParts wait = eager_wait(machine.profiles[network], size);
        const record::PathParts recv = message.recv - wait;
        steady.uncontended += message.recv + message.send;
        steady.eager_waits += wait;
        if (ranks > 2) {
            steady.overlapped += recv + message.send;
        } else {
            steady.overlapped += recv.total() > message.send.total() ? recv : message.send;
        }
    };
    add(tile.east_west[network], phase.east_west, grid.columns);
    add(tile.north_south[network], phase.north_south, grid.rows);

    const BusHolds holds = bus_holds(machine);
    steady.contention = times(bus_hold(machine, phase.east_west), holds.east_west, "the bus contention") +
                        times(bus_hold(machine, phase.north_south), holds.north_south, "the bus contention");
    return steady;
}

Iteration iteration_of(const WavefrontPhase& phase, const machine::Machine& machine,
                       const NeighbourLocalities& localities, double slowing) {
    const TileCosts tile = tile_costs(phase, machine, slowing);
    const SteadyTile steady = steady_tile(phase, tile, machine);
    const auto sweeps = static_cast<std::int64_t>(phase.corners.size());
    const auto stacks = [&](const record::PathParts& each, const record::PathParts& less) {
        return times(times(each, phase.tiles, "a stack of tiles") - less, sweeps, "the stacks of all sweeps");
    };
    const WideTime contention = times(steady.contention, phase.tiles, "the bus contention");
    return {.fill = fills(phase, tile, localities),
            .stack = stacks(steady.uncontended, tile.pre_work),
            .contention = times(contention, sweeps, "the bus contention"),
            .nonwavefront = nonwavefront(phase, machine, slowing),
            .eager_waits = stacks(steady.eager_waits, {}),
            .overlapped = stacks(steady.overlapped, tile.pre_work)};
}

machine::Machine one_rank_per_node(const machine::Machine& machine) {
    machine::Machine alone;
    alone.name = machine.name;
    alone.parts = machine.parts;
    alone.profiles = machine.profiles;
    alone.placement = machine::cut(machine.placement.grid, {1, 1});
    return alone;
}

Prediction plug_and_play(const Inputs& inputs) {
    const machine::Machine alone = one_rank_per_node(inputs.machine);
    const NeighbourLocalities localities(alone);
    return over_phases(inputs.program,
                       [&](const WavefrontPhase& phase) { return iteration_of(phase, alone, localities); });
}

Prediction cmp(const Inputs& inputs) {
    const NeighbourLocalities localities(inputs.machine);
    return over_phases(inputs.program, [&](const program::WavefrontPhase& phase) {
        return iteration_of(phase, inputs.machine, localities);
    });
}

Prediction overlapped(const Inputs& inputs) {
    const NeighbourLocalities localities(inputs.machine);
    const double slowing = slowing_of(inputs.machine);
    return over_phases(inputs.program, [&](const WavefrontPhase& phase) {
        Iteration iteration = iteration_of(phase, inputs.machine, localities, slowing);
        iteration.stack = iteration.overlapped;
        iteration.eager_waits = {};
        return iteration;
    });
}

std::optional<std::string> not_one_dimensional(const Inputs& inputs) {
    const RankGrid grid = inputs.grid();
    if (grid.columns == 1 || grid.rows == 1) return std::nullopt;
    return fmt::format("the process grid has {} x {} ranks", grid.columns, grid.rows);
}

Prediction plug_and_play_2d(const Inputs& inputs) {
    const machine::Machine alone = one_rank_per_node(inputs.machine);
    return over_phases(inputs.program,
                       [&](const program::WavefrontPhase& phase) { return iteration_2d(phase, alone); });
}

Prediction predict(const program::Program& program, const machine::Machine& machine) {
    check_closed_form(program);
    assert(program.grid == machine.placement.grid);
    const NeighbourLocalities localities(machine);
    return over_phases(program, [&](const program::WavefrontPhase& phase) {
        return iteration_of(phase, machine, localities, slowing_of(machine));
    });
}

WideTime predict(const program::WavefrontPhase& phase, const machine::Machine& machine) {
    check_planes(phase, machine.placement.grid);
    return iteration_of(phase, machine, NeighbourLocalities(machine), slowing_of(machine)).total();
}

}  // namespace warpfront::analytic
