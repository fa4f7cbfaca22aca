// How far apart two nodes are: the latency of the links that a route crosses beyond those the LogGP latency L already
// covers (it was measured between neighbours). Regular zones are computed, never stored per pair; explicit routes are
// a table of the pairs that were asked for when the machine was built.
//
// Invariant (checked when a machine is built): the latency of its longest route is at most `kLongestCost`.
//
// Node numbers here are host numbers of the platform, not the engine's logical processes: zones in file order, each
// with its own hosts first, in SimGrid's netpoint order (of a torus: the first dimension fastest).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <variant>
#include <vector>

#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// A directed link of the platform, numbered by its zone from 0.
struct LinkId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(const LinkId&, const LinkId&) = default;
};

/// A k-ary torus, first dimension fastest, routed dimension by dimension the shorter way round (SimGrid's TorusZone).
struct TorusRoutes {
    std::vector<std::uint32_t> dimensions;
    Time link_latency;
    std::uint32_t links(Node from, Node to) const;
};

/// All hosts behind one switch: every route crosses the same number of links (SimGrid's flat cluster).
struct StarRoutes {
    std::uint32_t links_per_route = 2;
    Time route_latency;
};

/// Any other platform: total latency and links of each pair asked for.
struct TableRoutes {
    struct Entry {
        Time latency;
        std::uint32_t links = 0;
    };
    std::unordered_map<std::uint64_t, Entry> entries;  // key = from << 32 | to; looked up, never iterated

    void add(Node from, Node to, Entry entry);
    const Entry& at(Node from, Node to) const;  // the pair must have been asked for
};

struct Routes {
    std::variant<TorusRoutes, StarRoutes, TableRoutes> zone;
    std::uint32_t links_in_L = 1;   // links of a route whose latency the profile's L includes

    /// Links crossed. For TableRoutes the pair must have been asked for.
    std::uint32_t links(Node from, Node to) const;
    /// Latency beyond L: links() - links_in_L (never below 0) links' worth. For a TableRoutes entry of k links, its
    /// latency * (k - links_in_L) / k, rounded down to the picosecond.
    Time beyond_L(Node from, Node to) const;

    /// Number of directed links that `append_links` may name.
    std::uint32_t link_count() const;
    /// Appends the directed links of the route in order. For TableRoutes the pair must have been asked for.
    void append_links(Node from, Node to, std::vector<LinkId>& links) const;
    /// Time per byte of a link: the inverse of its bandwidth.
    Gap gap(LinkId link) const;
};

}  // namespace warpfront::machine
