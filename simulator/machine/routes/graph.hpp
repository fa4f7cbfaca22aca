// Switches that are joined by any graph, with the same number of hosts on each: random networks, and networks from a
// file.
//
// Routes are shortest paths (by Boost.Graph). A table contains the next switch of each route: one byte per pair of
// switches. If n neighbours are nearest to the destination, a route takes number `destination mod n` of them, in
// ascending order. So traffic to different switches is spread, and the path from a switch to a destination does not
// depend on the source.
//
// Host h is on switch h / hosts_each. Numbers of links: up and down of each host (2 h, 2 h + 1); then, switch by
// switch, the link to each neighbour. The links between switches may differ in bandwidth and latency, which do not
// affect routes. The links of hosts are identical.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/machine/routes/routing.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/random.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// The largest number of switches. Their table takes 64 MiB and some seconds to compute.
inline constexpr std::uint32_t kMostSwitches = 8192;
inline constexpr std::uint32_t kMostPorts = 254;

/// An undirected graph without loops or parallel edges.
class SwitchGraph {
public:
    SwitchGraph() = default;
    /// Makes a graph of `edges` between the switches 0 to `switches` - 1. Each pair occurs at most once. A switch has
    /// at most kMostPorts edges.
    SwitchGraph(std::uint32_t switches, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges);

    std::uint32_t switches() const { return first_.empty() ? 0 : static_cast<std::uint32_t>(first_.size() - 1); }
    std::uint32_t ports(std::uint32_t at) const { return first_[at + 1] - first_[at]; }
    /// Returns the neighbour at a port. Neighbours are sorted by number.
    std::uint32_t neighbour(std::uint32_t at, std::uint32_t port) const { return neighbours_[first_[at] + port]; }
    /// Returns the number of the directed link that leaves by a port.
    std::uint32_t number(std::uint32_t at, std::uint32_t port) const { return first_[at] + port; }
    std::uint32_t directed_links() const { return static_cast<std::uint32_t>(neighbours_.size()); }
    /// Returns the lowest switch that switch 0 cannot reach; nothing if there is none.
    std::optional<std::uint32_t> unreachable() const;
    friend bool operator==(const SwitchGraph&, const SwitchGraph&) = default;

private:
    std::vector<std::uint32_t> first_;  // index of the first neighbour of each switch in neighbours_, and the end
    std::vector<std::uint32_t> neighbours_;
};

/// Returns a random graph in which every switch has `degree` neighbours (Steger & Wormald 1999). Ends of edges are
/// joined at random. Ends that would form a loop or a duplicate edge are drawn again until none is left. If that is
/// impossible, or if the graph is not connected, the drawing starts again. Returns nothing after 100 attempts.
std::optional<SwitchGraph> random_regular(std::uint32_t switches, std::uint32_t degree, Seed seed);

/// The cost of one directed link between two switches.
struct SwitchLink {
    Gap gap;
    Time latency;
    friend bool operator==(const SwitchLink&, const SwitchLink&) = default;
};

/// The parameters of a random graph. A larger graph can be drawn from them.
struct RandomRegular {
    std::uint32_t degree = 0;
    Seed seed;
    friend bool operator==(const RandomRegular&, const RandomRegular&) = default;
};

struct GraphRoutes {
    static constexpr bool kHasNicCables = true;
    SwitchGraph graph;
    std::uint32_t hosts_each = 1;
    Time link_latency{};
    Gap link_gap{};
    /// Costs of the links between switches, by SwitchGraph::number. If empty, all have `link_latency` and `link_gap`.
    std::vector<SwitchLink> own{};
    std::optional<RandomRegular> drawn{};
    std::uint32_t diameter = 0;        // number of links between switches on the longest route; set by find_routes
    std::vector<std::uint8_t> next{};  // port to take, by destination, then by switch; set by find_routes

    /// Computes the routes. The graph must be connected. Must be called once, before the members below.
    void find_routes();

    std::uint64_t hosts() const { return std::uint64_t{graph.switches()} * hosts_each; }
    std::uint32_t links(Host from, Host to) const;
    Time latency(Host from, Host to) const;
    void append_latencies(Host from, Host to, std::vector<Time>& latencies) const;
    std::uint64_t link_count() const { return 2 * hosts() + graph.directed_links(); }
    void append_links(Host from, Host to, std::vector<LinkId>& links) const;
    Gap gap(LinkId link) const {
        const std::uint64_t first = 2 * hosts();
        return own.empty() || link.index < first ? link_gap : own[link.index - first].gap;
    }
    /// Returns the longest latency of a link.
    Time longest_latency() const;
    friend bool operator==(const GraphRoutes&, const GraphRoutes&) = default;

private:
    template <class Visit>
    void walk(Host from, Host to, const Visit& visit) const;
};

}  // namespace warpfront::machine
