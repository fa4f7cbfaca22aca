// Machines whose ranks share every kind of resource, for the tests of order, threads and skip-ahead.
#pragma once

#include "tests/engine/fixtures.hpp"

namespace warpfront::test {

/// Returns buses, NICs and links of a torus of its own size; all network messages occupy all of them. Links and NICs
/// are slow, so that messages queue: 2 ns/B each, while the wire takes 1 ns/B.
inline machine::Machine crowded_torus(RankGrid grid, machine::Patch patch) {
    machine::Machine machine = simple_machine(grid, patch, true);
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_nic = row.holds_links = true;
    machine.nic = machine::Nic{{2e-9}, {2e-9}};
    machine.links = machine::Links{};
    machine::TorusRoutes torus;
    torus.dimensions = {machine.placement.node_array.columns, machine.placement.node_array.rows};
    torus.link_latency = {50'000};
    torus.link_gap = {2e-9};
    machine.routes = {.zone = torus, .links_in_L = 1};
    return machine;
}

/// Returns the machine with its network messages divided into packets.
inline machine::Machine in_packets(machine::Machine machine, Bytes size) {
    for (machine::ProfileRow& row : machine.profiles[2]) row.packet.size = size;
    return machine;
}

/// Returns a crowded torus with randomly placed nodes, so that routes are long and cross each other.
inline machine::Machine scattered_torus(RankGrid grid, machine::Patch patch) {
    machine::Machine machine = crowded_torus(grid, patch);
    std::vector<Host>& host_of = machine.placement.host_of;
    std::uint64_t state = 12345;
    for (std::size_t k = host_of.size(); k > 1; --k) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        std::swap(host_of[k - 1], host_of[(state >> 33) % k]);
    }
    return machine;
}

/// Returns nodes behind one switch, with links numbered as in StarRoutes.
inline machine::Machine crowded_star(RankGrid grid, machine::Patch patch) {
    machine::Machine machine = crowded_torus(grid, patch);
    machine::StarRoutes star;
    star.hosts = machine.hosts;
    star.link_gap = {2e-9};
    machine.routes = {.zone = star, .links_in_L = 2};
    return machine;
}

/// Returns sweeps from all corners, followed by an allreduce.
inline program::Program four_sweeps(RankGrid grid, std::int64_t bytes, std::int64_t iterations, std::int64_t tiles = 6,
                                    std::int64_t work = 7 * us) {
    return wavefront({grid, tiles, work, bytes, {3, 1, 2, 0}, 1, iterations});
}

/// Returns a program of five ranks in a row, one to a node: rank 0 sends 900 B two links up to 2, and rank 1 half a
/// microsecond later one link up to 2, so that they meet on the link from 1 to 2.
inline program::Program meeting_on_a_link() {
    return program_of({5, 1}, {does().send(2, 900), does().work(500'000).send(1, 900), does().recv(-2).recv(-1)});
}

/// Returns two nodes of two cores, each core with a NIC, on one switch. NICs and links take `gap`.
inline machine::Machine two_nics(machine::Cabling cabling, Gap gap) {
    machine::Machine machine = crowded_torus({2, 2}, {2, 1});
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_bus = false;
    machine.bus.reset();
    machine.nic = machine::Nic{gap, gap, 2};
    machine.routes = {.zone = machine::FatTreeRoutes{{2 * cabling.ends_per_host()}, {1}, {1}, Time{}, gap},
                      .links_in_L = 2,
                      .cabling = cabling};
    return machine;
}

/// Returns a program in which the ranks of the first of two nodes each send 900 B at once to the rank below.
inline program::Program to_the_ranks_below() {
    return program_of({2, 2}, {does().send(2, 900), does().send(2, 900), does().recv(-2), does().recv(-2)});
}

/// Returns a program in which the ranks of the first of two nodes each send 900 B at once to rank 3, which receives
/// from rank 0 first.
inline program::Program to_the_last_rank() {
    return program_of({2, 2}, {does().send(3, 900), does().send(2, 900), does(), does().recv(-3).recv(-2)});
}

inline constexpr machine::Cabling kSharedCable{};
inline constexpr machine::Cabling kCablePerNic{.cables = 2};
inline constexpr machine::Cabling kRails{.cables = 2, .rails = true};

}  // namespace warpfront::test
