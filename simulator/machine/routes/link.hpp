// The number of a link: what routes name, and what messages wait for.
#pragma once

#include <compare>
#include <cstdint>

namespace warpfront::machine {

/// A directed link of the platform, numbered by its zone from 0. One that both directions share has one number. Links
/// on which nobody waits (SimGrid's FATPIPE) have none.
struct LinkId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(const LinkId&, const LinkId&) = default;
};

}  // namespace warpfront::machine
