// Common parts of all networks: the numbers of links, and the routing of messages if there are several kinds of path.
// Dragonflies, HyperX networks and tori by rule offer
//   minimal   the rule of the zone
//   valiant   minimal to an intermediate, and minimal from there to the destination (Valiant 1982, "A scheme for fast
//             parallel communication"). The intermediate follows from a hash of the two hosts alone, so the route of a
//             pair is fixed. If there is no intermediate, the route is minimal
//   adaptive  each message takes the minimal or the Valiant route: the one that costs less when the message requests
//             its links (engine/stepping/links.hpp)
//
// The hash is a stream of the counter-based generator (units/random.hpp) that is named by the two hosts.
#pragma once

#include <compare>
#include <cstdint>

#include "simulator/units/ids.hpp"
#include "simulator/units/random.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// A directed link of the platform. Its zone numbers links from 0. If both directions share a link, it has one number.
struct LinkId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(const LinkId&, const LinkId&) = default;
};

enum class Routing : std::uint8_t { minimal, valiant, adaptive };

/// The additional length of a Valiant route, compared with the minimal route. Fewer links count as equally many.
struct Detour {
    Time longer;         // additional latency of its links
    Time extra_latency;  // additional latency that L does not include
};

/// Returns the hash of a pair of hosts, as a stream of random numbers.
inline Random intermediate_hash(Host from, Host to) { return {Seed{}, Purpose::intermediate, from.index, to.index}; }

/// Returns a random number below `count` other than `a` and `b`. All are equally likely, and there must be at least
/// one.
inline std::uint32_t other_than(std::uint32_t a, std::uint32_t b, std::uint32_t count, Random& hash) {
    const std::uint32_t low = a < b ? a : b;
    const std::uint32_t high = a < b ? b : a;
    auto drawn = static_cast<std::uint32_t>(hash.below(count - (low == high ? 1 : 2)));
    if (drawn >= low) ++drawn;
    if (low != high && drawn >= high) ++drawn;
    return drawn;
}

}  // namespace warpfront::machine
