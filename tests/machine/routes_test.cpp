#include <doctest/doctest.h>

#include "simulator/machine/routes/routes.hpp"
#include "tests/machine/route_links.hpp"

namespace warpfront::machine {

namespace {

Routes torus(std::uint32_t links_in_L) { return {TorusRoutes{{4, 3, 2}, Time{50'000}}, links_in_L}; }

}  // namespace

TEST_CASE("a torus route crosses the shorter direction of each dimension") {
    const Routes routes = torus(1);
    // host = x + 4 y + 12 z
    CHECK(routes.links(Host{0}, Host{1}) == 1);
    CHECK(routes.links(Host{0}, Host{3}) == 1);  // x: 0 -> 3 is one step backwards
    CHECK(routes.links(Host{0}, Host{2}) == 2);
    CHECK(routes.links(Host{0}, Host{8}) == 1);   // y: 0 -> 2 is one step backwards
    CHECK(routes.links(Host{0}, Host{22}) == 4);  // 22 = 2 + 4*2 + 12*1: 2 + 1 + 1
    CHECK(routes.links(Host{22}, Host{0}) == 4);
    CHECK(routes.links(Host{5}, Host{5}) == 0);
}

TEST_CASE("latency beyond L counts only links that L does not cover") {
    CHECK(torus(1).extra_latency(Host{0}, Host{1}) == Time{0});
    CHECK(torus(1).extra_latency(Host{0}, Host{22}) == Time{3 * 50'000});
    CHECK(torus(0).extra_latency(Host{0}, Host{22}) == Time{4 * 50'000});
    CHECK(torus(9).extra_latency(Host{0}, Host{22}) == Time{0});
}

TEST_CASE("all routes of a star are alike") {
    const Routes routes{StarRoutes{3, Time{100}}, 1};
    CHECK(routes.links(Host{0}, Host{6}) == 3);
    CHECK(routes.extra_latency(Host{0}, Host{6}) == Time{66});  // 100 * (3 - 1) / 3 = 66.67, rounded down
}

TEST_CASE("a table distinguishes a pair from its reverse") {
    TableRoutes table;
    table.add(Host{1}, Host{2}, {.latency = Time{1000}, .links = 4});
    table.add(Host{2}, Host{1}, {.latency = Time{500}, .links = 2});
    const Routes routes{table, 1};
    CHECK(routes.links(Host{1}, Host{2}) == 4);
    CHECK(routes.extra_latency(Host{1}, Host{2}) == Time{750});  // 1000 * 3/4
    CHECK(routes.extra_latency(Host{2}, Host{1}) == Time{250});  // 500 * 1/2
}

TEST_CASE("a share of the longest latency does not overflow") {
    const Routes routes{StarRoutes{1000, kLongestCost}, 500};
    CHECK(routes.extra_latency(Host{0}, Host{1}) == Time{kLongestCost.ps / 2});
}

TEST_CASE("a torus has two links per host and dimension") { CHECK(torus(1).link_count() == 24 * 2 * 3); }

TEST_CASE("a torus route takes the links of one dimension after another, each of the host it leaves") {
    // link = node * 6 + 2 * dimension + direction; host = x + 4 y + 12 z
    CHECK(route_links(torus(1), Host{0}, Host{1}) == std::vector<LinkId>{{0 * 6 + 0}});
    CHECK(route_links(torus(1), Host{0}, Host{3}) == std::vector<LinkId>{{0 * 6 + 1}});
    // 0 -> 1 -> 2 upwards along x, down along y from (2, 0) to (2, 2), up along z
    CHECK(route_links(torus(1), Host{0}, Host{22}) ==
          std::vector<LinkId>{{0 * 6 + 0}, {1 * 6 + 0}, {2 * 6 + 3}, {10 * 6 + 4}});
}

TEST_CASE("if both directions of a torus are equally long, a route goes up, but down to coordinate 0") {
    CHECK(route_links(torus(1), Host{1}, Host{3}) == std::vector<LinkId>{{1 * 6 + 0}, {2 * 6 + 0}});
    CHECK(route_links(torus(1), Host{3}, Host{1}) == std::vector<LinkId>{{3 * 6 + 0}, {0 * 6 + 0}});  // over the seam
    CHECK(route_links(torus(1), Host{2}, Host{0}) == std::vector<LinkId>{{2 * 6 + 1}, {1 * 6 + 1}});
}

TEST_CASE("if both directions of a torus share their links, a route down takes the links up") {
    const Routes routes{TorusRoutes{{4}, Time{50'000}, Gap{1e-9}, false}, 1};
    CHECK(route_links(routes, Host{2}, Host{0}) == std::vector<LinkId>{{1 * 2}, {0 * 2}});
    CHECK(route_links(routes, Host{0}, Host{3}) == std::vector<LinkId>{{3 * 2}});
}

TEST_CASE("links are appended to existing ones") {
    std::vector<LinkId> links{{7}};
    torus(1).append_links(Host{0}, Host{1}, links);
    CHECK(links == std::vector<LinkId>{{7}, {0}});
}

TEST_CASE("a star route is a link up and a link down") {
    const Routes routes{StarRoutes{.links_per_route = 2, .hosts = 5, .link_gap = Gap{1e-9}}, 2};
    CHECK(routes.link_count() == 10);
    CHECK(route_links(routes, Host{1}, Host{3}) == std::vector<LinkId>{{2 * 1}, {2 * 3 + 1}});
    CHECK(route_links(routes, Host{3}, Host{1}) == std::vector<LinkId>{{2 * 3}, {2 * 1 + 1}});
}

TEST_CASE("a star may have a limiter per host and a backbone for all") {
    const Routes routes{
        StarRoutes{
            .links_per_route = 5, .hosts = 5, .link_gap = Gap{1e-9}, .limiter = Gap{2e-9}, .backbone = Gap{3e-9}},
        2};
    CHECK(routes.link_count() == 3 * 5 + 1);
    const std::vector<LinkId> links = route_links(routes, Host{1}, Host{3});
    CHECK(links == std::vector<LinkId>{{3 * 1 + 2}, {3 * 1}, {15}, {3 * 3 + 1}, {3 * 3 + 2}});
    const std::vector<double> gaps{2e-9, 1e-9, 3e-9, 1e-9, 2e-9};
    for (std::size_t k = 0; k < links.size(); ++k) CHECK(routes.gap(links[k]) == Gap{gaps[k]});
}

TEST_CASE("a table has the links of each pair, and each link's gap") {
    TableRoutes table;
    table.contended = {{0}, {1}, {1}};
    table.gaps = {Gap{1e-9}, Gap{2e-9}};
    table.add(Host{0}, Host{2}, {.latency = Time{1000}, .links = 3, .contended = 2, .first = 0});
    table.add(Host{1}, Host{2}, {.latency = Time{1000}, .links = 1, .contended = 1, .first = 2});
    const Routes routes{table, 1};
    CHECK(routes.link_count() == 2);
    CHECK(route_links(routes, Host{0}, Host{2}) == std::vector<LinkId>{{0}, {1}});
    CHECK(route_links(routes, Host{1}, Host{2}) == std::vector<LinkId>{{1}});
    CHECK(routes.gap(LinkId{1}) == Gap{2e-9});
}

}  // namespace warpfront::machine
