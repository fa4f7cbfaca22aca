// Routes by hand. tests/loading/simgrid_routes_test.cpp compares those of regular zones with SimGrid's, link by link.
#include "simulator/machine/routes/routes.hpp"
#include "tests/machine/route_links.hpp"

namespace warpfront::machine {

namespace {

Routes torus(std::uint32_t links_in_L) { return {TorusRoutes{{4, 3, 2}, Time{50'000}}, links_in_L}; }

}  // namespace

TEST_CASE("latency beyond L counts only links that L does not cover") {
    CHECK(torus(1).extra_latency(Host{0}, Host{1}) == Time{0});
    CHECK(torus(1).extra_latency(Host{0}, Host{22}) == Time{3 * 50'000});
    CHECK(torus(0).extra_latency(Host{0}, Host{22}) == Time{4 * 50'000});
    CHECK(torus(9).extra_latency(Host{0}, Host{22}) == Time{0});
}

TEST_CASE("the latencies of links are scaled in every kind of network") {
    const Host far{22};
    const auto half = [](Zone zone, Host to) {
        Routes routes{std::move(zone), 0};
        const Time before = routes.extra_latency(Host{0}, to);
        routes.scale_latencies(0.5);
        CHECK(routes.extra_latency(Host{0}, to) + routes.extra_latency(Host{0}, to) == before);
        return before;
    };
    CHECK(half(TorusRoutes{{4, 3, 2}, Time{50'000}}, far) == Time{4 * 50'000});
    CHECK(half(StarRoutes{3, Time{10}, Time{80}}, Host{6}) == Time{100});
    TableRoutes table;
    table.crossed = {LinkId{0}, LinkId{1}};
    table.gaps = {Gap{1e-9}, Gap{1e-9}};
    table.latencies = {Time{30}, Time{50}};
    table.add(Host{0}, Host{1}, {.latency = Time{90}, .links = 2, .first = 0});
    CHECK(half(table, Host{1}) == Time{90});
    Routes routes{table, 1};  // of 90, L includes the 30 of the first link
    routes.scale_latencies(0.5);
    CHECK(routes.extra_latency(Host{0}, Host{1}) == Time{45 - 15});
}

TEST_CASE("limiters have no latency, and L includes none of them") {
    const Routes star{{StarRoutes{.links_per_route = 5,
                                  .link_latency = Time{10},
                                  .backbone_latency = Time{80},
                                  .hosts = 5,
                                  .limiter = Gap{1e-9},
                                  .backbone = Gap{1e-9}}},
                      1};
    CHECK(star.extra_latency(Host{0}, Host{4}) == Time{90});  // 10 + 80 + 10, of which L includes 10
    const Routes limited{TorusRoutes{{4, 3, 2}, Time{50'000}, Gap{1e-9}, true, Gap{1e-9}}, 1};
    CHECK(limited.extra_latency(Host{0}, Host{22}) == Time{3 * 50'000});  // four links between routers
}

TEST_CASE("a table distinguishes a pair from its reverse") {
    TableRoutes table;
    table.crossed = {{0}, {0}, {1}, {1}, {0}};
    table.gaps = {Gap{1e-9}, Gap{1e-9}};
    table.latencies = {Time{100}, Time{400}};
    table.add(Host{1}, Host{2}, {.latency = Time{1000}, .links = 4, .first = 0});
    table.add(Host{2}, Host{1}, {.latency = Time{100}, .links = 1, .first = 4});
    const Routes routes{table, 1};
    CHECK(routes.links(Host{1}, Host{2}) == 4);
    CHECK(routes.extra_latency(Host{1}, Host{2}) == Time{900});  // 100 + 100 + 400 + 400, of which L includes 100
    CHECK(routes.extra_latency(Host{2}, Host{1}) == Time{0});
}

namespace {

/// Returns hosts 0 and 1 that are joined by links of 1 and 50 us, in one order there and in the other back.
TableRoutes unequal_links() {
    TableRoutes table;
    table.crossed = {{0}, {1}, {1}, {0}};
    table.gaps = {Gap{1e-9}, Gap{1e-9}};
    table.latencies = {Time{1'000'000}, Time{50'000'000}};
    table.add(Host{0}, Host{1}, {.latency = Time{51'000'000}, .links = 2, .first = 0});
    table.add(Host{1}, Host{0}, {.latency = Time{51'000'000}, .links = 2, .first = 2});
    return table;
}

}  // namespace

TEST_CASE("of links that differ in latency, L includes the lowest") {
    const auto extra = [](std::uint32_t links_in_L, Host from, Host to) {
        return Routes{unequal_links(), links_in_L}.extra_latency(from, to);
    };
    CHECK(extra(0, Host{0}, Host{1}) == Time{51'000'000});
    CHECK(extra(1, Host{0}, Host{1}) == Time{50'000'000});  // 51 us less 1 us
    CHECK(extra(1, Host{1}, Host{0}) == Time{50'000'000});  // both ways alike
    CHECK(extra(2, Host{0}, Host{1}) == Time{0});
    CHECK(Routes{unequal_links(), 1}.longest_latency_in_L(2) == Time{1'000'000});
    CHECK(Routes{unequal_links(), 2}.longest_latency_in_L(2) == Time{51'000'000});
}

TEST_CASE("of a longer route, L includes the latencies of more links") {
    CHECK(torus(1).longest_latency_in_L(24) == Time{50'000});
    CHECK(torus(3).longest_latency_in_L(24) == Time{150'000});
    CHECK(torus(9).longest_latency_in_L(24) == Time{200'000});  // 2 + 1 + 1 links at most
    CHECK(torus(3).latency_in_L({Host{0}}, {Host{1}}) == Time{50'000});
    CHECK(torus(3).latency_in_L({Host{0}}, {Host{2}}) == Time{100'000});
}

TEST_CASE("a torus route takes the links of one dimension after another, each of the host it leaves") {
    // link = node * 6 + 2 * dimension + direction; host = x + 4 y + 12 z
    CHECK(route_links(torus(1), Host{0}, Host{1}) == std::vector<LinkId>{{0 * 6 + 0}});
    CHECK(route_links(torus(1), Host{0}, Host{3}) == std::vector<LinkId>{{0 * 6 + 1}});
    // 0 -> 1 -> 2 upwards along x, down along y from (2, 0) to (2, 2), up along z
    CHECK(route_links(torus(1), Host{0}, Host{22}) ==
          std::vector<LinkId>{{0 * 6 + 0}, {1 * 6 + 0}, {2 * 6 + 3}, {10 * 6 + 4}});
}

TEST_CASE("links are appended to existing ones") {
    std::vector<LinkId> links{{7}};
    torus(1).append_links(Host{0}, Host{1}, links);
    CHECK(links == std::vector<LinkId>{{7}, {0}});
}

TEST_CASE("a table has the links of each pair, and each link's gap") {
    TableRoutes table;
    table.crossed = {{0}, {1}, {2}, {1}};
    table.gaps = {Gap{1e-9}, Gap{2e-9}, Gap{3e-9}};
    table.latencies = {Time{}, Time{}, Time{}};
    table.fatpipe = {false, false, true};
    table.add(Host{0}, Host{2}, {.latency = Time{1000}, .links = 3, .first = 0});
    table.add(Host{1}, Host{2}, {.latency = Time{1000}, .links = 1, .first = 3});
    const Routes routes{table, 1};
    CHECK(routes.link_count() == 3);
    CHECK(route_links(routes, Host{0}, Host{2}) == std::vector<LinkId>{{0}, {1}});
    CHECK(route_links(routes, Host{1}, Host{2}) == std::vector<LinkId>{{1}});
    CHECK(routes.gap(LinkId{1}) == Gap{2e-9});
}

namespace {

// 3 groups x 2 chassis x 3 blades x 1 host
const DragonflyRoutes kDragonfly{.groups = 3, .chassis = 2, .blades = 3, .nodes = 1, .link_latency = Time{50'000}};

}  // namespace

TEST_CASE("within a group SimGrid forgets the chassis after a green link, generated topologies do not") {
    // host 3 is blade 0 of chassis 1, host 1 blade 1 of chassis 0
    CHECK(Routes{kDragonfly, 0}.links(Host{3}, Host{1}) == 3);
    DragonflyRoutes own = kDragonfly;
    own.forgets_chassis = false;
    CHECK(Routes{own, 0}.links(Host{3}, Host{1}) == 4);
}

// Routes through graphs and HyperX networks.

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

TEST_CASE("links between switches may have a bandwidth and a latency of their own, those of hosts are identical") {
    // 0 - 1 - 2: links 0 to 5 of hosts, then 0 to 1, 1 to 0, 1 to 2, 2 to 1
    GraphRoutes path = routed(SwitchGraph(3, {{0, 1}, {1, 2}}));
    path.link_gap = Gap{1e-9};
    const SwitchLink slow{Gap{4e-9}, Time{50}};
    const SwitchLink fast{Gap{2e-9}, Time{7000}};
    path.own = {slow, slow, fast, fast};
    CHECK(path.latency(Host{0}, Host{2}) == Time{1000 + 50 + 7000 + 1000});
    CHECK(path.latency(Host{2}, Host{1}) == Time{1000 + 7000 + 1000});
    CHECK(path.latency(Host{1}, Host{1}) == Time{0});
    CHECK(path.longest_latency() == Time{7000});
    const std::vector<LinkId> links = route_links(path, Host{0}, Host{2});
    REQUIRE(links.size() == 4);
    CHECK(path.gap(links[0]) == Gap{1e-9});
    CHECK(path.gap(links[1]) == Gap{4e-9});
    CHECK(path.gap(links[2]) == Gap{2e-9});
    CHECK(path.gap(links[3]) == Gap{1e-9});
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
