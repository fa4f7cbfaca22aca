// Metrics of a machine's topology: number of links, diameter, bisection bandwidth, the cables of a host, and the
// distances between ranks.
//
// The hosts are divided into two halves so that the links between the halves have the least bandwidth. This least
// bandwidth in one direction is the bisection bandwidth. If the two directions share their links, both count together.
// With bw the bandwidth of a link and N the number of hosts:
//   torus      2 N/k bw, k the longest dimension (N/k bw for k = 2, since SimGrid uses one of the two links); exact for
//              even k, a lower bound for odd k
//   star       N/2 links, limited by the backbone: exact
//   fat tree   half of the links of the level that has the fewest: exact if the top switches have an even number of
//              subtrees. Otherwise it is a lower bound, links / 4 * r / (r - 1), if r subtrees meet at that level. The
//              bound follows from uniform traffic: (r - 1)/r of the traffic crosses the level, and a quarter of all
//              traffic crosses between the halves in each direction
//   HyperX     S/4 bw per switch, S the shortest dimension longer than 1 (Ahn et al. 2009): exact for even S, a lower
//              bound for odd S; limited by N/2 links of hosts
//   dragonfly  an upper bound: the blue links between two halves of the groups. For one group the black links between
//              chassis, and for one chassis the green links between blades. Limited by N/2 links of hosts
//   graph      an upper bound: the links between two halves of the switches, by number or by distance from switch 0.
//              The halves whose links have the lower bandwidth count. Limited by N/2 links of hosts
// If each NIC has its own cable (routes/routes.hpp), N is the number of NICs. With rails, N is the number of hosts, and
// the links and bisections of all planes are added. Parallel links (machine::Links) are included, limiters are not. The
// metrics of other platforms are unknown. Diameters are those of minimal routes. The diameter of a dragonfly is an
// upper bound if its blades have links to all groups or its groups have several chassis.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/machine/machine.hpp"
#include "simulator/machine/routes/routes.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// The route between the two hosts that are furthest apart, without limiters. Each of its links has at most
/// `link_latency`. A star has one link with the latency of the route.
struct LongestRoute {
    std::uint64_t links = 0;
    Time link_latency;
};

/// Returns the longest route. It has no links if the platform is irregular.
LongestRoute longest_route(const Zone& zone);

struct Bisection {
    enum class Kind : std::uint8_t { exact, at_least, at_most };
    Kind kind = Kind::exact;
    Bandwidth bandwidth;
    bool both_ways = false;  // true if `bandwidth` is the sum of both directions
};

struct TopologyMetrics {
    std::string shape;  // "torus 14 x 18 x 25"
    /// number of links in one direction, or of shared links; for stored routes, of links in use
    std::uint64_t links = 0;
    /// Number of links between the two most distant hosts. For stored routes, only the pairs in use are compared.
    std::optional<std::uint64_t> diameter;
    std::optional<Bisection> bisection;
    std::uint32_t parallel = 1;  // number of parallel links that `links` includes for each link of the platform
};

TopologyMetrics topology_metrics(const Machine& machine);

/// The links from a host to its network, in one direction. They are the links of all NICs, including parallel ones; in
/// a torus, those of the host's router. For stored routes, they are the first links of the routes from the host with
/// the least injection bandwidth.
struct HostCables {
    std::uint64_t count = 0;
    Bandwidth together;  // total bandwidth of the links; a limiter of the host limits it
};
/// Returns the cables of a host. Returns nothing if some stored route has no shared link, or if there are no routes.
std::optional<HostCables> host_cables(const Machine& machine);

/// The number of links between the ranks that exchange messages over the network.
struct Distances {
    std::uint64_t pairs = 0;    // number of ordered pairs
    std::uint64_t links = 0;    // sum over all routes
    std::uint32_t longest = 0;  // links of the longest route
};
Distances distances(const Machine& machine, const PairVisitor& pairs);

}  // namespace warpfront::machine
