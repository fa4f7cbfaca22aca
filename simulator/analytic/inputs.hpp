// What closed forms compute from. They never see the rank programs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::analytic {

/// A share of the ranks, in (0, 1], and their speed relative to nominal, above 0. The shares of all classes add up to
/// 1.
struct SpeedClass {
    double share = 1.0;
    double speed = 1.0;
};

/// The work of a rank, or of the tile of one wave of it, times `factor`. Waves count tiles from 0, continuing from
/// sweep to sweep of an iteration. Each (rank, wave) stands once; factors are at least 0.
struct CostFactor {
    Rank rank;
    std::optional<std::uint32_t> wave{};
    double factor = 1.0;
};

/// The work of ranks and cells that are not alike; nothing by default. Both apply where both are given.
struct UnequalWork {
    std::vector<SpeedClass> classes{};
    std::vector<CostFactor> map{};
};

/// The program's closed-form block on a machine that is placed for its array of ranks. Everything outlives the call.
struct Inputs {
    const program::Program& program;
    const machine::Machine& machine;
    const UnequalWork& unequal;

    RankGrid grid() const { return machine.placement.grid; }
};

}  // namespace warpfront::analytic
