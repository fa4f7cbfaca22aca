// Dragonflies with minimal routes, which are computed and not stored. There are SimGrid's dragonflies, and those with
// several global links per router.
//
// Terms (Cray Cascade: Faanes et al. 2012; the details are those of SimGrid 3.32's DragonflyZone). A blade is a router
// with `nodes` hosts on local links. Green links join every two blades of a chassis. Black links join every two blades
// with the same number in the chassis of a group. Blue links join groups. In SimGrid every two groups have one blue
// link: in group a, blade b of chassis 0 has the link to group b. So there are at most as many groups as a chassis has
// blades (or one group). With `global` ports per router the blue links are those of GlobalLinks. Its routers are the
// blades of a group, chassis by chassis.
//
// A route leads from its host to its blade. To another group, it takes a green and a black link to the blade with the
// blue link, and then the blue link. Then it takes a green link to the blade number of the destination, a black link to
// its chassis, and a link to the host. A step that changes nothing is omitted. After the last green link SimGrid
// continues as if the route were in chassis 0: within a group it takes the black link from there, or none. Routes of
// platforms that SimGrid reads do the same (`forgets_chassis`). Routes of a `topology` continue from their chassis.
//
// The intermediate of a Valiant route (routing.hpp) is a blade. For hosts in two groups, it is a blade of a third group
// that a blue link from the source's group enters. For hosts in one group, it is a blade other than those of the two
// hosts. So a Valiant route between groups takes two blue links and, with one chassis per group, at most three green
// links (Kim, Dally, Scott & Abts 2008, "Technology-driven, highly-scalable dragonfly topology"). Hosts of one blade
// have no intermediate.
//
// If there are limiters, a route crosses the limiter of each host and of each blade that it leaves. It crosses the
// limiter before the link by which it leaves, but after a blue link.
//
// Numbers of links: first the local links host by host; then the green links, blade by blade to each blade of its
// chassis; then the black links, blade by blade to each chassis; then the blue links, group by group to each group, or
// by port with `global`; then the limiters, hosts before blades. If up and down are separate links, a host has two
// links, up first. Other links are numbered by direction. If both directions share a link, it has the number from the
// lower to the higher end. Numbers from a blade, chassis or group to itself, or of an unused port, are not used. With
// `global`, directions are always separate.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/machine/routes/routing.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// The global links of a dragonfly by rule: where each port of a group leads. A group has R routers with H global ports
/// each, P = R * H in all. Port p is on router p / H. There are G groups, at most P + 1. Each ordered pair of groups
/// has K = P / (G - 1) links, rounded down. Ports are assigned to groups by increasing offset, K times around:
///   port p of group a leads to group (a + 1 + p mod (G - 1)) mod G, for p < K (G - 1); later ports are unused.
/// Link k from a to b = (a + d) mod G leaves port k (G - 1) + d - 1 of a. It enters port k (G - 1) + (G - d) - 1 of b,
/// from which link k from b to a leaves. This is the relative arrangement of Hastings et al. 2015 (CLUSTER), "Comparing
/// global link arrangements for dragonfly networks", repeated K times.
///
/// A route from router s to router t of another group takes one of these K links. If n links leave s, it is number t
/// mod n of them. Otherwise, if n links enter t, it is number s mod n of them. Otherwise it is link t mod K. Routers
/// are numbered within their groups.
struct GlobalLinks {
    std::uint32_t groups = 1;
    std::uint32_t routers = 1;     // number of routers in a group
    std::uint32_t per_router = 0;  // number of global ports of a router

    std::uint64_t ports() const { return std::uint64_t{routers} * per_router; }
    /// Returns the number of links from one group to another.
    std::uint32_t parallel() const { return groups < 2 ? 0 : static_cast<std::uint32_t>(ports() / (groups - 1)); }
    /// Returns the group to which a port leads. The port must be in use.
    std::uint32_t target(std::uint32_t group, std::uint32_t port) const {
        return static_cast<std::uint32_t>((std::uint64_t{group} + 1 + port % (groups - 1)) % groups);
    }
    /// Returns the port from which link `k` leaves group `from`. With exchanged groups this is the port that the link
    /// enters.
    std::uint32_t port(std::uint32_t from, std::uint32_t to, std::uint32_t k) const {
        return k * (groups - 1) + offset(from, to) - 1;
    }
    std::uint32_t router(std::uint32_t port) const { return port / per_router; }
    /// Returns the link for a route from router `at` of group `from` to router `end` of group `to`.
    std::uint32_t choose(std::uint32_t from, std::uint32_t at, std::uint32_t to, std::uint32_t end) const;

private:
    std::uint32_t offset(std::uint32_t from, std::uint32_t to) const {
        return to > from ? to - from : groups - (from - to);
    }
    /// The links from `from` to `to` that leave from a router, as consecutive numbers.
    struct Range {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };
    Range on_router(std::uint32_t from, std::uint32_t to, std::uint32_t router) const;
};

struct DragonflyRoutes {
    static constexpr bool kHasNicCables = true;
    std::uint32_t groups = 1;
    std::uint32_t chassis = 1;  // chassis of a group
    std::uint32_t blades = 1;   // blades of a chassis
    std::uint32_t nodes = 1;    // hosts of a blade
    std::uint32_t global = 0;   // number of global ports of a blade; if 0, two groups have one blue link, as in SimGrid
    Time link_latency{};
    Gap local{};
    Gap green{};
    Gap black{};
    Gap blue{};
    bool duplex = true;            // true if the two directions are separate links
    std::optional<Gap> limiter{};  // time per byte of the limiter of every host and blade
    bool forgets_chassis = true;   // true if routes continue as if they were in chassis 0, as in SimGrid

    std::uint64_t hosts() const { return std::uint64_t{blades_in_all()} * nodes; }
    std::uint32_t blades_in_all() const { return groups * blades_of_group(); }
    std::uint32_t blades_of_group() const { return chassis * blades; }
    /// Returns the rule of the global links. Requires that `global` is not 0.
    GlobalLinks global_links() const { return {groups, blades_of_group(), global}; }
    /// Returns the number of blue links per group.
    std::uint64_t blue_per_group() const { return global == 0 ? groups : global_links().ports(); }
    /// Returns the number of blue links from one group to another.
    std::uint32_t blue_per_pair() const { return global == 0 ? 1 : global_links().parallel(); }
    std::uint32_t links(Host from, Host to) const;
    Time latency(Host from, Host to) const;
    std::uint64_t link_count() const;
    void append_links(Host from, Host to, std::vector<LinkId>& links) const;
    Gap gap(LinkId link) const;

    /// Returns the intermediate blade of a Valiant route, as its number among all blades. Returns nothing if there is
    /// none.
    std::optional<std::uint32_t> intermediate(Host from, Host to) const;
    std::uint32_t links_over(std::uint32_t blade, Host from, Host to) const;
    void append_links_over(std::uint32_t blade, Host from, Host to, std::vector<LinkId>& links) const;
    friend bool operator==(const DragonflyRoutes&, const DragonflyRoutes&) = default;
};

}  // namespace warpfront::machine
