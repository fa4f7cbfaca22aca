// Machines and programs for the comparison of threads: machines that share nothing, some or all, and sweeps with
// allreduces.
#pragma once

#include "tests/engine/shared.hpp"

namespace warpfront::test {

/// Reduces the work for sanitizers, which take ten times as long: each number of threads still runs on every machine,
/// but not with every size of messages.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

struct Experiment {
    const char* name;
    machine::Machine machine;
};

inline std::vector<Experiment> machines(RankGrid grid, machine::Patch patch) {
    machine::Machine packets = in_packets(crowded_torus(grid, patch), Bytes{600});
    packets.links = machine::Links{2, machine::LinkChoice::round_robin};
    machine::Machine adaptive = scattered_torus(grid, patch);
    adaptive.links = machine::Links{2, machine::LinkChoice::adaptive};
    machine::Machine links_only = crowded_torus(grid, patch);
    for (machine::ProfileRow& row : links_only.profiles[2]) row.holds_bus = row.holds_nic = false;
    machine::Machine mixed = crowded_torus(grid, patch);  // small messages do not occupy the bus
    mixed.profiles[2][0].holds_bus = false;
    return {{"unshared", simple_machine(grid, patch, false)},
            {"bus", simple_machine(grid, patch, true)},
            {"crowded torus", crowded_torus(grid, patch)},
            {"scattered torus", scattered_torus(grid, patch)},
            {"star", crowded_star(grid, patch)},
            {"packets in turn", packets},
            {"packets, adaptive", adaptive},
            {"links only", links_only},
            {"mixed", mixed}};
}

inline program::Program sweeps(RankGrid grid, std::int64_t bytes) {
    return wavefront({.grid = grid,
                      .tiles = 5,
                      .work = 3 * us + 7,
                      .bytes = bytes,
                      .starts = {3, 1, 2, 0},
                      .allreduces = 2,
                      .iterations = 4});
}

}  // namespace warpfront::test
