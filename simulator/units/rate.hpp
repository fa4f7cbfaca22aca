// The speed of a processor.
#pragma once

namespace warpfront {

struct FlopRate {
    double per_second = 0.0;
    friend constexpr bool operator==(FlopRate, FlopRate) = default;
};

}  // namespace warpfront
