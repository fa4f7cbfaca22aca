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
    std::int64_t server_wait = 0;  // for the server of the node, outside collectives
    std::int64_t flow_wait = 0;    // because of other flows, outside collectives
    std::uint64_t sent = 0;        // messages, outside collectives
    std::uint64_t collective_sent = 0;
    bool waits = false;       // true while the rank waits, and at the end of a deadlock
    record::Blocked blocked;  // the message or post of the latest wait
};

struct Simulated {
    std::vector<RankResult> results;           // by rank
    std::vector<std::int64_t> iteration_ends;  // times at which the last rank ended each iteration
    bool overflow = false;                     // true if a clock passed the horizon, which ended the run
    std::string
        cost_overflow;  // the message about a block of computing that was too long, which ended the run; or empty
};

}  // namespace warpfront::reference

extern "C" void warpfront_simgrid_simulate(const warpfront::program::Program& program,
                                           const warpfront::machine::Machine& machine,
                                           const warpfront::reference::ChannelMap& channel_map,
                                           const warpfront::variation::ComputeTime& compute_time,
                                           warpfront::reference::Simulated& result);
