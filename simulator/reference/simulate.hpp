// A run on SimGrid from its first event to its last; once per process (machine/child.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/record/record.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/reference/channel_map.hpp"

namespace warpfront::reference {

/// What becomes of one rank, and where it stands while it waits. Times in picoseconds.
struct RankFate {
    std::int64_t clock = 0;
    std::int64_t bus_wait = 0;   // outside collectives, as the next
    std::int64_t flow_wait = 0;
    std::uint64_t sent = 0;      // messages, outside collectives
    bool waits = false;          // for a message or a post: `stands` says which; where it ends so, it never came
    record::Blocked stands;
};

struct Played {
    std::vector<RankFate> fates;               // by rank
    std::vector<std::int64_t> iteration_ends;  // of the last rank
    bool overflow = false;                     // some clock passed the horizon, and the run ended there
};

Played play(const program::Program& program, const machine::Machine& machine, const Wiring& wiring);

}  // namespace warpfront::reference
