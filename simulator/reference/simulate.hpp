// A run on SimGrid from its first event to its last; once per process (simulator/process/worker_process.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/reference/channel_map.hpp"
#include "simulator/reference/rank_result.hpp"

namespace warpfront::reference {

struct Simulated {
    std::vector<RankResult> results;           // by rank
    std::vector<std::int64_t> iteration_ends;  // of the last rank
    bool overflow = false;                     // a clock passed the horizon and ended the run
};

Simulated simulate(const program::Program& program, const machine::Machine& machine, const ChannelMap& channel_map);

}  // namespace warpfront::reference
