// The total order in which requests for a shared resource are granted: the time of the request, then its age (older
// waves first), then the rank.
#pragma once

#include <compare>

#include "simulator/network/age.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::network {

struct Order {
    Time time;
    Age age;
    Rank rank;
    friend constexpr auto operator<=>(const Order&, const Order&) = default;
};

}  // namespace warpfront::network
