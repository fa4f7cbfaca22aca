// The waves of a cost map. A line of the map counts the loop iterations that a rank has finished in an iteration of the
// code, as do the tiles of closed forms. The waves of the engines (units/wave.hpp) count the steps of allreduces as
// well.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "simulator/program/program.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::tools {

/// The lines of a cost map with the waves of engines.
struct CostMapWaves {
    std::vector<variation::CostFactor> map;
    std::size_t unused = 0;                        // lines without effect: their ranks do not compute in these waves
    std::optional<variation::CostFactor> example;  // the first of them
};

/// Converts the wave of each line of the map to a wave of the engines, in the first iteration in which the rank of the
/// line computes in that wave. At most 2^24 instructions of each class are examined. A line that is not found by then
/// is not changed.
CostMapWaves waves_of(const std::vector<variation::CostFactor>& map, const program::Program& program);

}  // namespace warpfront::tools
