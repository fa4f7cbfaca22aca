#include "simulator/engine/state/failures.hpp"

#include <fmt/format.h>

namespace warpfront::engine {

Deadlock::Deadlock(std::vector<record::Blocked> ranks)
    : std::runtime_error(fmt::format("deadlock: {} ranks wait and none can go on", ranks.size())),
      blocked_(std::move(ranks)) {}

MemoryExhausted::MemoryExhausted(Found found)
    : std::runtime_error("messages queue up beyond the memory that there is"), found_(std::move(found)) {}

TimeOverflow::TimeOverflow(Rank rank, std::uint16_t site)
    : std::runtime_error("virtual time passed its horizon of 53 days"), rank_(rank), site_(site) {}

}  // namespace warpfront::engine
