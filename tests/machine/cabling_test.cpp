// The cabling of a host's NICs: routes, names and latencies by hand.
//
// Not pinned here: the machine of a file, its growth, and the equality of routes of regular zones with SimGrid's
// (tests/loading); the placement of ranks (tests/placement); waiting for links (tests/engine).
#include "simulator/machine/machine.hpp"
#include "simulator/machine/profile.hpp"
#include "simulator/machine/routes/routes.hpp"
#include "simulator/machine/topology_metrics.hpp"
#include "tests/approx.hpp"

namespace warpfront::machine {

namespace {

using Route = std::vector<LinkId>;
using Names = std::vector<std::string>;

Route route(const Routes& routes, HostNic from, HostNic to) {
    Route links;
    routes.append_links(from, to, links);
    return links;
}

Names named(const Routes& routes, HostNic from, HostNic to) {
    Names names;
    for (const LinkId link : route(routes, from, to)) names.push_back(link_name(routes, link));
    return names;
}

HostNic nic(std::uint32_t host, std::uint32_t number) { return {Host{host}, number}; }

/// Returns 8 hosts of two NICs, two to a leaf; 4 leaves of 2 links up.
Routes per_nic() {
    return {.zone = FatTreeRoutes{{2 * 2, 4}, {1, 2}, {1, 1}, Time{50'000}, Gap{1e-9}},
            .links_in_L = 2,
            .cabling = {.cables = 2}};
}
/// Returns a fat tree with a plane for each NIC: two hosts to a leaf.
Routes rails() {
    return {.zone = FatTreeRoutes{{2, 4}, {1, 2}, {1, 1}, Time{50'000}, Gap{1e-9}},
            .links_in_L = 2,
            .cabling = {.cables = 2, .rails = true}};
}

}  // namespace

TEST_CASE("in one plane a message leaves by the cable of the sender's NIC and enters by that of the receiver's") {
    // NIC k of host h is end 2 h + k, whose cable is 2 (2 h + k) up and one more down. Up ports of leaves follow the 16
    // of ends: 16 + 2 leaf + port. D-mod-k: end 2 * 2 + 1 = 5 is below leaf 1, port 5 mod 2 = 1
    CHECK(route(per_nic(), nic(0, 0), nic(1, 1)) == Route{{2 * 0}, {2 * 3 + 1}});
    CHECK(route(per_nic(), nic(0, 1), nic(2, 1)) == Route{{2 * 1}, {2 * 17}, {2 * 19 + 1}, {2 * 5 + 1}});
    CHECK(route(per_nic(), nic(0, 1), nic(2, 0)) == Route{{2 * 1}, {2 * 16}, {2 * 18 + 1}, {2 * 4 + 1}});
    CHECK(per_nic().link_count() == 2 * (16 + 8));
}

TEST_CASE("with rails a message crosses the plane of the sender's NIC, whatever the receiver's is") {
    // Host 0 to host 2 in one plane: cable 0, port 2 mod 2 = 0 of leaf 0, which is up port 8; that of leaf 1 is 10
    const Route plane_1{{2 * 0 + 1}, {2 * 16 + 1}, {2 * 21 + 1}, {2 * 5 + 1}};
    CHECK(route(rails(), nic(0, 1), nic(2, 1)) == plane_1);
    CHECK(route(rails(), nic(0, 1), nic(2, 0)) == plane_1);
    CHECK(rails().link_count() == 2 * 2 * (8 + 8));
    CHECK(rails().gap(LinkId{63}) == Gap{1e-9});
}

TEST_CASE("links of a NIC or of a plane have its number") {
    CHECK(named(per_nic(), nic(0, 1), nic(2, 0)) == Names{"host 0 NIC 1, port 0 up", "level 1 switch 0, port 0 up",
                                                          "level 1 switch 1, port 0 down",
                                                          "host 2 NIC 0, port 0 down"});
    CHECK(named(rails(), nic(0, 1), nic(1, 0)) == Names{"plane 1, host 0, port 0 up", "plane 1, host 1, port 0 down"});
    const Routes hyperx{.zone = HyperXRoutes{{2}, 3 * 4}, .cabling = {.cables = 4}};
    CHECK(named(hyperx, nic(2, 3), nic(5, 1)) == Names{"host 2 NIC 3 up", "switch (0) to (1)", "host 5 NIC 1 down"});
}

TEST_CASE("the latency of a route is that of any of its NICs, unless an intermediate is drawn for each") {
    CHECK(per_nic().extra_latency(nic(0, 0), nic(2, 1)) == Time{2 * 50'000});
    CHECK(rails().extra_latency(nic(0, 0), nic(2, 1)) == Time{2 * 50'000});
    // 8 x 8 switches: a Valiant route has 2 to 4 links between switches
    const Routes valiant{.zone = HyperXRoutes{{8, 8}, 4, Time{1000}, {}},
                         .links_in_L = 0,
                         .routing = Routing::valiant,
                         .cabling = {.cables = 4}};
    for (std::uint32_t k = 0; k < 4; ++k) {
        const auto crossed = static_cast<std::int64_t>(route(valiant, nic(0, k), nic(1, 0)).size());
        CHECK(valiant.extra_latency(nic(0, k), nic(1, 0)) == Time{1000} * crossed);
    }
}

TEST_CASE("the cables of all NICs count as links, in the bisection and as cables of a host") {
    Machine machine;
    machine.routes = per_nic();
    // 16 cables of 1 GB/s, 8 links up: half of these
    CHECK(topology_metrics(machine).links == 2 * (16 + 8));
    CHECK(topology_metrics(machine).bisection->bandwidth.bytes_per_second == warpfront::test::approx(4e9));
    CHECK(topology_metrics(machine).shape == "fat tree 2 x 4 (parents 1 x 2, cables 1 x 1)");
    CHECK(host_cables(machine)->count == 2);
    CHECK(host_cables(machine)->together.bytes_per_second == warpfront::test::approx(2e9));
    machine.routes = rails();
    CHECK(topology_metrics(machine).links == 2 * 2 * (8 + 8));
    CHECK(topology_metrics(machine).bisection->bandwidth.bytes_per_second == warpfront::test::approx(2 * 4e9));
    CHECK(host_cables(machine)->count == 2);
    machine.links = machine::Links{.parallel = 3};
    CHECK(host_cables(machine)->count == 2 * 3);
}

TEST_CASE("a rank's messages leave by the NIC of its core") {
    Machine machine;
    machine.cores = 4;
    machine.routes = per_nic();
    machine.placement = cut({8, 1}, {4, 1});
    machine.placement.host_of = {{3}, {5}};
    CHECK(machine.nic_of({6}).host == Host{5});
    CHECK(machine.nic_of({5}).nic == 0);
    CHECK(machine.nic_of({6}).nic == 1);
    machine.routes.cabling = {};
    CHECK(machine.nic_of({6}).nic == 0);
}

TEST_CASE("a host's cables are those of its router, its switch or its stored routes, within its limiter") {
    const auto carried = [](Zone zone, std::uint64_t count) {
        Machine machine;
        machine.routes.zone = std::move(zone);
        const std::optional<HostCables> cables = host_cables(machine);
        CHECK(cables.value().count == count);
        return cables->together.bytes_per_second / 1e9;
    };
    CHECK(carried(TorusRoutes{{4, 2, 1}, Time{}, Gap{1e-9}}, 3) == warpfront::test::approx(3));
    CHECK(carried(StarRoutes{.hosts = 3, .link_gap = Gap{1e-9}, .limiter = Gap{2e-9}}, 1) ==
          warpfront::test::approx(0.5));
    CHECK(carried(FatTreeRoutes{{4}, {2}, {3}, Time{}, Gap{1e-9}}, 6) == warpfront::test::approx(6));
    TableRoutes table;  // host 0 has two links of 1 and 2 GB/s, host 1 one of 2 GB/s
    table.gaps = {Gap{1e-9}, Gap{0.5e-9}, Gap{1e-9}};
    table.fatpipe = {false, false, true};
    table.crossed = {{0}, {1}, {1}, {2}};
    table.add(Host{0}, Host{1}, {.latency = {}, .links = 1, .first = 0});
    table.add(Host{0}, Host{2}, {.latency = {}, .links = 1, .first = 1});
    table.add(Host{1}, Host{0}, {.latency = {}, .links = 1, .first = 2});
    CHECK(carried(table, 1) == warpfront::test::approx(2));
    table.add(Host{1}, Host{2}, {.latency = {}, .links = 1, .first = 3});
    Machine unlimited;
    unlimited.routes.zone = table;
    CHECK_FALSE(host_cables(unlimited));
}

namespace {

/// Returns the links of a route by their names.
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

TEST_CASE("the row of a message is the first one whose limit it does not exceed") {
    Profile profile(3);
    profile[0].up_to = Bytes{1024};
    profile[1].up_to = Bytes{4096};
    CHECK(&row_for(profile, Bytes{0}) == &profile[0]);
    CHECK(&row_for(profile, Bytes{1024}) == &profile[0]);
    CHECK(&row_for(profile, Bytes{1025}) == &profile[1]);
    CHECK(&row_for(profile, Bytes{4096}) == &profile[1]);
    CHECK(&row_for(profile, Bytes{4097}) == &profile[2]);
}

}  // namespace warpfront::machine
