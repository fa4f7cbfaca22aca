// Common parts of networks of all kinds: the numbers of links, and the routing of messages in networks with more than
// one kind of path: dragonflies, HyperX and tori by rule.
//   minimal   the zone's rule
//   valiant   minimal to an intermediate, and minimal on from there (Valiant 1982, "A scheme for fast parallel
//             communication"). The intermediate follows from a hash of the two hosts alone, so a pair's route is fixed.
//             If there is no intermediate, the route is minimal
//   adaptive  each message takes the minimal or the Valiant route: the one that costs less when the message requests
//             its links (engine/stepping/links.hpp)
//
// The hash is a stream of the counter-based generator (units/random.hpp) named by the two hosts.
#pragma once

#include <compare>
#include <cstdint>

#include "simulator/units/ids.hpp"
#include "simulator/units/random.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// A directed link of the platform, numbered by its zone from 0. A link that both directions share has one number.
struct LinkId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(const LinkId&, const LinkId&) = default;
};

enum class Routing : std::uint8_t { minimal, valiant, adaptive };

/// The additional length of a Valiant route over the minimal route; one with fewer links counts as equally long.
struct Detour {
    Time longer;         // additional latency of its links
    Time extra_latency;  // additional latency beyond L
};

/// Returns the hash of a pair of hosts.
inline Random intermediate_hash(Host from, Host to) { return {Seed{}, Purpose::intermediate, from.index, to.index}; }

/// Returns one of 0 .. count - 1 other than `a` and `b`, each with equal probability; there must be one.
inline std::uint32_t other_than(std::uint32_t a, std::uint32_t b, std::uint32_t count, Random& hash) {
    const std::uint32_t low = a < b ? a : b;
    const std::uint32_t high = a < b ? b : a;
    auto drawn = static_cast<std::uint32_t>(hash.below(count - (low == high ? 1 : 2)));
    if (drawn >= low) ++drawn;
    if (low != high && drawn >= high) ++drawn;
    return drawn;
}

}  // namespace warpfront::machine
