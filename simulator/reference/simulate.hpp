// A run on SimGrid from its first event to its last; once per process (simulator/process/worker_process.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/reference/channel_map.hpp"
#include "simulator/reference/rank_result.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::reference {

struct Simulated {
    std::vector<RankResult> results;           // by rank
    std::vector<std::int64_t> iteration_ends;  // of the last rank
    bool overflow = false;                     // a clock passed the horizon and ended the run
    std::string cost_overflow;                 // a block of computing was too long and ended the run: what(), or empty
};

Simulated simulate(const program::Program& program, const machine::Machine& machine, const ChannelMap& channel_map,
                   const variation::ComputeTime& compute_time);

}  // namespace warpfront::reference
