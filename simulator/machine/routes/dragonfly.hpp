// Dragonflies with SimGrid's minimal routes, computed instead of stored.
//
// Vocabulary (Cray Cascade: Faanes et al. 2012; the details are those of SimGrid 3.32's DragonflyZone). A blade is a
// router with `nodes` hosts on local links. Green links join every two blades of a chassis, black links every two
// blades of one number in the chassis of a group, blue links every two groups: in group a, blade b of chassis 0 has the
// one to group b. So there are at most as many groups as a chassis has blades (or one).
//
// A route goes from its host to its blade; to another group, by a green link to the blade of that group's number, by a
// black one to chassis 0, and by the blue one; then by a green link to the blade number of the destination, by a black
// one to its chassis, and to the host. Steps that lead nowhere else are left out. After the last green link SimGrid
// goes on as if it were in chassis 0: within a group it then takes the black link from there, or none. So do routes of
// platforms that SimGrid reads (`forgets_chassis`); those generated here go on from where they are.
//
// Where there are limiters, each host and each blade that the route leaves by a link has its own crossed once: before
// that link, but the blue link's after it.
//
// Links: local links host by host; green ones blade by blade to each blade of its chassis; black ones blade by blade to
// each chassis; blue ones group by group to each group; then limiters, hosts before blades. Where up and down do not
// share a link, those to and from a host are two, up first. Others have the number of the way they are crossed, or,
// where shared, that from the lower to the higher. Numbers that would lead from a thing to itself are never used.
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
    std::uint32_t links(Node from, Node to) const;
    Time latency(Node from, Node to) const;
    std::uint64_t link_count() const;
    void append_links(Node from, Node to, std::vector<LinkId>& links) const;
    Gap gap(LinkId link) const;
    friend bool operator==(const DragonflyRoutes&, const DragonflyRoutes&) = default;
};

}  // namespace warpfront::machine
