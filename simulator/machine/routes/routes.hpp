// Routes between hosts: the links of each route, which messages share, and the latency of the links beyond those that
// the LogGP latency L includes (L is measured between neighbours). Routes of regular zones are computed, never stored
// per pair; routes of other platforms are a table of the pairs that were requested when the machine was built. Both
// equal SimGrid's, link by link.
//
// Where routing is not minimal (routing.hpp) a route is the Valiant one of its pair; where it is adaptive, the minimal
// one, beside which each message may take the detour, the Valiant one. Zones that are routed so have no limiters.
//
// Invariant (checked when a machine is built): the latency of the longest route is at most `kLongestCost`.
//
// A route leads from a NIC of a host to one of another (cabling.hpp). The zone's ends are the hosts, or, where each NIC
// has a cable of its own in one plane, all NICs, host by host.
//
// Hosts are numbered as in units/ids.hpp; in a torus, the first dimension fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "simulator/machine/routes/cabling.hpp"
#include "simulator/machine/routes/dragonfly.hpp"
#include "simulator/machine/routes/fat_tree.hpp"
#include "simulator/machine/routes/graph.hpp"
#include "simulator/machine/routes/hyperx.hpp"
#include "simulator/machine/routes/link.hpp"
#include "simulator/machine/routes/routing.hpp"
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
    Routing routing = Routing::minimal;
    Cabling cabling{};

    /// Links of the route. TableRoutes must contain the pair.
    std::uint32_t links(HostNic from, HostNic to) const;
    /// Latency beyond L. For a route of k links: its latency * max(0, k - links_in_L) / k, rounded down to the
    /// picosecond.
    Time extra_latency(HostNic from, HostNic to) const;

    /// Number of links; `append_links` returns links below it.
    std::uint32_t link_count() const;
    /// Appends the links of the route in order; the hosts must differ. TableRoutes must contain the pair.
    void append_links(HostNic from, HostNic to, std::vector<LinkId>& links) const;
    /// Appends the links of the detour and returns how much longer it is; nothing where the pair has none.
    std::optional<Detour> append_detour(HostNic from, HostNic to, std::vector<LinkId>& links) const;
    /// Time per byte of a link: the inverse of its bandwidth.
    Gap gap(LinkId link) const;

private:
    /// Moves the links from `first` on, those of a plane, to the plane of the NIC.
    void choose_plane(std::uint32_t nic, std::size_t first, std::vector<LinkId>& links) const;
};

}  // namespace warpfront::machine
