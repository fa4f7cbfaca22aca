#include <doctest/doctest.h>

#include "simulator/machine/routes/routes.hpp"

namespace warpfront::machine {

namespace {

/// The links of a route by their names.
std::vector<std::string> named(const Zone& zone, std::uint32_t from, std::uint32_t to) {
    const Routes routes{zone, 0};
    std::vector<LinkId> links;
    routes.append_links(Host{from}, Host{to}, links);
    std::vector<std::string> names;
    for (const LinkId link : links) names.push_back(link_name(routes, link));
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a torus' links are named by the coordinates they join") {
    TorusRoutes torus{{4, 3}};
    CHECK(named(torus, 0, 7) == Names{"(0, 0) to (3, 0)", "(3, 0) to (3, 1)"});
    torus.duplex = false;
    torus.limiter = Gap{1e-9};
    CHECK(named(torus, 0, 3) == Names{"limiter of (0, 0)", "(3, 0) and (0, 0)", "limiter of (3, 0)"});
}

TEST_CASE("a switch's links are named by their hosts") {
    StarRoutes star{.hosts = 5, .limiter = Gap{1e-9}, .backbone = Gap{1e-9}};
    CHECK(named(star, 1, 3) == Names{"limiter of host 1", "host 1 up", "backbone", "host 3 down", "limiter of host 3"});
    star.duplex = false;
    star.limiter.reset();
    CHECK(named(star, 1, 3) == Names{"host 1", "backbone", "host 3"});
}

TEST_CASE("a fat tree's links are named by the lower end's port") {
    FatTreeRoutes tree{{4, 4}, {1, 2}, {1, 1}};
    CHECK(named(tree, 0, 5) == Names{"host 0, port 0 up", "level 1 switch 0, port 1 up",
                                     "level 1 switch 1, port 1 down", "host 5, port 0 down"});
    tree.limiter = Gap{1e-9};
    CHECK(named(tree, 0, 1) == Names{"limiter of level 0 node 0", "host 0, port 0 up", "host 1, port 0 down",
                                     "limiter of level 1 node 0", "limiter of level 0 node 1"});
}

TEST_CASE("a dragonfly's links are named by their colour") {
    // blades are (number, chassis, group)
    const DragonflyRoutes dragonfly{.groups = 3, .chassis = 2, .blades = 3, .nodes = 1, .limiter = Gap{1e-9}};
    CHECK(named(dragonfly, 5, 6) ==
          Names{"limiter of host 5", "host 5 up", "limiter of blade (2, 1, 0)", "green, blade (2, 1, 0) to blade 1",
                "limiter of blade (1, 1, 0)", "black, blade (1, 1, 0) to chassis 0", "blue, group 0 to group 1",
                "limiter of blade (1, 0, 0)", "limiter of blade (0, 0, 1)", "host 6 down", "limiter of host 6"});
}

TEST_CASE("a dragonfly's global link is named by the port that it leaves") {
    // four ports per group: from group 0, port 2, the first of blade 1, leads to group 3
    const DragonflyRoutes dragonfly{.groups = 5, .chassis = 1, .blades = 2, .nodes = 1, .global = 2};
    CHECK(named(dragonfly, 0, 6) == Names{"host 0 up", "green, blade (0, 0, 0) to blade 1",
                                          "blue, blade (1, 0, 0) port 0 to group 3", "host 6 down"});
}

TEST_CASE("links of a hyperx and of a graph are named by the switches they join") {
    CHECK(named(HyperXRoutes{{3, 2}, 2}, 0, 11) ==
          Names{"host 0 up", "switch (0, 0) to (2, 0)", "switch (2, 0) to (2, 1)", "host 11 down"});
    GraphRoutes path{.graph = SwitchGraph(3, {{0, 1}, {1, 2}})};
    path.find_routes();
    CHECK(named(path, 0, 2) == Names{"host 0 up", "switch 0 to 1", "switch 1 to 2", "host 2 down"});
}

TEST_CASE("links of stored routes have the platform's names") {
    TableRoutes table;
    table.names = {"trunk"};
    CHECK(link_name(Routes{table}, {0}) == "trunk");
    CHECK(link_name(Routes{table}, {1}) == "link 1");
}

}  // namespace warpfront::machine
