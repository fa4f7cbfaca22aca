// Hosts in a random order, and those that others have taken: of H hosts floor(S * H), S being the share, the first ones
// of a random order. Both depend on the seed and on H alone.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/units/random.hpp"

namespace warpfront::machine {

/// A part of a whole, in [0, 1).
struct Share {
    double of_one = 0.0;
    friend constexpr bool operator==(Share, Share) = default;
};

/// All of 0 .. hosts - 1, every order as likely (Fisher & Yates; step k draws from the stream (seed, purpose, 0, k)).
std::vector<std::uint32_t> random_order(std::uint32_t hosts, Seed seed, Purpose purpose);

/// By host.
std::vector<bool> taken_hosts(std::uint32_t hosts, Share share, Seed seed);

/// Hosts of which others have taken none.
std::uint64_t free_hosts(std::uint64_t hosts, Share share);

/// Hosts that a machine needs to have `free` ones, about free / (1 - share); `most` + 1 where that is more than `most`.
std::uint64_t hosts_to_have(std::uint64_t free, Share share, std::uint64_t most);

}  // namespace warpfront::machine
