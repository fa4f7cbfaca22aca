// The age of a request: its position in its rank's program. It orders requests for a shared resource that have the same
// time, before the rank does. Older waves (units/wave.hpp) are served first.
#pragma once

#include <compare>
#include <cstdint>

namespace warpfront::network {

struct Age {
    std::uint64_t wave = 0;
    std::uint16_t site = 0;  // the statement (program::Instruction::site)
    friend constexpr auto operator<=>(const Age&, const Age&) = default;
};

}  // namespace warpfront::network
