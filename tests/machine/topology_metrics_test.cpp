// Links, diameters and bisections, worked out by hand.
#include "simulator/machine/topology_metrics.hpp"
#include "tests/approx.hpp"

namespace warpfront::machine {

namespace {

using Kind = Bisection::Kind;
constexpr Gap kGap{1e-9};  // 1 GB/s

TopologyMetrics of(Zone zone) {
    Machine machine;
    machine.routes.zone = std::move(zone);
    return topology_metrics(machine);
}
double gigabytes(const TopologyMetrics& topology_metrics) {
    return topology_metrics.bisection.value().bandwidth.bytes_per_second / 1e9;
}

}  // namespace

TEST_CASE("a torus is cut across its longest dimension, twice, of two nodes once") {
    const TopologyMetrics even = of(TorusRoutes{{4, 6, 8}, Time{1000}, kGap});
    CHECK(even.shape == "torus 4 x 6 x 8");
    CHECK(even.links == 192 * 3 * 2);
    CHECK(even.diameter == 2 + 3 + 4);
    CHECK(even.bisection->kind == Kind::exact);
    CHECK(gigabytes(even) == warpfront::test::approx(2 * 4 * 6));
    const TopologyMetrics odd = of(TorusRoutes{{4, 5}, Time{1000}, kGap, false});
    CHECK(odd.links == 20 * 2);
    CHECK(odd.bisection->kind == Kind::at_least);
    CHECK(odd.bisection->both_ways);
    CHECK(gigabytes(of(TorusRoutes{{2, 2}, Time{1000}, kGap})) == warpfront::test::approx(2));
}

TEST_CASE("a switch carries the traffic of half of its hosts, limited by its backbone") {
    StarRoutes star{.links_per_route = 2, .hosts = 11, .link_gap = kGap};
    CHECK(gigabytes(of(star)) == warpfront::test::approx(5));
    star.backbone = kGap;
    CHECK(gigabytes(of(star)) == warpfront::test::approx(1));
}

TEST_CASE("a fat tree has the bisection of its narrowest level") {
    // 16 hosts; 4 leaves of 2 links up each
    const TopologyMetrics tapered = of(FatTreeRoutes{{4, 4}, {1, 2}, {1, 1}, Time{1000}, kGap});
    CHECK(tapered.bisection->kind == Kind::exact);
    CHECK(gigabytes(tapered) == warpfront::test::approx(4 * 2 / 2));
    CHECK(tapered.links == 2 * (16 + 4 * 2));
    CHECK(tapered.diameter == 4);
    // three subtrees: 12 hosts, 3 leaves of 4 links; 2/3 of uniform traffic crosses them: 12 / 4 * 3/2
    const TopologyMetrics odd = of(FatTreeRoutes{{4, 3}, {1, 4}, {1, 1}, Time{1000}, kGap});
    CHECK(odd.bisection->kind == Kind::at_least);
    CHECK(gigabytes(odd) ==
          warpfront::test::approx(12.0 / 4.0 * 12.0 / 11.0));  // hosts' own links are the narrower level
}

TEST_CASE("parallel links count, where links are shared") {
    // 2,048 hosts, 64 leaves of 32 links up: half of 2,048 links of 25 GB/s, 25.6 TB/s; four times that
    Machine machine;
    machine.routes.zone = FatTreeRoutes{{32, 64}, {1, 32}, {1, 1}, Time{1000}, Gap{1 / 25e9}};
    machine.links = Links{.parallel = 4};
    const TopologyMetrics four = topology_metrics(machine);
    CHECK(gigabytes(four) == warpfront::test::approx(4 * 25'600));
    CHECK(four.links == 4 * 2 * (2048 + 2048));
    CHECK(four.parallel == 4);
    machine.links.reset();
    CHECK(gigabytes(topology_metrics(machine)) == warpfront::test::approx(25'600));
}

TEST_CASE("a dragonfly is cut between halves of its groups") {
    DragonflyRoutes dragonfly{.groups = 4, .chassis = 2, .blades = 4, .nodes = 8};
    dragonfly.local = dragonfly.green = dragonfly.black = kGap;
    dragonfly.blue = Gap{0.5e-9};
    const TopologyMetrics it = of(dragonfly);
    CHECK(gigabytes(it) == warpfront::test::approx(2 * 2 * 2));  // two groups with two, 2 GB/s each
    CHECK(it.bisection->kind == Kind::at_most);
    // 256 hosts; 32 blades with 3 green and 1 black link each, and 6 blue ones
    CHECK(it.links == 2 * (256 + 32 * 3 / 2 + 32 / 2 + 6));
    CHECK(it.diameter == 7);
}

TEST_CASE("a dragonfly with global ports has several blue links between two groups") {
    // 4 x 3 ports per group lead 4 times to each of 3 others
    DragonflyRoutes dragonfly{.groups = 4, .chassis = 1, .blades = 4, .nodes = 16, .global = 3};
    dragonfly.local = dragonfly.green = dragonfly.black = dragonfly.blue = kGap;
    const TopologyMetrics it = of(dragonfly);
    CHECK(it.shape == "dragonfly of 4 groups x 1 chassis x 4 blades x 16, 3 global ports per blade");
    CHECK(gigabytes(it) == warpfront::test::approx(2 * 2 * 4));
    CHECK(it.links == 2 * (256 + 16 * 3 / 2 + 6 * 4));
    CHECK(it.diameter == 5);
}

TEST_CASE("a hyperx is cut across its shortest dimension") {
    // 4 x 6 switches of 9: 24 * 4 / 4 links; 216 hosts send more
    const TopologyMetrics it = of(HyperXRoutes{{4, 6}, 9, Time{1000}, kGap});
    CHECK(gigabytes(it) == warpfront::test::approx(24));
    CHECK(it.bisection->kind == Kind::exact);
    CHECK(it.links == 2 * 216 + 24 * (3 + 5));
    CHECK(it.diameter == 4);
}

TEST_CASE("a graph is cut at most between two halves of its switches") {
    // a ring of six: two links between 0, 1, 2 and 3, 4, 5
    GraphRoutes ring{
        .graph = SwitchGraph(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}), .hosts_each = 9, .link_gap = kGap};
    ring.find_routes();
    const TopologyMetrics it = of(ring);
    CHECK(gigabytes(it) == warpfront::test::approx(2));
    CHECK(it.bisection->kind == Kind::at_most);
    CHECK(it.diameter == 5);
}

TEST_CASE("a graph whose links differ is cut where they carry least") {
    // the ring of six, whose links from 2 to 3 and from 5 to 0 have a quarter of the bandwidth: 2 * 0.25 GB/s
    GraphRoutes ring{
        .graph = SwitchGraph(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}), .hosts_each = 9, .link_gap = kGap};
    ring.find_routes();
    for (std::uint32_t at = 0; at < 6; ++at) {
        for (std::uint32_t port = 0; port < 2; ++port) {
            const std::uint32_t both = at + ring.graph.neighbour(at, port);
            const bool across = both == 5 && at != 1 && at != 4;
            ring.own.push_back({across ? Gap{4 * kGap.seconds_per_byte} : kGap, Time{1000}});
        }
    }
    CHECK(gigabytes(of(ring)) == warpfront::test::approx(0.5));
}

TEST_CASE("for stored routes only the longest one in use is known") {
    TableRoutes table;
    table.add(Host{0}, Host{1}, {.latency = Time{1000}, .links = 4});
    CHECK(of(table).diameter == 4);
    CHECK_FALSE(of(table).bisection);
}

TEST_CASE("distances are those of ranks on different nodes") {
    Machine machine;
    machine.routes.zone = TorusRoutes{{8}, Time{1000}, kGap};
    machine.placement = cut({8, 1}, {2, 1});
    machine.placement.host_of = {{0}, {1}, {4}, {6}};
    const Distances apart = distances(machine, [](const std::function<void(Rank, Rank)>& say) {
        for (std::uint32_t rank = 0; rank + 1 < 8; ++rank) say({rank}, {rank + 1});
    });
    CHECK(apart.pairs == 3);  // 1-2, 3-4, 5-6; the others share a node
    CHECK(apart.links == 1 + 3 + 2);
    CHECK(apart.longest == 3);
}

}  // namespace warpfront::machine
