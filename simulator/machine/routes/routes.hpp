// Routes between hosts. A route has links, which messages share, and the latency of those links that the LogGP latency
// L does not include (L is measured between neighbours). Routes of regular zones are computed and not stored. In other
// platforms, a table contains the routes of the pairs that were requested when the machine was built. Both have the
// same links as SimGrid's routes.
//
// If routing is not minimal (routing.hpp), a route is the Valiant route of its pair. If routing is adaptive, the route
// is the minimal one, but each message may take the Valiant route instead. Zones with such routing have no limiters.
//
// Invariant (checked when a machine is built): the latency of the longest route is at most `kLongestCost`.
//
// A route leads from a NIC of one host to a NIC of another host (Cabling). A zone routes between ends. Its ends are the
// hosts, or all NICs host by host if each NIC has its own cable in one plane.
//
// Hosts are numbered as in units/ids.hpp. In a torus the first dimension is the fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
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

/// The cables between the network interfaces (NICs) of a host and its switch, in a network by rule.
///   per_nic   One plane. Each NIC has its own cable to the host's switch. So the network has an end for every NIC,
///             number host * cables + NIC, and routes from end to end. A message leaves by the sender's NIC and enters
///             by the receiver's
///   rails     A plane for each NIC. Each plane is a copy of the network, with NIC k of every host in plane k. No link
///             joins two planes. So a message enters the receiving node by the NIC in the sender's plane, even if the
///             receiver has another NIC. Link `l` of plane k has the number l * cables + k
///   shared    All NICs of a host share one cable
/// The hosts of a torus are its routers and have no cables.
enum class NicCabling : std::uint8_t { per_nic, rails, shared };

/// A cable of a host: that of one NIC, or number 0 for the cable that all NICs share.
struct HostNic {
    Host host;
    std::uint32_t nic = 0;
    constexpr HostNic(Host of_host, std::uint32_t number = 0) : host(of_host), nic(number) {}
};

struct Cabling {
    std::uint32_t cables = 1;  // number of cables of a host: one, or one for each NIC
    bool rails = false;        // true if each cable is in its own plane

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

/// A network. Either its routes follow from a rule, or it is an irregular platform, whose routes are found pair by pair
/// and stored. A platform is irregular unless it is a single regular cluster. HyperX and graphs are only described by
/// the `topology` of a hardware file (loading/interconnect.hpp). `kHasNicCables` is true if each NIC of a host may have
/// its own cable.
using Zone =
    std::variant<TorusRoutes, StarRoutes, FatTreeRoutes, DragonflyRoutes, HyperXRoutes, GraphRoutes, TableRoutes>;

inline bool is_irregular(const Zone& zone) { return std::holds_alternative<TableRoutes>(zone); }

/// A zone that has Valiant routes (routing.hpp).
template <class ZoneRoutes>
concept HasIntermediates = requires(const ZoneRoutes& routes) {
    routes.intermediate(Host{}, Host{});
};

/// Links of which every route has one, all with the same bandwidth.
struct LinksOfKind {
    enum class Kind : std::uint8_t { all, limiters, backbone };
    Kind kind = Kind::all;
    Gap gap;
};

struct Routes {
    Zone zone;
    std::uint32_t links_in_L = 1;  // number of links of a route whose latency the profile's L includes
    Routing routing = Routing::minimal;
    Cabling cabling{};

    /// Returns the number of links of a route. TableRoutes must contain the pair.
    std::uint32_t links(HostNic from, HostNic to) const;
    /// Returns the latency of a route without its `links_in_L` links of lowest latency. L includes their latency, since
    /// it is measured between the nearest hosts. Limiters of SimGrid's clusters have no latency and do not count.
    Time extra_latency(HostNic from, HostNic to) const;
    /// Sets the extra latency of all routes to zero, as if L included all their links.
    void drop_extra_latency() { links_in_L = std::numeric_limits<std::uint32_t>::max(); }
    /// Returns the part of a route's latency that L includes.
    Time latency_in_L(HostNic from, HostNic to) const;
    /// Returns the highest `latency_in_L` of all routes in a table. In other networks, only the routes from the first
    /// host are compared.
    Time longest_latency_in_L(std::uint32_t hosts) const;

    /// Returns the first link with the lowest bandwidth on the route, including FATPIPE links. Returns nothing for a
    /// route without links.
    std::optional<LinkId> slowest_link(HostNic from, HostNic to) const;
    /// Returns the slowest links of a network in which all routes have the same lowest bandwidth. Returns nothing if
    /// the lowest bandwidths may differ.
    std::optional<LinksOfKind> slowest_of_every_route() const;

    /// Returns the number of links. Links that `append_links` returns have lower numbers.
    std::uint32_t link_count() const;
    /// Appends, in order, the links of the route for which messages wait. The hosts must differ. TableRoutes must
    /// contain the pair.
    void append_links(HostNic from, HostNic to, std::vector<LinkId>& links) const;
    /// Appends the links of the Valiant route and returns how much longer it is. Returns nothing if the pair has no
    /// Valiant route.
    std::optional<Detour> append_detour(HostNic from, HostNic to, std::vector<LinkId>& links) const;
    /// Returns the time per byte of a link: the inverse of its bandwidth.
    Gap gap(LinkId link) const;
    /// Returns the latency of a link. Returns nothing if all links of the network have the same latency.
    std::optional<Time> own_latency(LinkId link) const;
    /// Multiplies the times per byte of all links.
    void scale_gaps(double factor);
    /// Multiplies the latencies of all links and rounds each to the nearest picosecond.
    void scale_latencies(double factor);

private:
    /// Renumbers the links from index `first` on, from one plane to that of the NIC.
    void choose_plane(std::uint32_t nic, std::size_t first, std::vector<LinkId>& links) const;
};

/// Returns the name of a link for users: the ends that it joins. Examples are "(3, 0, 1) to (4, 0, 1)" of a torus,
/// "host 5 up" of a star, "level 1 switch 3, port 2 up" of a fat tree. Stored routes have the names of the platform. If
/// each NIC has a cable, the name is "host 5 NIC 2 up", or with rails "plane 2, host 5 up". The link must occur in a
/// route.
std::string link_name(const Routes& routes, LinkId link);

}  // namespace warpfront::machine
