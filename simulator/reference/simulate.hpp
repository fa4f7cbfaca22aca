// A run on SimGrid from its first event to its last, once per process (simulator/process/worker_process.hpp).
//
// It is part of the module `warpfront_simgrid` (simulator/simgrid/actors.cpp, process/module.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/reference/channel_map.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::reference {

/// The result of one rank. Times in picoseconds.
struct RankResult {
    std::int64_t clock = 0;
    std::int64_t server_wait = 0;  // outside collectives, as the next member
    std::int64_t flow_wait = 0;
    std::uint64_t sent = 0;  // messages, outside collectives
    std::uint64_t collective_sent = 0;
    bool waits = false;  // waits for a message or a post, see `blocked`; still true at the end if it never came
    record::Blocked blocked;
};

struct Simulated {
    std::vector<RankResult> results;           // by rank
    std::vector<std::int64_t> iteration_ends;  // of the last rank
    bool overflow = false;                     // a clock passed the horizon and ended the run
    std::string cost_overflow;                 // a block of computing was too long and ended the run: what(), or empty
};

}  // namespace warpfront::reference

extern "C" void warpfront_simgrid_simulate(const warpfront::program::Program& program,
                                           const warpfront::machine::Machine& machine,
                                           const warpfront::reference::ChannelMap& channel_map,
                                           const warpfront::variation::ComputeTime& compute_time,
                                           warpfront::reference::Simulated& result);
