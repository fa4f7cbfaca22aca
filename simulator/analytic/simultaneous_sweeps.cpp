#include "simulator/analytic/simultaneous_sweeps.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "simulator/analytic/fill.hpp"
#include "simulator/analytic/message.hpp"
#include "simulator/analytic/patch.hpp"
#include "simulator/analytic/phases.hpp"
#include "simulator/analytic/plug_and_play.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::analytic {

namespace {

using program::WavefrontPhase;

Bytes packed(std::int64_t messages, Bytes size) {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() / messages;
    if (size.count <= most) return {messages * size.count};
    throw BadInput(DiagnosticKind::closed_form_overflow, {},
                   fmt::format("one message for {} messages of {} bytes is too large", messages, size.count),
                   fmt::format("expected messages of at most {} bytes", most));
}

/// The combined messages of the two sweeps of a corner. A direction without partners has no messages.
struct DoubledMessages {
    MessageParts east_west;
    MessageParts north_south;

    DoubledMessages(const WavefrontPhase& phase, const machine::Machine& alone) {
        const machine::Profile& network = alone.profile(alone.network());
        const RankGrid grid = alone.placement.grid;
        if (grid.columns > 1) east_west = message_parts(network, packed(2, phase.east_west));
        if (grid.rows > 1) north_south = message_parts(network, packed(2, phase.north_south));
    }
};

/// Returns eta (W + messages/2); eta is even.
record::PathParts eta_steps(std::int64_t sweeps, Time work, const record::PathParts& messages) {
    return times(record::PathParts{.compute = work}, sweeps, "a step of all sweeps") +
           times(messages, sweeps / 2, "a step of all sweeps");
}

/// Returns Start(n,m).
record::PathParts full_fill(RankGrid grid, const WavefrontPhase& phase, const DoubledMessages& messages) {
    const MessageParts& x = messages.east_west;
    const MessageParts& y = messages.north_south;
    const record::PathParts pre_work{.compute = phase.pre_work};
    std::vector<record::PathParts> start(grid.columns);
    for (std::uint32_t j = 1; j <= grid.rows; ++j) {
        for (std::uint32_t i = 1; i <= grid.columns; ++i) {
            if (i == 1 && j == 1) {
                start[0] = times(pre_work, eta(grid, 1, 1), "the pre-work");
                continue;
            }
            const std::int64_t sweeps = eta(grid, i, j);
            record::PathParts latest;
            if (i > 1) {
                const record::PathParts each = j > 1 ? x.total + y.recv : x.total;
                latest = start[i - 2] + eta_steps(sweeps, phase.work, each);
            }
            if (j > 1) {
                const record::PathParts each = i < grid.columns ? y.total + x.send : y.total;
                const record::PathParts by_y = start[i - 1] + eta_steps(sweeps, phase.work, each);
                if (i == 1 || by_y.total() > latest.total()) latest = by_y;
            }
            start[i - 1] = latest;
        }
    }
    return start.back();
}

Iteration at_once(const WavefrontPhase& phase, const machine::Machine& alone) {
    const RankGrid grid = alone.placement.grid;
    const DoubledMessages messages(phase, alone);
    const MessageParts& x = messages.east_west;
    const MessageParts& y = messages.north_south;
    const record::PathParts pre_work{.compute = phase.pre_work};
    const std::int64_t beyond_fill = phase.tiles - (std::int64_t{grid.columns} + grid.rows - 1);
    const record::PathParts tile =
        eta_steps(8, phase.work, x.recv + y.recv + x.send + y.send) + times(pre_work, 8, "the pre-work");
    Iteration iteration;
    iteration.fill = times(full_fill(grid, phase, messages), 2, "filling and draining");
    if (beyond_fill > 0) iteration.stack = times(tile, beyond_fill, "a stack of tiles") - pre_work;
    iteration.nonwavefront = nonwavefront(phase, alone);
    return iteration;
}

/// Returns a phase that combines the two sweeps of one corner, on a core with the cells of all ranks of a node.
WavefrontPhase on_one_core(WavefrontPhase phase, machine::Patch node) {
    const double work = 2.0 * node.ranks();
    phase.pre_work = scaled(phase.pre_work, work, "with the cells of a node");
    phase.work = scaled(phase.work, work, "with the cells of a node");
    phase.east_west = packed(2 * std::int64_t{node.rows}, phase.east_west);
    phase.north_south = packed(2 * std::int64_t{node.columns}, phase.north_south);
    phase.corners = {program::Corner::northwest};
    return phase;
}

}  // namespace

std::int64_t eta(RankGrid grid, std::uint32_t i, std::uint32_t j) {
    const std::uint64_t twice_diagonal = 2 * (std::uint64_t{i} + j);
    if (twice_diagonal >= std::uint64_t{grid.columns} + grid.rows) return 8;
    return twice_diagonal > std::min(grid.columns, grid.rows) ? 4 : 2;
}

std::optional<std::string> not_eight_sweeps(const Inputs& inputs) {
    const auto has_eight = [](const WavefrontPhase& phase) { return has_two_from_each_corner(phase.corners); };
    if (std::ranges::all_of(inputs.program.closed_form, has_eight)) return std::nullopt;
    return fmt::format("`{}` has other sweeps than two from each corner", inputs.program.name);
}

Prediction simultaneous_sweeps(const Inputs& inputs) {
    const machine::Machine alone = one_rank_per_node(inputs.machine);
    return over_phases(inputs.program, [&](const WavefrontPhase& phase) { return at_once(phase, alone); });
}

Prediction separate_cores_sweeps(const Inputs& inputs) {
    const machine::Placement& ranks = inputs.machine.placement;
    const machine::Patch node = occupied_patch(ranks);
    machine::Machine nodes = one_rank_per_node(inputs.machine);
    nodes.placement = machine::cut(RankGrid{ranks.node_array}, {});
    const NeighbourLocalities localities(nodes);
    return over_phases(inputs.program, [&](const WavefrontPhase& phase) {
        return iteration_of(on_one_core(phase, node), nodes, localities);
    });
}

}  // namespace warpfront::analytic
