// XT4 values (Mudalige 2009, section 4.3), with every node next to its neighbours and no latency beyond L.
#pragma once

#include "simulator/machine/machine.hpp"
#include "simulator/variation/noise.hpp"
#include "tests/engine/fixtures.hpp"

namespace warpfront::test {

enum class Shared { nothing, bus, everything };

inline machine::Machine xt4(RankGrid grid, machine::Patch patch, Shared shared) {
    machine::Machine machine = simple_machine(grid, patch, shared != Shared::nothing);
    machine::ProfileRow eager{.up_to = Bytes{1024},
                              .protocol = machine::Protocol::eager,
                              .o_send = {3'850'000},
                              .o_recv = {3'850'000},
                              .L = {360'000},
                              .G = {0.4e-9},
                              .G_recv = {}};
    eager.holds_bus = shared != Shared::nothing;
    eager.holds_nic = eager.holds_links = shared == Shared::everything;
    machine::ProfileRow rendezvous = eager;
    rendezvous.up_to.reset();
    rendezvous.protocol = machine::Protocol::rendezvous;
    machine::ProfileRow dma{.up_to = {},
                            .protocol = machine::Protocol::eager,
                            .o_send = {3'770'000},
                            .o_recv = {1'980'000},
                            .L = {},
                            .G = {},
                            .G_recv = {0.091e-9}};
    machine.profiles = {machine::Profile{dma}, machine::Profile{dma}, machine::Profile{eager, rendezvous}};
    if (shared != Shared::nothing) machine.bus = machine::Bus{.o_dma = {1'790'000}, .G_dma = {0.091e-9}};
    if (shared != Shared::everything) return machine;
    machine.nic = machine::Nic{{1.0 / 6e9}, {1.0 / 6e9}};
    machine.links = machine::Links{};
    machine::TorusRoutes torus;
    torus.dimensions = {machine.placement.node_array.columns, machine.placement.node_array.rows};
    torus.link_gap = {1.0 / 6e9};
    machine.routes = {.zone = torus, .links_in_L = 1};
    return machine;
}

/// Returns the machine of platforms/xt4.yaml with its calibration: one core of a node processes its messages, which are
/// eager up to 128 kB, and blocks are interrupted once a second.
inline machine::Machine xt4_as_shipped(RankGrid grid) {
    machine::Machine machine = xt4(grid, {2, 1}, Shared::everything);
    machine.bus.reset();
    machine.processing = machine::MessageProcessing{};
    for (machine::ProfileRow& row : machine.profiles[0]) row.processing = Time{1'980'000};
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.processing = Time{3'898'000};
        row.eager = machine::EagerSends{Bytes{128'000}, {2'290'000}, {0.764e-9}};
    }
    return machine;
}
inline variation::Noise noise_as_shipped() {
    return {.repeats_after = 1, .interruptions = variation::Interruptions{1.0, {964'600'000}}};
}

}  // namespace warpfront::test
