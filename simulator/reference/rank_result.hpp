// What one rank's run on SimGrid comes to.
#pragma once

#include <cstdint>

#include "simulator/record/record.hpp"

namespace warpfront::reference {

/// What becomes of one rank, and where it stands while it waits. Times in picoseconds.
struct RankResult {
    std::int64_t clock = 0;
    std::int64_t bus_wait = 0;  // outside collectives, as the next
    std::int64_t flow_wait = 0;
    std::uint64_t sent = 0;  // messages, outside collectives
    bool waits = false;      // for a message or a post: `stands` says which; where it ends so, it never came
    record::Blocked stands;
};

}  // namespace warpfront::reference
