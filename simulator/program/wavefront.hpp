// The parameters of a wavefront code for the closed forms: the model's `closed_form` block, evaluated. Notation of
// Mudalige 2009, table 4.1: W_pre, W, message sizes, tiles = Nz / Htile, the sweep order from which n_full and n_diag
// follow, and the non-wavefront part of an iteration.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::program {

/// Corner ranks of the process grid: northwest = (1,1), northeast = (n,1), southwest = (1,m), southeast = (n,m).
enum class Corner : std::uint8_t { northwest, northeast, southwest, southeast };

/// `count` messages of one size exchanged with neighbours outside the sweeps, each charged Total off-node.
struct Exchange {
    std::int64_t count = 0;
    Bytes bytes;
    friend bool operator==(const Exchange&, const Exchange&) = default;
};

/// Consecutive equal iterations.
struct WavefrontPhase {
    std::int64_t iterations = 1;
    Time pre_work;                // W_pre, per tile
    Time work;                    // W, per tile
    std::int64_t tiles = 1;       // Nz / Htile
    Bytes east_west;              // bytes of one message in x
    Bytes north_south;            // in y
    std::vector<Corner> corners;  // where each sweep of one iteration starts, in order
    std::int64_t allreduces = 0;  // per iteration
    Bytes allreduce_bytes;
    std::vector<Exchange> exchanges;  // per iteration
    Time other;                       // other compute per iteration (a stencil)
    friend bool operator==(const WavefrontPhase&, const WavefrontPhase&) = default;
};

}  // namespace warpfront::program
