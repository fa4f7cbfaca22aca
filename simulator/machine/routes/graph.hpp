// Switches joined by any graph, with the same number of hosts on each: random networks, and those of a file.
//
// Routes are shortest paths (by Boost.Graph), stored as a table of next hops: one byte per pair of switches. Of the n
// neighbours nearest to the destination, in ascending order, a route takes neighbour `destination mod n`. So traffic to
// different switches is spread, and the path from a switch to a destination does not depend on the source.
//
// Host h is on switch h / hosts_each. Links: up and down of each host (2 h, 2 h + 1); then, switch by switch, the link
// that leaves for each neighbour. The links between switches may differ in bandwidth and latency, which do not affect
// routes; those of hosts are identical.
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

/// The largest number of switches; their table takes 64 MiB and some seconds to fill.
inline constexpr std::uint32_t kMostSwitches = 8192;
inline constexpr std::uint32_t kMostPorts = 254;

/// An undirected graph without loops and parallel edges.
class SwitchGraph {
public:
    SwitchGraph() = default;
    /// Makes a graph of `edges` that join switches below `switches`, each pair at most once; no switch may have more
    /// than kMostPorts.
    SwitchGraph(std::uint32_t switches, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges);

    std::uint32_t switches() const { return first_.empty() ? 0 : static_cast<std::uint32_t>(first_.size() - 1); }
    std::uint32_t ports(std::uint32_t at) const { return first_[at + 1] - first_[at]; }
    /// Returns a neighbour; neighbours are in the order of their numbers.
    std::uint32_t neighbour(std::uint32_t at, std::uint32_t port) const { return neighbours_[first_[at] + port]; }
    /// Returns the number of a directed link in the graph.
    std::uint32_t number(std::uint32_t at, std::uint32_t port) const { return first_[at] + port; }
    std::uint32_t directed_links() const { return static_cast<std::uint32_t>(neighbours_.size()); }
    /// Returns the lowest switch that cannot be reached from switch 0.
    std::optional<std::uint32_t> unreachable() const;
    friend bool operator==(const SwitchGraph&, const SwitchGraph&) = default;

private:
    std::vector<std::uint32_t> first_;  // first index in neighbours_ by switch, and one more at the end
    std::vector<std::uint32_t> neighbours_;
};

/// Returns a random graph in which every switch has `degree` neighbours (Steger & Wormald 1999). Ends of edges are
/// paired at random; ends that would form a loop or a duplicate edge are paired again among themselves until none is
/// left. If that is impossible or the graph is not connected, the drawing restarts. Returns nothing if 100 attempts
/// fail.
std::optional<SwitchGraph> random_regular(std::uint32_t switches, std::uint32_t degree, Seed seed);

/// The cost of one directed link between two switches.
struct SwitchLink {
    Gap gap;
    Time latency;
    friend bool operator==(const SwitchLink&, const SwitchLink&) = default;
};

/// The parameters of a random graph, used to draw a larger graph.
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
    /// Costs of links between switches, by SwitchGraph::number; empty: `link_latency` and `link_gap`.
    std::vector<SwitchLink> own{};
    std::optional<RandomRegular> drawn{};
    std::uint32_t diameter = 0;        // most links between switches on a route; set together with `next`
    std::vector<std::uint8_t> next{};  // port to take, by destination, then by switch

    /// Fills `next` and `diameter`; the graph must be connected. Called once, before all members below.
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
