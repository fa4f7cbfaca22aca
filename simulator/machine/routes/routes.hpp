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
#include <variant>
#include <vector>

#include "simulator/machine/routes/dragonfly.hpp"
#include "simulator/machine/routes/fat_tree.hpp"
#include "simulator/machine/routes/graph.hpp"
#include "simulator/machine/routes/hyperx.hpp"
#include "simulator/machine/routes/link.hpp"
#include "simulator/machine/routes/star.hpp"
#include "simulator/machine/routes/table.hpp"
#include "simulator/machine/routes/torus.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

using Zone =
    std::variant<TorusRoutes, StarRoutes, FatTreeRoutes, DragonflyRoutes, HyperXRoutes, GraphRoutes, TableRoutes>;

struct Routes {
    Zone zone;
    std::uint32_t links_in_L = 1;  // links of a route whose latency the profile's L includes

    /// Links crossed. For TableRoutes the pair must have been asked for.
    std::uint32_t links(Node from, Node to) const;
    /// Latency beyond L: links() - links_in_L (never below 0) links' worth, which is, of a route of k links, its
    /// latency * (k - links_in_L) / k, rounded down to the picosecond.
    Time extra_latency(Node from, Node to) const;

    /// Number of directed links that `append_links` may name.
    std::uint32_t link_count() const;
    /// Appends the directed links of the route in order; `from` and `to` differ. For TableRoutes the pair must have
    /// been asked for.
    void append_links(Node from, Node to, std::vector<LinkId>& links) const;
    /// Time per byte of a link: the inverse of its bandwidth.
    Gap gap(LinkId link) const;
};

}  // namespace warpfront::machine
