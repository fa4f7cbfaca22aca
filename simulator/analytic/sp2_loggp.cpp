#include "simulator/analytic/sp2_loggp.hpp"

#include <cstddef>

#include <fmt/format.h>

#include "simulator/analytic/fill.hpp"
#include "simulator/analytic/phases.hpp"
#include "simulator/analytic/plug_and_play.hpp"

namespace warpfront::analytic {

namespace {

using program::Corner;
using program::WavefrontPhase;

TileCosts sp2_tile_costs(const WavefrontPhase& phase, const machine::Machine& machine) {
    TileCosts tile = tile_costs(phase, machine);
    for (std::size_t locality = 0; locality < machine.profiles.size(); ++locality) {
        const machine::Profile& profile = machine.profiles[locality];
        if (profile.empty()) continue;
        tile.east_west[locality] = sp2_message_parts(machine::row_for(profile, phase.east_west), phase.east_west);
        tile.north_south[locality] = sp2_message_parts(machine::row_for(profile, phase.north_south), phase.north_south);
    }
    return tile;
}

/// Returns the latency L of one synchronisation: the mean over the localities of neighbours; zero for an eager message.
record::PathParts synchronisation(const machine::Machine& machine, machine::Locality local, Bytes size) {
    const machine::ProfileRow& remote = machine::row_for(machine.profile(machine.network()), size);
    if (remote.protocol != machine::Protocol::rendezvous) return {};
    return {.latency = {(Wide{remote.L.ps} + machine::row_for(machine.profile(local), size).L.ps) / 2}};
}

/// The times T56 and T78 of one phase. `local` is the locality of ranks within a node. If each rank has its own node,
/// `local` is the network.
class Octants {
public:
    Octants(const WavefrontPhase& phase, const machine::Machine& machine, const NeighbourLocalities& localities,
            machine::Locality local)
        : phase_(phase),
          localities_(localities),
          n_(machine.placement.grid.columns),
          m_(machine.placement.grid.rows),
          tile_(sp2_tile_costs(phase, machine)),
          recv_W_(tile_.east_west[local.index].recv),
          fill_(localities, Corner::northwest, tile_),
          sync_x_(times(synchronisation(machine, local, phase.east_west), n_ - 2, "the synchronisation")),
          sync_y_(times(synchronisation(machine, local, phase.north_south), m_ - 1, "the synchronisation")) {}

    Iteration iteration() const {
        const record::PathParts& work = tile_.work;
        const record::PathParts each_56 = work + east(1).send + north(1).recv + sync_y_;
        record::PathParts each_78 = work + east(n_ - 1).send + north(n_ - 1).recv + sync_y_ + sync_x_;
        if (n_ > 2) each_78 += recv_W_;
        const record::PathParts starts = fill_.start(1, m_) + fill_.start(n_ - 1, m_) + recv_W_ + work;
        Iteration iteration;
        iteration.fill = times(starts, 2, "the fills");
        iteration.stack =
            times(times(each_56 + each_78, phase_.tiles, "a stack of tiles"), 4, "the stacks of all sweeps");
        return iteration;
    }

private:
    /// Returns the time of the message from rank (i, m) to (i + 1, m).
    const MessageParts& east(std::uint32_t i) const { return tile_.east_west[localities_.east_of(i, m_).index]; }
    /// Returns the time of the message that (i, m) receives from (i, m - 1).
    const MessageParts& north(std::uint32_t i) const {
        return tile_.north_south[localities_.south_of(i, m_ - 1).index];
    }

    const WavefrontPhase& phase_;
    const NeighbourLocalities& localities_;
    std::uint32_t n_;
    std::uint32_t m_;
    TileCosts tile_;
    record::PathParts recv_W_;  // of T78
    SweepFill fill_;
    record::PathParts sync_x_;
    record::PathParts sync_y_;
};

Prediction all_octants(const Inputs& inputs, const machine::Machine& machine, machine::Locality local) {
    const NeighbourLocalities localities(machine);
    return over_phases(inputs.program, [&](const WavefrontPhase& phase) {
        return Octants(phase, machine, localities, local).iteration();
    });
}

}  // namespace

MessageParts sp2_message_parts(const machine::ProfileRow& row, Bytes size) {
    MessageParts parts = message_parts(row, size);
    if (row.protocol == machine::Protocol::eager) parts.recv -= {.latency = row.L};
    return parts;
}

std::optional<std::string> not_sweep3d(const Inputs& inputs) {
    const RankGrid grid = inputs.grid();
    if (grid.columns < 2 || grid.rows < 2)
        return fmt::format("the process grid has {} x {} ranks", grid.columns, grid.rows);
    for (const WavefrontPhase& phase : inputs.program.closed_form) {
        if (!is_sweep3d_order(phase.corners))
            return fmt::format("the sweeps of `{}` have another order", inputs.program.name);
        if (phase.pre_work.ps > 0) return fmt::format("`{}` has work before its receives", inputs.program.name);
    }
    return std::nullopt;
}

std::optional<std::string> not_sweep3d_on_smps(const Inputs& inputs) {
    if (const std::optional<std::string> other = not_sweep3d(inputs)) return other;
    const machine::Patch patch = inputs.machine.placement.patch;
    if (patch.columns == 2 && patch.rows == 2) return std::nullopt;
    return fmt::format("nodes have {} x {} ranks", patch.columns, patch.rows);
}

Prediction sp2_loggp(const Inputs& inputs) {
    const machine::Machine alone = one_rank_per_node(inputs.machine);
    return all_octants(inputs, alone, alone.network());
}

Prediction sp2_loggp_smp(const Inputs& inputs) {
    const machine::Machine& machine = inputs.machine;
    return all_octants(inputs, machine, machine.locality(Rank{0}, Rank{1}));
}

}  // namespace warpfront::analytic
