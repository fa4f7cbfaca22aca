// How far apart two nodes are, and over which links: the latency of the links that a route crosses beyond those the
// LogGP latency L already covers (it was measured between neighbours), and the links themselves, which messages share.
// Regular zones are computed, never stored per pair; explicit routes are a table of the pairs that were asked for when
// the machine was built. Both are SimGrid's, link by link.
//
// Invariant (checked when a machine is built): the latency of its longest route is at most `kLongestCost`.
//
// Node numbers here are host numbers of the platform, not the engine's logical processes: zones in file order, each
// with its own hosts first, in SimGrid's netpoint order (of a torus: the first dimension fastest).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "simulator/machine/dragonfly.hpp"
#include "simulator/machine/fat_tree.hpp"
#include "simulator/machine/graph.hpp"
#include "simulator/machine/hyperx.hpp"
#include "simulator/machine/link.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// A k-ary torus, first dimension fastest, routed dimension by dimension the shorter way round (SimGrid's TorusZone).
/// Half way round, a route goes up, except to coordinate 0, which it reaches downwards.
/// Links: node * 2 * dimensions + 2 * dimension + direction, of the node they leave; 0 is up, 1 is down. Where both
/// directions share a link, it is that which goes up. Then the limiters, node by node, which all that comes from, goes
/// to and passes through their node crosses.
struct TorusRoutes {
    std::vector<std::uint32_t> dimensions;
    Time link_latency{};
    Gap link_gap{};
    bool duplex = true;  // up and down do not share a link
    std::optional<Gap> limiter{};

    std::uint64_t hosts() const;
    std::uint32_t links(Node from, Node to) const;
    Time latency(Node from, Node to) const;
    std::uint64_t link_count() const;
    void append_links(Node from, Node to, std::vector<LinkId>& links) const;
    Gap gap(LinkId link) const;
    friend bool operator==(const TorusRoutes&, const TorusRoutes&) = default;

private:
    std::uint32_t hops(Node from, Node to) const;
    std::uint64_t cable_count() const { return hosts() * 2 * dimensions.size(); }
};

/// All hosts behind one switch: every route crosses the same number of links (SimGrid's flat cluster): the limiter of
/// its host, the host's link up, the backbone, the other host's link down and limiter, so far as there are such.
/// Links: host by host its link up, its link down where that is another, its limiter; the backbone last.
struct StarRoutes {
    std::uint32_t links_per_route = 2;
    Time route_latency{};
    std::uint32_t hosts = 0;
    Gap link_gap{};
    bool duplex = true;             // up and down do not share a link
    std::optional<Gap> limiter{};   // crossed by all that its host sends and receives
    std::optional<Gap> backbone{};  // crossed by all; none also where it is a FATPIPE

    std::uint32_t links_per_host() const { return (duplex ? 2U : 1U) + (limiter ? 1U : 0U); }
    std::uint32_t links(Node, Node) const { return links_per_route; }
    Time latency(Node, Node) const { return route_latency; }
    std::uint64_t link_count() const { return std::uint64_t{hosts} * links_per_host() + (backbone ? 1 : 0); }
    void append_links(Node from, Node to, std::vector<LinkId>& links) const;
    Gap gap(LinkId link) const;
    friend bool operator==(const StarRoutes&, const StarRoutes&) = default;
};

/// Any other platform: latency and links of each pair asked for. Links are numbered in the order of their first use.
struct TableRoutes {
    struct Entry {
        Time latency;                 // of the whole route
        std::uint32_t links = 0;      // all that it crosses
        std::uint32_t contended = 0;  // those that have a number: so many of `contended` below, from `first`
        std::uint64_t first = 0;
    };
    std::unordered_map<std::uint64_t, Entry> entries;  // key = from << 32 | to; looked up, never iterated
    std::vector<LinkId> contended;                     // of all routes, one after another
    std::vector<Gap> gaps;                             // by link
    std::vector<std::string> names{};                  // by link, as the platform calls it; may be empty

    void add(Node from, Node to, Entry entry);
    const Entry& at(Node from, Node to) const;  // the pair must have been asked for
    std::uint32_t links(Node from, Node to) const { return at(from, to).links; }
    Time latency(Node from, Node to) const { return at(from, to).latency; }
    std::uint64_t link_count() const { return gaps.size(); }
    void append_links(Node from, Node to, std::vector<LinkId>& links) const;
    Gap gap(LinkId link) const { return gaps[link.index]; }
};

using Zone = std::variant<TorusRoutes, StarRoutes, FatTreeRoutes, DragonflyRoutes, HyperXRoutes, GraphRoutes,
                          TableRoutes>;

struct Routes {
    Zone zone;
    std::uint32_t links_in_L = 1;   // links of a route whose latency the profile's L includes

    /// Links crossed. For TableRoutes the pair must have been asked for.
    std::uint32_t links(Node from, Node to) const;
    /// Latency beyond L: links() - links_in_L (never below 0) links' worth, which is, of a route of k links, its
    /// latency * (k - links_in_L) / k, rounded down to the picosecond.
    Time beyond_L(Node from, Node to) const;

    /// Number of directed links that `append_links` may name.
    std::uint32_t link_count() const;
    /// Appends the directed links of the route in order; `from` and `to` differ. For TableRoutes the pair must have
    /// been asked for.
    void append_links(Node from, Node to, std::vector<LinkId>& links) const;
    /// Time per byte of a link: the inverse of its bandwidth.
    Gap gap(LinkId link) const;
};

}  // namespace warpfront::machine
