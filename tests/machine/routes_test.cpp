#include <doctest/doctest.h>

#include "simulator/machine/routes.hpp"

namespace warpfront::machine {

namespace {

Routes torus(std::uint32_t links_in_L) {
    return {TorusRoutes{{4, 3, 2}, Time{50'000}}, links_in_L};
}

}  // namespace

TEST_CASE("a torus route crosses the shorter way round of each dimension") {
    const Routes routes = torus(1);
    // host = x + 4 y + 12 z
    CHECK(routes.links(Node{0}, Node{1}) == 1);
    CHECK(routes.links(Node{0}, Node{3}) == 1);   // x: 0 -> 3 is one step backwards
    CHECK(routes.links(Node{0}, Node{2}) == 2);
    CHECK(routes.links(Node{0}, Node{8}) == 1);   // y: 0 -> 2 is one step backwards
    CHECK(routes.links(Node{0}, Node{22}) == 4);  // 22 = 2 + 4*2 + 12*1: 2 + 1 + 1
    CHECK(routes.links(Node{22}, Node{0}) == 4);
    CHECK(routes.links(Node{5}, Node{5}) == 0);
}

TEST_CASE("latency beyond L counts only links that L does not cover") {
    CHECK(torus(1).beyond_L(Node{0}, Node{1}) == Time{0});
    CHECK(torus(1).beyond_L(Node{0}, Node{22}) == Time{3 * 50'000});
    CHECK(torus(0).beyond_L(Node{0}, Node{22}) == Time{4 * 50'000});
    CHECK(torus(9).beyond_L(Node{0}, Node{22}) == Time{0});
}

TEST_CASE("all routes of a star are alike") {
    const Routes routes{StarRoutes{3, Time{100}}, 1};
    CHECK(routes.links(Node{0}, Node{6}) == 3);
    CHECK(routes.beyond_L(Node{0}, Node{6}) == Time{66});  // 100 * (3 - 1) / 3 = 66.67, rounded down
}

TEST_CASE("a table tells a pair from its reverse") {
    TableRoutes table;
    table.add(Node{1}, Node{2}, {Time{1000}, 4});
    table.add(Node{2}, Node{1}, {Time{500}, 2});
    const Routes routes{table, 1};
    CHECK(routes.links(Node{1}, Node{2}) == 4);
    CHECK(routes.beyond_L(Node{1}, Node{2}) == Time{750});  // 1000 * 3/4
    CHECK(routes.beyond_L(Node{2}, Node{1}) == Time{250});  // 500 * 1/2
}

TEST_CASE("a share of the longest latency does not overflow") {
    const Routes routes{StarRoutes{1000, kLongestCost}, 500};
    CHECK(routes.beyond_L(Node{0}, Node{1}) == Time{kLongestCost.ps / 2});
}

}  // namespace warpfront::machine
