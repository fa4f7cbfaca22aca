// Metrics of a machine's topology: number of links, diameter, bisection bandwidth, the cables of a host; and the
// distances between ranks.
//
// Bisection bandwidth: the minimum, over all divisions of the hosts into two halves, of the bandwidth of the links
// between them in one direction (in both directions together if these share their links). With bw the bandwidth of a
// link and N the number of hosts:
//   torus      2 N/k bw, k the longest dimension (N/k bw for k = 2, since SimGrid uses one of the two links); exact for
//              even k, a lower bound for odd k
//   star       N/2 links, limited by the backbone: exact
//   fat tree   half of the links of the level that has the fewest: exact if the top switches have an even number of
//              subtrees. Otherwise a lower bound: links / 4 * r / (r - 1), if r subtrees meet at that level. The bound
//              follows from uniform traffic: (r - 1)/r of the traffic crosses the level, and a quarter crosses between
//              the halves in each direction
//   HyperX     S/4 bw per switch, S the shortest dimension longer than 1 (Ahn et al. 2009): exact for even S, else a
//              lower bound; limited by N/2 links of hosts
//   dragonfly  at most the blue links between two halves of the groups (for one group: the black links between chassis;
//              for one chassis: the green links between blades), limited by N/2 links of hosts
//   graph      at most the links between two halves of the switches, by number or by distance from switch 0, whichever
//              carry less, limited by N/2 links of hosts
// If each NIC has a cable of its own (routes/routes.hpp), N is the number of NICs; with rails, N is the number of
// hosts, and links and bisections of all planes are added. Parallel links (machine::Links) count; limiters do not. The
// metrics of other platforms are unknown. Diameters are those of minimal routes; the diameter of a dragonfly whose
// blades have links to all groups, or that has several chassis per group, is an upper bound.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/machine/machine.hpp"
#include "simulator/machine/routes/routes.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// The route between the two hosts that are furthest apart: links, without limiters, of at most `link_latency` each
/// (for a star, one link with the latency of the route).
struct LongestRoute {
    std::uint64_t links = 0;
    Time link_latency;
};

/// Returns the longest route. For an irregular platform it has no links.
LongestRoute longest_route(const Zone& zone);

struct Bisection {
    enum class Kind : std::uint8_t { exact, at_least, at_most };
    Kind kind = Kind::exact;
    Bandwidth bandwidth;
    bool both_ways = false;  // true if `bandwidth` is the sum of both directions
};

struct TopologyMetrics {
    std::string shape;        // "torus 14 x 18 x 25"
    std::uint64_t links = 0;  // links in one direction, or shared ones; for stored routes, links in use
    /// Number of links between the two most distant hosts; for stored routes, among the pairs in use.
    std::optional<std::uint64_t> diameter;
    std::optional<Bisection> bisection;
    std::uint32_t parallel = 1;  // number of parallel links counted in `links` for each link of the platform
};

TopologyMetrics topology_metrics(const Machine& machine);

/// The links by which a host is joined to its network, in one direction: those of all its NICs, with parallel ones; for
/// a torus, those of the host's router. For stored routes, they are the injection links (first links of all routes) of
/// the host with the least injection bandwidth.
struct HostCables {
    std::uint64_t count = 0;
    Bandwidth together;  // bandwidth of the links together, limited by the host's limiter, if there is one
};
/// Returns nothing if some stored route has no shared link, or if there is none.
std::optional<HostCables> host_cables(const Machine& machine);

/// The number of links between the ranks that exchange messages over the network.
struct Distances {
    std::uint64_t pairs = 0;    // number of ordered pairs
    std::uint64_t links = 0;    // sum over all routes
    std::uint32_t longest = 0;  // links of the longest route
};
Distances distances(const Machine& machine, const PairVisitor& pairs);

}  // namespace warpfront::machine
