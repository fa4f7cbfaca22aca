// Fat trees and dragonflies by hand; that they are SimGrid's is shown in simgrid_routes_test.cpp.
#include <doctest/doctest.h>

#include "simulator/machine/routes/routes.hpp"
#include "tests/machine/route_links.hpp"

namespace warpfront::machine {

namespace {

// 4 leaf switches of 4 hosts, each with 2 parents: 16 + 4 * 2 up ports, twice that many links
const FatTreeRoutes kTree{{4, 4}, {1, 2}, {1, 1}, Time{50'000}, Gap{1e-9}};
// 3 groups x 2 chassis x 3 blades x 1 host
const DragonflyRoutes kDragonfly{.groups = 3, .chassis = 2, .blades = 3, .nodes = 1, .link_latency = Time{50'000}};

}  // namespace

TEST_CASE("a fat tree's route goes up no further than it must") {
    const Routes routes{kTree, 0};
    CHECK(routes.links(Host{0}, Host{3}) == 2);
    CHECK(routes.links(Host{0}, Host{4}) == 4);
    CHECK(routes.extra_latency(Host{0}, Host{4}) == Time{4 * 50'000});
    CHECK(routes.link_count() == 48);
}

TEST_CASE("up a fat tree, the destination selects the port") {
    const Routes routes{kTree, 0};
    // up links are even: host 0's is 0; leaf 0's two are the up ports 16 and 17; to 4, 4 mod 2 = 0 picks the first
    CHECK(route_links(routes, Host{0}, Host{4}) ==
          std::vector<LinkId>{{2 * 0}, {2 * 16}, {2 * 18 + 1}, {2 * 4 + 1}});  // leaf 1's first port is 18
    CHECK(route_links(routes, Host{0}, Host{5}) == std::vector<LinkId>{{2 * 0}, {2 * 17}, {2 * 19 + 1}, {2 * 5 + 1}});
}

TEST_CASE("routes through a limited fat tree cross a limiter at every host and switch") {
    FatTreeRoutes limited = kTree;
    limited.limiter = Gap{2e-9};
    const Routes routes{limited, 0};
    CHECK(routes.links(Host{0}, Host{3}) == 2 + 3);
    CHECK(routes.link_count() == 48 + 16 + 4 + 2);
    // limiters: 16 of hosts from 48 on, then the leaves'
    CHECK(route_links(routes, Host{0}, Host{3}) == std::vector<LinkId>{{48 + 0}, {0}, {7}, {48 + 16}, {48 + 3}});
    CHECK(routes.gap(LinkId{48}) == Gap{2e-9});
    CHECK(routes.gap(LinkId{47}) == Gap{1e-9});
}

TEST_CASE("a dragonfly's route takes one blue link between groups") {
    const Routes routes{kDragonfly, 0};
    CHECK(routes.links(Host{0}, Host{1}) == 3);  // up, green, down
    CHECK(routes.links(Host{0}, Host{3}) == 3);  // up, black, down
    CHECK(routes.links(Host{0}, Host{6}) == 4);  // up, green to blade 1, blue, down at blade 0 of group 1
    // host 5 is blade 2 of chassis 1: green, black, blue, green, black, to blade 1 of chassis 1 in group 1
    CHECK(routes.links(Host{5}, Host{10}) == 2 + 5);
    CHECK(routes.extra_latency(Host{5}, Host{10}) == Time{7 * 50'000});
}

TEST_CASE("within a group SimGrid forgets the chassis after a green link, generated topologies do not") {
    // host 3 is blade 0 of chassis 1, host 1 blade 1 of chassis 0
    CHECK(Routes{kDragonfly, 0}.links(Host{3}, Host{1}) == 3);
    DragonflyRoutes own = kDragonfly;
    own.forgets_chassis = false;
    CHECK(Routes{own, 0}.links(Host{3}, Host{1}) == 4);
}

}  // namespace warpfront::machine
