// What the shape of a machine says without a message being sent.
#pragma once

#include <cstdint>

#include "simulator/machine/platform.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// Between the two hosts that are furthest apart: links, without limiters, of `link_latency` each.
struct LongestRoute {
    std::uint64_t links = 0;
    Time link_latency;
};

/// Of a regular zone; nothing is known of an irregular one.
LongestRoute longest_route(const RegularZone& zone);

}  // namespace warpfront::machine
