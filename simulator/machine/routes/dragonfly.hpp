// Dragonflies with minimal routes, computed instead of stored: SimGrid's, and those with several global links per
// router.
//
// Vocabulary (Cray Cascade: Faanes et al. 2012; the details are those of SimGrid 3.32's DragonflyZone). A blade is a
// router with `nodes` hosts on local links. Green links join every two blades of a chassis, black links every two
// blades of one number in the chassis of a group. Blue links join groups. In SimGrid every two groups have one blue
// link: in group a, blade b of chassis 0 has the link to group b. So there are at most as many groups as a chassis has
// blades (or one group). With `global` ports per router the blue links are those of GlobalLinks, whose routers are the
// blades of a group, chassis by chassis.
//
// A route leads from its host to its blade; to another group, over a green and a black link to the blade with the blue
// link, and over that; then over a green link to the blade number of the destination, a black link to its chassis, and
// to the host. A step without effect is omitted. After the last green link SimGrid continues as if the route were in
// chassis 0: within a group it takes the black link from there, or none. Routes of platforms that SimGrid reads do the
// same (`forgets_chassis`); routes of a `topology` continue from their chassis.
//
// The intermediate of a Valiant route (routing.hpp) is a blade. For hosts of two groups, it is a blade of a third group
// that a blue link from the source's group enters. For hosts of one group, it is a blade other than those of the two
// hosts. So a Valiant route between groups takes two blue links and, for one chassis, at most three green ones (Kim,
// Dally, Scott & Abts 2008, "Technology-driven, highly-scalable dragonfly topology"). Hosts of one blade have no
// intermediate.
//
// If there are limiters, a route crosses the limiter of each host and of each blade that it leaves over a link: before
// that link, or, for the blue link, after it.
//
// Links: local links host by host; green ones blade by blade to each blade of its chassis; black ones blade by blade to
// each chassis; blue ones group by group to each group, with `global` by the port they leave; then limiters, hosts
// before blades. If up and down are separate links, a host has two, up first. Other links are numbered by direction; if
// both directions share a link, it has the number from the lower to the higher end. No link has the number of a link
// from a blade, chassis or group to itself, or that of an unused port. With `global`, directions are always separate.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/machine/routes/routing.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// The global links of a dragonfly by rule: the destination port of each port of a group. A group has R routers with H
/// global ports each, P = R * H in all; port p is on router p / H. There are G groups, at most P + 1. Each ordered pair
/// of groups has K = P / (G - 1) links, rounded down. Ports are assigned to groups by increasing offset, K times
/// around:
///   port p of group a leads to group (a + 1 + p mod (G - 1)) mod G, for p < K (G - 1); later ports are unused.
/// So link k from a to b = (a + d) mod G leaves port k (G - 1) + d - 1 of a and enters port k (G - 1) + (G - d) - 1 of
/// b, which is also where link k from b to a leaves. This is the relative arrangement of Hastings et al. 2015
/// (CLUSTER), "Comparing global link arrangements for dragonfly networks", repeated K times. A route from router s to
/// router t of another group takes one of these K links: number t mod n of the n links on s; if there are none, number
/// s mod n of the n links that enter t; if there are none of these either, link t mod K. Routers are numbered within
/// their groups.
struct GlobalLinks {
    std::uint32_t groups = 1;
    std::uint32_t routers = 1;     // routers of a group
    std::uint32_t per_router = 0;  // global ports

    std::uint64_t ports() const { return std::uint64_t{routers} * per_router; }
    /// Returns the number of links of an ordered pair of groups.
    std::uint32_t parallel() const { return groups < 2 ? 0 : static_cast<std::uint32_t>(ports() / (groups - 1)); }
    /// Returns the group to which a port in use leads.
    std::uint32_t target(std::uint32_t group, std::uint32_t port) const {
        return static_cast<std::uint32_t>((std::uint64_t{group} + 1 + port % (groups - 1)) % groups);
    }
    /// Returns the port that link `k` leaves in group `from`; with exchanged groups, the one that it enters.
    std::uint32_t port(std::uint32_t from, std::uint32_t to, std::uint32_t k) const {
        return k * (groups - 1) + offset(from, to) - 1;
    }
    std::uint32_t router(std::uint32_t port) const { return port / per_router; }
    /// Returns the link that a route from router `at` of group `from` to router `end` of group `to` takes.
    std::uint32_t choose(std::uint32_t from, std::uint32_t at, std::uint32_t to, std::uint32_t end) const;

private:
    std::uint32_t offset(std::uint32_t from, std::uint32_t to) const {
        return to > from ? to - from : groups - (from - to);
    }
    /// The links from `from` to `to` that leave by a port of this router.
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
    std::uint32_t global = 0;   // global ports of a blade; 0: one blue link between two groups, as in SimGrid
    Time link_latency{};
    Gap local{};
    Gap green{};
    Gap black{};
    Gap blue{};
    bool duplex = true;            // true if the two directions do not share a link
    std::optional<Gap> limiter{};  // time per byte of the limiter of every host and blade
    bool forgets_chassis = true;   // true if routes continue as if in chassis 0, as in SimGrid

    std::uint64_t hosts() const { return std::uint64_t{blades_in_all()} * nodes; }
    std::uint32_t blades_in_all() const { return groups * blades_of_group(); }
    std::uint32_t blades_of_group() const { return chassis * blades; }
    /// Returns the rule of the global links, if `global` is not 0.
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

    /// Returns the blade over which a Valiant route leads, by its number among all blades; nothing if there is none.
    std::optional<std::uint32_t> intermediate(Host from, Host to) const;
    std::uint32_t links_over(std::uint32_t blade, Host from, Host to) const;
    void append_links_over(std::uint32_t blade, Host from, Host to, std::vector<LinkId>& links) const;
    friend bool operator==(const DragonflyRoutes&, const DragonflyRoutes&) = default;
};

}  // namespace warpfront::machine
