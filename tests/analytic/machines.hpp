// Machines written out by hand for these suites, so that they depend on no file: the measured ones with the values of
// Mudalige 2009, and a round one whose costs can be added up mentally.
#pragma once

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "tests/preamble.hpp"

namespace warpfront::test {

inline Time us(double microseconds) { return from_seconds(microseconds * 1e-6).value(); }
inline Gap us_per_byte(double microseconds) { return {microseconds * 1e-6}; }

inline machine::Profile& profile(machine::Machine& machine, machine::Locality locality) {
    return machine.profiles[locality.index];
}

inline machine::Placement placed(RankGrid grid, machine::Patch patch) { return machine::cut(grid, patch); }

/// Returns a machine with the same single row for every locality, and one chip per node.
inline machine::Machine uniform(RankGrid grid, machine::Patch patch, const machine::ProfileRow& row) {
    machine::Machine machine;
    machine.cores = patch.ranks();
    machine.profiles = {machine::Profile{row}, machine::Profile{row}, machine::Profile{row}};
    machine.placement = placed(grid, patch);
    return machine;
}

/// Off-node: Send 1, Recv 2 + 10 = 12, Total 1 + 10 + 2 = 13 microseconds plus 1 per byte.
/// On-chip:  Send 3, Recv 5, Total 3 + 5 = 8 microseconds for any size.
inline machine::Machine round_machine(RankGrid grid, machine::Patch patch = {1, 1}) {
    const machine::ProfileRow off{
        .up_to = {}, .o_send = us(1), .o_recv = us(2), .L = us(10), .G = us_per_byte(1), .G_recv = {}};
    const machine::ProfileRow on{.up_to = {}, .o_send = us(3), .o_recv = us(5), .L = {}, .G = {}, .G_recv = {}};
    machine::Machine machine = uniform(grid, patch, on);
    profile(machine, machine.network()) = {off};
    return machine;
}

/// The Cray XT4, with one chip per node for any patch.
struct OffNode {
    double o, L, G;
};
inline constexpr OffNode kXt4{.o = 3.85, .L = 0.36, .G = 0.0004};

inline machine::Machine cray(RankGrid grid, machine::Patch patch, OffNode off) {
    machine::ProfileRow copy{.up_to = Bytes{1024},
                             .o_send = us(1.98),
                             .o_recv = us(1.98),
                             .L = {},
                             .G = us_per_byte(0.000764),
                             .G_recv = {}};
    machine::ProfileRow dma{
        .up_to = {}, .o_send = us(3.77), .o_recv = us(1.98), .L = {}, .G = {}, .G_recv = us_per_byte(0.000091)};
    machine::ProfileRow small{.up_to = Bytes{1024},
                              .o_send = us(off.o),
                              .o_recv = us(off.o),
                              .L = us(off.L),
                              .G = us_per_byte(off.G),
                              .G_recv = {},
                              .holds_bus = true};
    machine::ProfileRow large = small;
    large.up_to = std::nullopt;
    large.protocol = machine::Protocol::rendezvous;

    machine::Machine machine;
    machine.cores = patch.ranks();
    machine.profiles = {machine::Profile{copy, dma}, machine::Profile{copy, dma}, machine::Profile{small, large}};
    machine.bus = machine::Bus{.o_dma = us(3.77 - 1.98), .G_dma = us_per_byte(0.000091)};
    machine.placement = placed(grid, patch);
    return machine;
}

/// Returns a machine with two dual-core chips per node behind InfiniBand: per locality and size a latency nl (us) and a
/// bandwidth B (bytes/us).
inline machine::Machine infiniband(RankGrid grid, machine::Patch patch) {
    const auto row = [](std::optional<Bytes> up_to, double nl, double B) {
        return machine::ProfileRow{
            .up_to = up_to, .o_send = us(nl), .o_recv = {}, .L = {}, .G = {}, .G_recv = us_per_byte(1 / B)};
    };
    const Bytes below_2k{2047};
    machine::Machine machine;
    machine.cores = 4;
    machine.parts.front().count = 2;
    machine.profiles = {machine::Profile{row({}, 0.655, 2.70e3)},
                        machine::Profile{row(below_2k, 0.69, 2.80e3), row({}, 0.91, 3.83e3)},
                        machine::Profile{row(below_2k, 2.64, 0.46e3), row({}, 3.63, 0.73e3)}};
    machine.placement = placed(grid, patch);
    return machine;
}

/// Returns the machine with a bus that messages between nodes occupy.
inline machine::Machine with_bus(machine::Machine machine, Time o_dma, Gap G_dma = {}) {
    machine.bus = machine::Bus{.o_dma = o_dma, .G_dma = G_dma};
    profile(machine, machine.network()).front().holds_bus = true;
    return machine;
}

using enum program::Corner;
inline const std::vector<program::Corner> kSweep3d{southeast, southeast, northeast, northeast,
                                                   southwest, southwest, northwest, northwest};
inline const std::vector<program::Corner> kChimaera{southeast, southeast, northeast, southwest,
                                                    northeast, southwest, northwest, northwest};

/// Sweeps in which a tile works 100 us and messages are of 1 byte in x and of 20 in y: on the round machine, between
/// nodes, Send 1, Recv 12, Total_E 14 and Total_S 33 us.
inline program::WavefrontPhase sweeping(std::vector<program::Corner> corners, std::int64_t tiles = 10) {
    program::WavefrontPhase phase;
    phase.work = us(100);
    phase.tiles = tiles;
    phase.east_west = Bytes{1};
    phase.north_south = Bytes{20};
    phase.corners = std::move(corners);
    return phase;
}

/// Returns a program with only a closed form.
inline program::Program declaring(RankGrid grid, std::vector<program::WavefrontPhase> phases) {
    program::Program program;
    program.name = "example";
    program.grid = grid;
    program.iterations = 0;
    for (const program::WavefrontPhase& phase : phases) program.iterations += phase.iterations;
    program.closed_form = std::move(phases);
    return program;
}

}  // namespace warpfront::test
