// The place of a rank in a communicator.
#pragma once

#include <cstdint>
#include <span>

namespace warpfront::collectives {

struct Membership {
    std::uint32_t member = 0;
    std::uint32_t members = 1;
    std::span<const std::uint32_t> ranks{};  // by member; empty where that is the rank itself
    std::uint32_t rank_of(std::uint32_t other) const { return ranks.empty() ? other : ranks[other]; }
};

}  // namespace warpfront::collectives
