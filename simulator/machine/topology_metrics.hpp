// What the shape of a machine says without a message being sent: how many links it has, how far its hosts are apart,
// and how much goes from one half of them to the other.
//
// Bisection bandwidth: the least that the links between any two halves of the hosts carry one way (both ways together
// where the two directions share their links). With bw that of a link:
//   torus      2 N/k bw over the longest dimension, k (1 for k = 2, where SimGrid uses one of the two links); exact for
//              even k, for odd k at least that
//   star       N/2 links, but no more than the backbone: exact
//   fat tree   half of the links of the level that has the fewest: exact where the top switches have an even number of
//              subtrees. Else uniform traffic, of which (r - 1)/r crosses a level of r subtrees and a quarter crosses
//              the halves in each direction, tells at least links / 4 * r / (r - 1)
//   HyperX     S/4 bw per switch, S the shortest dimension longer than 1 (Ahn et al. 2009): exact for even S, else at
//              least that; no more than N/2 links of hosts
//   dragonfly  at most the blue links between two halves of the groups (of one group: black ones between chassis, of
//              one chassis: green ones between blades), and N/2 links of hosts
//   graph      at most the links between two halves of the switches, by number or by distance from switch 0, whichever
//              are fewer, and N/2 links of hosts
// Limiters are left out. Of other platforms nothing is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/machine/machine.hpp"
#include "simulator/machine/routes/regular_zone.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// Between the two hosts that are furthest apart: links, without limiters, of `link_latency` each (of a star: one of
/// the whole route's).
struct LongestRoute {
    std::uint64_t links = 0;
    Time link_latency;
};

/// Of a regular zone; nothing is known of an irregular one.
LongestRoute longest_route(const RegularZone& zone);

struct Bisection {
    enum class Kind : std::uint8_t { exact, at_least, at_most };
    Kind kind = Kind::exact;
    Bandwidth bandwidth;
    bool both_ways = false;  // together
};

struct TopologyMetrics {
    std::string shape;                      // "torus 14 x 18 x 25"
    std::uint64_t links = 0;                // one way each, or shared; of stored routes, those in use
    std::optional<std::uint64_t> diameter;  // in links; of stored routes, over the pairs in use
    std::optional<Bisection> bisection;
};

TopologyMetrics topology_metrics(const Machine& machine);

/// Links between the ranks that exchange messages over the network.
struct Distances {
    std::uint64_t pairs = 0;  // ordered
    std::uint64_t links = 0;  // of all of them
    std::uint32_t longest = 0;
};
Distances distances(const Machine& machine, const PairVisitor& pairs);

}  // namespace warpfront::machine
