// The result of one rank's run on SimGrid.
#pragma once

#include <cstdint>

#include "simulator/record/record.hpp"

namespace warpfront::reference {

/// Times in picoseconds.
struct RankResult {
    std::int64_t clock = 0;
    std::int64_t bus_wait = 0;  // outside collectives, like the next
    std::int64_t flow_wait = 0;
    std::uint64_t sent = 0;  // messages, outside collectives
    std::uint64_t collective_sent = 0;
    bool waits = false;  // for a message or a post, see `blocked`; still true at the end if it never came
    record::Blocked blocked;
};

}  // namespace warpfront::reference
