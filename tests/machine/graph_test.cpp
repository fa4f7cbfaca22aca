// Routes through graphs and HyperX networks.
#include <doctest/doctest.h>

#include <set>

#include "simulator/machine/routes/routes.hpp"
#include "tests/machine/route_links.hpp"

namespace warpfront::machine {

namespace {

GraphRoutes routed(SwitchGraph graph, std::uint32_t hosts_each = 1) {
    GraphRoutes routes{.graph = std::move(graph), .hosts_each = hosts_each, .link_latency = Time{1000}};
    routes.find_routes();
    return routes;
}

}  // namespace

TEST_CASE("a route through a graph is a shortest path between two host links") {
    // a ring of six switches, two hosts on each: from switch 0 to 2 over 1
    const GraphRoutes ring = routed(SwitchGraph(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}}), 2);
    CHECK(ring.hosts() == 12);
    CHECK(ring.links(Host{0}, Host{1}) == 2);  // both on switch 0
    CHECK(ring.links(Host{0}, Host{4}) == 4);
    CHECK(ring.links(Host{0}, Host{7}) == 5);  // opposite switch: 3 + 2
    CHECK(ring.latency(Host{0}, Host{4}) == Time{4000});
    CHECK(ring.diameter == 3);
    CHECK(ring.link_count() == 2 * 12 + 2 * 6);
}

TEST_CASE("the number of the destination selects one of several nearest neighbours") {
    // s - m0, m1 - t, and t - u: s is switch 0, m0 1, m1 2, t 3, u 4
    const GraphRoutes routes = routed(SwitchGraph(5, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}}));
    // of m0 and m1 to t: 3 mod 2 = 1, so m1; to u: 4 mod 2 = 0, so m0
    // links: 10 of hosts, then s: m0 m1 (10, 11), m0: s t (12, 13), m1: s t (14, 15), t: m0 m1 u (16, 17, 18)
    CHECK(route_links(routes, Host{0}, Host{3}) == std::vector<LinkId>{{0}, {11}, {15}, {7}});
    CHECK(route_links(routes, Host{0}, Host{4}) == std::vector<LinkId>{{0}, {10}, {13}, {18}, {9}});
}

TEST_CASE("a random regular graph has its degree everywhere and is connected") {
    for (const auto& [switches, degree] : {std::pair{64U, 3U}, {200U, 8U}, {17U, 16U}, {9U, 4U}}) {
        const auto graph = random_regular(switches, degree, Seed{3});
        REQUIRE(graph);
        CHECK_FALSE(graph->unreachable());
        for (std::uint32_t at = 0; at < switches; ++at) {
            std::set<std::uint32_t> neighbours;
            for (std::uint32_t port = 0; port < graph->ports(at); ++port) {
                neighbours.insert(graph->neighbour(at, port));
            }
            CHECK(neighbours.size() == degree);
            CHECK_FALSE(neighbours.contains(at));
        }
    }
}

TEST_CASE("each seed determines another graph") {
    CHECK(random_regular(100, 4, Seed{1}) == random_regular(100, 4, Seed{1}));
    CHECK(random_regular(100, 4, Seed{1}) != random_regular(100, 4, Seed{2}));
}

TEST_CASE("a hyperx corrects one coordinate by each link") {
    // 3 x 2 switches of 2 hosts; links: 24 of hosts, then 3 + 2 per switch
    const HyperXRoutes routes{{3, 2}, 2, Time{1000}, Gap{1e-9}};
    CHECK(routes.hosts() == 12);
    CHECK(routes.links(Host{0}, Host{1}) == 2);
    CHECK(routes.links(Host{0}, Host{4}) == 3);   // switch 2: the first dimension alone
    CHECK(routes.links(Host{0}, Host{11}) == 4);  // switch 5: both
    // up, switch 0 to column 2, switch 2 to row 1, down to host 11
    CHECK(route_links(routes, Host{0}, Host{11}) ==
          std::vector<LinkId>{{0}, {24 + 0 * 5 + 2}, {24 + 2 * 5 + 3 + 1}, {23}});
    CHECK(routes.link_count() == 24 + 6 * 5);
}

}  // namespace warpfront::machine
