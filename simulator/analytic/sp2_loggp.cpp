#include "simulator/analytic/sp2_loggp.hpp"

#include <cstddef>
#include <vector>

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
        tile.east_west[locality] = sp2_message_cost(machine::row_for(profile, phase.east_west), phase.east_west);
        tile.north_south[locality] = sp2_message_cost(machine::row_for(profile, phase.north_south), phase.north_south);
    }
    return tile;
}

/// L of one synchronisation: the mean over the localities that neighbours have; zero of an eager message.
WideTime synchronisation(const machine::Machine& machine, machine::Locality local, Bytes size) {
    const machine::ProfileRow& remote = machine::row_for(machine.profile(machine.network()), size);
    if (remote.protocol != machine::Protocol::rendezvous) return {};
    return WideTime{(Wide{remote.L.ps} + machine::row_for(machine.profile(local), size).L.ps) / 2};
}

/// T56 and T78 of one phase. `local` is the locality of ranks within a node, the network if each has its own.
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
          starts_(last_row_starts(localities, tile_)),
          sync_x_(times(synchronisation(machine, local, phase.east_west), n_ - 2, "the synchronisation")),
          sync_y_(times(synchronisation(machine, local, phase.north_south), m_ - 1, "the synchronisation")) {}

    Iteration iteration() const {
        const WideTime each_56 = WideTime{phase_.work} + east(1).send + north(1).recv + sync_y_;
        WideTime each_78 = WideTime{phase_.work} + east(n_ - 1).send + north(n_ - 1).recv + sync_y_ + sync_x_;
        if (n_ > 2) each_78 += recv_W_;
        const WideTime starts = starts_[0] + starts_[n_ - 2] + recv_W_ + phase_.work;
        Iteration iteration;
        iteration.fill = times(starts, 2, "the fills");
        iteration.stack =
            times(times(each_56 + each_78, phase_.tiles, "a stack of tiles"), 4, "the stacks of all sweeps");
        return iteration;
    }

private:
    /// The time of the message from rank (i, m) to (i + 1, m).
    const MessageTime& east(std::uint32_t i) const { return tile_.east_west[localities_.east_of(i, m_).index]; }
    /// The time of the message that (i, m) receives from (i, m - 1).
    const MessageTime& north(std::uint32_t i) const { return tile_.north_south[localities_.south_of(i, m_ - 1).index]; }

    const WavefrontPhase& phase_;
    const NeighbourLocalities& localities_;
    std::uint32_t n_;
    std::uint32_t m_;
    TileCosts tile_;
    Time recv_W_;                   // of T78
    std::vector<WideTime> starts_;  // Start(i, m)
    WideTime sync_x_;
    WideTime sync_y_;
};

Prediction all_octants(const Inputs& inputs, const machine::Machine& machine, machine::Locality local) {
    const NeighbourLocalities localities(machine);
    return over_phases(inputs.program, [&](const WavefrontPhase& phase) {
        return Octants(phase, machine, localities, local).iteration();
    });
}

}  // namespace

MessageTime sp2_message_cost(const machine::ProfileRow& row, Bytes size) {
    MessageTime cost = message_cost(row, size);
    if (row.protocol == machine::Protocol::eager) cost.recv -= row.L;
    return cost;
}

std::optional<std::string> not_sweep3d(const Inputs& inputs) {
    const RankGrid grid = inputs.grid();
    if (grid.columns < 2 || grid.rows < 2) return fmt::format("the array has {} x {} ranks", grid.columns, grid.rows);
    for (const WavefrontPhase& phase : inputs.program.closed_form) {
        if (!is_sweep3d_order(phase.corners))
            return fmt::format("the sweeps of `{}` have another order", inputs.program.name);
        if (phase.pre_work.ps > 0) return fmt::format("`{}` works before its receives", inputs.program.name);
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
