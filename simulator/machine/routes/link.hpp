// The number of a link, a shared resource of messages.
#pragma once

#include <compare>
#include <cstdint>

namespace warpfront::machine {

/// A directed link of the platform, numbered by its zone from 0. A link that both directions share has one number.
/// Links without contention (SimGrid's FATPIPE) have none.
struct LinkId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(const LinkId&, const LinkId&) = default;
};

}  // namespace warpfront::machine
