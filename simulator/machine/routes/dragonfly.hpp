// Dragonflies with SimGrid's minimal routes, computed instead of stored.
//
// Vocabulary (Cray Cascade: Faanes et al. 2012; the details are those of SimGrid 3.32's DragonflyZone). A blade is a
// router with `nodes` hosts on local links. Green links join every two blades of a chassis, black links every two
// blades of one number in the chassis of a group, blue links every two groups: in group a, blade b of chassis 0 has the
// one to group b. So there are at most as many groups as a chassis has blades (or one).
//
// A route leads from its host to its blade; to another group, over a green link to the blade with that group's number,
// a black link to chassis 0, and the blue link; then over a green link to the blade number of the destination, a black
// link to its chassis, and to the host. A step without effect is omitted. After the last green link SimGrid continues
// as if the route were in chassis 0: within a group it takes the black link from there, or none. Routes of platforms
// that SimGrid reads do the same (`forgets_chassis`); routes of a `topology` continue from their chassis.
//
// If there are limiters, a route crosses the limiter of each host and of each blade that it leaves over a link: before
// that link, or, for the blue link, after it.
//
// Links: local links host by host; green ones blade by blade to each blade of its chassis; black ones blade by blade to
// each chassis; blue ones group by group to each group; then limiters, hosts before blades. If up and down are separate
// links, a host has two, up first. Other links are numbered by direction; if both directions share a link, it has the
// number from the lower to the higher end. Numbers of links from a blade, chassis or group to itself are unused.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/machine/routes/link.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct DragonflyRoutes {
    std::uint32_t groups = 1;
    std::uint32_t chassis = 1;  // per group
    std::uint32_t blades = 1;   // per chassis
    std::uint32_t nodes = 1;    // per blade
    Time link_latency{};
    Gap local{};
    Gap green{};
    Gap black{};
    Gap blue{};
    bool duplex = true;            // the two directions do not share a link
    std::optional<Gap> limiter{};  // of every host and blade
    bool forgets_chassis = true;   // as SimGrid does

    std::uint64_t hosts() const { return std::uint64_t{blades_in_all()} * nodes; }
    std::uint32_t blades_in_all() const { return groups * chassis * blades; }
    std::uint32_t links(Host from, Host to) const;
    Time latency(Host from, Host to) const;
    std::uint64_t link_count() const;
    void append_links(Host from, Host to, std::vector<LinkId>& links) const;
    Gap gap(LinkId link) const;
    friend bool operator==(const DragonflyRoutes&, const DragonflyRoutes&) = default;
};

}  // namespace warpfront::machine
