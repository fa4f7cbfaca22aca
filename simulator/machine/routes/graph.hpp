// Switches joined by any graph, with the same number of hosts on each: random networks, and those of a file.
//
// No rule says how such a network routes, so its routes are shortest paths (by Boost.Graph), a table of next hops: one
// byte for each pair of switches, whatever their hosts. Of several neighbours as near to the destination, in the order
// of their numbers, the one numbered `destination mod how many` is taken, so that traffic to different switches spreads
// and each route is one path, the same from wherever it is joined.
//
// Host h is on switch h / hosts_each. Links: up and down of each host (2 h, 2 h + 1); then, switch by switch, the link
// that leaves for each neighbour.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/machine/routes/link.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/random.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// So many switches have a table of 64 MiB, which takes some seconds to fill.
inline constexpr std::uint32_t kMostSwitches = 8192;
inline constexpr std::uint32_t kMostPorts = 254;

/// Undirected, without loops and parallel edges.
class SwitchGraph {
public:
    SwitchGraph() = default;
    /// `edges` join numbers below `switches`, each two of them at most once; none has more than kMostPorts.
    SwitchGraph(std::uint32_t switches, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges);

    std::uint32_t switches() const { return first_.empty() ? 0 : static_cast<std::uint32_t>(first_.size() - 1); }
    std::uint32_t ports(std::uint32_t at) const { return first_[at + 1] - first_[at]; }
    /// Neighbours are in the order of their numbers.
    std::uint32_t neighbour(std::uint32_t at, std::uint32_t port) const { return neighbours_[first_[at] + port]; }
    /// Of a directed link, among all of the graph.
    std::uint32_t number(std::uint32_t at, std::uint32_t port) const { return first_[at] + port; }
    std::uint32_t directed_links() const { return static_cast<std::uint32_t>(neighbours_.size()); }
    /// A switch that cannot be reached from switch 0; the lowest.
    std::optional<std::uint32_t> unreachable() const;
    friend bool operator==(const SwitchGraph&, const SwitchGraph&) = default;

private:
    std::vector<std::uint32_t> first_;  // by switch, in neighbours_; one more at the end
    std::vector<std::uint32_t> neighbours_;
};

/// A random graph in which every switch has `degree` neighbours: stubs are paired at random, those that would close a
/// loop or a second edge once more among themselves, until none is left (Steger & Wormald 1999), or all over again
/// where that is not possible or switches were left apart. Nothing where even that did not help.
std::optional<SwitchGraph> random_regular(std::uint32_t switches, std::uint32_t degree, Seed seed);

/// What a random graph was drawn from, to draw a larger one.
struct RandomRegular {
    std::uint32_t degree = 0;
    Seed seed;
    friend bool operator==(const RandomRegular&, const RandomRegular&) = default;
};

struct GraphRoutes {
    SwitchGraph graph;
    std::uint32_t hosts_each = 1;
    Time link_latency{};
    Gap link_gap{};
    std::optional<RandomRegular> drawn{};
    std::uint32_t diameter = 0;        // in links between switches; once there are routes, as `next`
    std::vector<std::uint8_t> next{};  // by destination, then by switch: the port to take

    /// Fills `next` and `diameter`; every switch can be reached. Called once, before anything else below.
    void find_routes();

    std::uint64_t hosts() const { return std::uint64_t{graph.switches()} * hosts_each; }
    std::uint32_t links(Node from, Node to) const;
    Time latency(Node from, Node to) const { return link_latency * links(from, to); }
    std::uint64_t link_count() const { return 2 * hosts() + graph.directed_links(); }
    void append_links(Node from, Node to, std::vector<LinkId>& links) const;
    Gap gap(LinkId) const { return link_gap; }
    friend bool operator==(const GraphRoutes&, const GraphRoutes&) = default;
};

}  // namespace warpfront::machine
