// The total order in which requests for a shared resource are granted: the time of the request, then its age (older
// waves first), then the rank.
#pragma once

#include <compare>
#include <cstdint>

#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::network {

/// The age of a request: its position in its rank's program. It orders requests that have the same time; the rank is
/// compared after it. Older waves (units/wave.hpp) are served first.
struct Age {
    std::uint64_t wave = 0;
    std::uint16_t site = 0;  // the statement that sends the message (program::Instruction::site)
    friend constexpr auto operator<=>(const Age&, const Age&) = default;
};

struct Order {
    Time time;
    Age age;
    Rank rank;
    friend constexpr auto operator<=>(const Order&, const Order&) = default;
};

}  // namespace warpfront::network
