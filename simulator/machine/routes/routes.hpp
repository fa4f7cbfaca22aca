// Routes between hosts: the links of each route, which messages share, and the latency of the links beyond those that
// the LogGP latency L includes (L is measured between neighbours). Routes of regular zones are computed, never stored
// per pair; routes of other platforms are a table of the pairs that were requested when the machine was built. Both
// equal SimGrid's, link by link.
//
// If routing is not minimal (routing.hpp), a route is the Valiant route of its pair. If routing is adaptive, the route
// is the minimal one, and each message may take the Valiant route instead. Zones with such routing have no limiters.
//
// Invariant (checked when a machine is built): the latency of the longest route is at most `kLongestCost`.
//
// A route leads from a NIC of one host to a NIC of another host (Cabling). The ends of routes in the zone are the
// hosts; or, if each NIC has a cable of its own in one plane, all NICs, host by host.
//
// Hosts are numbered as in units/ids.hpp; in a torus, the first dimension is the fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "simulator/machine/routes/dragonfly.hpp"
#include "simulator/machine/routes/fat_tree.hpp"
#include "simulator/machine/routes/graph.hpp"
#include "simulator/machine/routes/hyperx.hpp"
#include "simulator/machine/routes/routing.hpp"
#include "simulator/machine/routes/star.hpp"
#include "simulator/machine/routes/table.hpp"
#include "simulator/machine/routes/torus.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// The cabling of the network interfaces (NICs) of a host in a network by rule whose hosts have links to a switch.
///   per_nic   one plane: each NIC has a cable of its own to the host's switch, so the network has an end for every
///             NIC, number host * cables + NIC, and routes from end to end. A message leaves by the sender's NIC and
///             enters by the receiver's
///   rails     a plane for each NIC: the network exists once for each, with NIC k of every host in plane k. No link
///             joins two planes, so the sender's NIC decides: a message enters the receiving node by the NIC in the
///             same plane, whichever NIC the receiver has. Link `l` of plane k has the number l * cables + k
///   shared    all NICs of a host share one cable
/// Hosts of a torus are its routers and have no cables.
enum class NicCabling : std::uint8_t { per_nic, rails, shared };

/// A NIC with a cable of its own, or the cable that the NICs of a host share: number 0.
struct HostNic {
    Host host;
    std::uint32_t nic = 0;
    constexpr HostNic(Host of_host, std::uint32_t number = 0) : host(of_host), nic(number) {}
};

struct Cabling {
    std::uint32_t cables = 1;  // cables of a host: one, or one for each NIC
    bool rails = false;        // each cable is in a separate plane

    std::uint32_t planes() const { return rails ? cables : 1; }
    /// Returns the number of ends of routes per host in each plane.
    std::uint32_t ends_per_host() const { return rails ? 1 : cables; }
    Host end(HostNic nic) const { return ends_per_host() == 1 ? nic.host : Host{nic.host.index * cables + nic.nic}; }
    LinkId link(LinkId of_plane, std::uint32_t nic) const {
        return rails ? LinkId{of_plane.index * cables + nic} : of_plane;
    }
    LinkId in_plane(LinkId link) const { return {link.index / planes()}; }
    friend bool operator==(const Cabling&, const Cabling&) = default;
};

/// A network whose routes follow from a rule; or an irregular platform, which is not a single regular cluster, so that
/// its routes are found pair by pair and stored. HyperX and graphs come only from the `topology` of a hardware file
/// (loading/interconnect.hpp). `kHasNicCables` is true if the NICs of a host may have cables of their own.
using Zone =
    std::variant<TorusRoutes, StarRoutes, FatTreeRoutes, DragonflyRoutes, HyperXRoutes, GraphRoutes, TableRoutes>;

inline bool is_irregular(const Zone& zone) { return std::holds_alternative<TableRoutes>(zone); }

/// A zone with Valiant routes (routing.hpp).
template <class ZoneRoutes>
concept HasIntermediates = requires(const ZoneRoutes& routes) {
    routes.intermediate(Host{}, Host{});
};

/// The links of every route, all of the same bandwidth.
struct LinksOfKind {
    enum class Kind : std::uint8_t { all, limiters, backbone };
    Kind kind = Kind::all;
    Gap gap;
};

struct Routes {
    Zone zone;
    std::uint32_t links_in_L = 1;  // links of a route whose latency the profile's L includes
    Routing routing = Routing::minimal;
    Cabling cabling{};

    /// Returns the number of links of the route. TableRoutes must contain the pair.
    std::uint32_t links(HostNic from, HostNic to) const;
    /// Returns the latency beyond L: that of the route without the lowest `links_in_L` of its links' latencies, since L
    /// is measured between the nearest hosts. Limiters of SimGrid's clusters have no latency and do not count.
    Time extra_latency(HostNic from, HostNic to) const;
    /// Returns the latency of the links of a route that L includes.
    Time latency_in_L(HostNic from, HostNic to) const;
    /// Returns the highest `latency_in_L`: of all routes in a table; in other networks, of the routes from the first
    /// host.
    Time longest_latency_in_L(std::uint32_t hosts) const;

    /// Returns the link of the route with the lowest bandwidth, FATPIPE links included; the first one of several.
    /// Returns nothing for a route without links.
    std::optional<LinkId> slowest_link(HostNic from, HostNic to) const;
    /// Returns the slowest links of a network whose routes all have the same lowest bandwidth; nothing if the lowest
    /// bandwidths may differ.
    std::optional<LinksOfKind> slowest_of_every_route() const;

    /// Returns the number of links; the links that `append_links` returns have lower numbers.
    std::uint32_t link_count() const;
    /// Appends the links of the route that messages wait for, in order; the hosts must differ. TableRoutes must contain
    /// the pair.
    void append_links(HostNic from, HostNic to, std::vector<LinkId>& links) const;
    /// Appends the links of the Valiant route and returns its additional length; nothing if the pair has no such route.
    std::optional<Detour> append_detour(HostNic from, HostNic to, std::vector<LinkId>& links) const;
    /// Returns the time per byte of a link: the inverse of its bandwidth.
    Gap gap(LinkId link) const;
    /// Returns the latency of a link if the links of the platform may differ in latency; otherwise nothing.
    std::optional<Time> own_latency(LinkId link) const;
    /// Multiplies the times per byte of all links.
    void scale_gaps(double factor);
    /// Multiplies the latencies of all links; each is rounded to the nearest picosecond.
    void scale_latencies(double factor);

private:
    /// Renumbers the links from `first` on, which are those of one plane, as links of the plane of the NIC.
    void choose_plane(std::uint32_t nic, std::size_t first, std::vector<LinkId>& links) const;
};

/// Returns the name of a link in reports: the ends that it joins, since users do not see link numbers. Examples are
/// "(3, 0, 1) to (4, 0, 1)" of a torus, "host 5 up" of a star, "level 1 switch 3, port 2 up" of a fat tree; for stored
/// routes, the platform's name. If each NIC has a cable, the name is "host 5 NIC 2 up", or with rails "plane 2, host 5
/// up". `append_links` must be able to return the link.
std::string link_name(const Routes& routes, LinkId link);

}  // namespace warpfront::machine
