// Hosts in a random order, and the hosts that other jobs occupy: of H hosts and a share S, the first floor(S * H) of a
// random order. Both depend on the seed and on H alone.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/units/ids.hpp"
#include "simulator/units/random.hpp"

namespace warpfront::machine {

/// A part of a whole, in [0, 1).
struct Share {
    double of_one = 0.0;
    friend constexpr bool operator==(Share, Share) = default;
};

/// Hosts 0 .. hosts - 1; every order is equally likely (Fisher & Yates; step k draws from the stream
/// (seed, purpose, 0, k)).
std::vector<Host> random_order(std::uint32_t hosts, Seed seed, Purpose purpose);

/// By host: whether another job occupies it.
std::vector<bool> taken_hosts(std::uint32_t hosts, Share share, Seed seed);

/// The number of hosts that no other job occupies.
std::uint64_t count_free_hosts(std::uint64_t hosts, Share share);

/// The size of a machine that has `free` free hosts, about free / (1 - share); `most` + 1 if it exceeds `most`.
std::uint64_t hosts_needed(std::uint64_t free, Share share, std::uint64_t most);

}  // namespace warpfront::machine
