// The shipped machines, against the published values that they are based on.
#include "simulator/machine/topology_metrics.hpp"
#include "simulator/network/packet_pipeline.hpp"
#include "tests/approx.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine {

namespace {

constexpr double kPicosecond = 1.01e-6;  // in microseconds: a value is rounded once or twice

/// Builds a shipped machine with one rank per node, in a line.
Machine shipped(const std::string& name, std::uint32_t ranks = 2) {
    return build(request_for_shipped(name, {ranks, 1})).machine;
}

/// Builds a shipped machine for a program in which no rank sends.
Machine silent(const std::string& name, RankGrid grid, Patch patch = {1, 1}) {
    MachineRequest request = request_for_shipped(name, grid, patch);
    request.pairs = [](const Say&) {};
    return build(request).machine;
}

const ProfileRow& network_row(const Machine& machine, std::int64_t bytes) {
    return row_for(machine.profile(machine.network()), Bytes{bytes});
}

double us(Time time) { return seconds(time) * 1e6; }

/// The costs in microseconds of a message whose receiver waits: sender, receiver after the arrival, total.
struct Costs {
    double send = 0.0;
    double recv = 0.0;
    double total = 0.0;
};

Costs costs(const Machine& machine, std::int64_t bytes) {
    const ProfileRow& row = network_row(machine, bytes);
    const network::PacketPipeline pipeline = network::pipeline_of(row, Bytes{bytes}).value();
    const Time rendezvous = row.protocol == Protocol::rendezvous ? row.L + row.o_request + row.L + row.o_ack : Time{};
    return {us(row.o_send + pipeline.in + rendezvous), us(pipeline.out + row.o_recv),
            us(row.o_send + pipeline.done + rendezvous + row.L + row.o_recv)};
}

bool near(double value, double expected, double tolerance = kPicosecond) {
    return std::abs(value - expected) <= tolerance;
}

std::uint32_t links(const Machine& machine, std::uint32_t from, std::uint32_t to) {
    return machine.routes.links(machine.host_of({from}), machine.host_of({to}));
}

}  // namespace

TEST_CASE("HiPPI as published: 48 SMPs of 128, 150 us and 30 MB/s at 38 KB, packets of 16 KB at 70 MB/s") {
    const Machine hippi = shipped("hippi.yaml");
    CHECK(hippi.hosts == 48);
    CHECK(hippi.cores == 128);
    CHECK(hippi.links.value().parallel == 4);
    CHECK(hippi.links.value().choice == LinkChoice::adaptive);
    CHECK(near(costs(hippi, 0).total, 150.0));
    CHECK(near(costs(hippi, 38400).total, 150.0 + 38400 / 30.0, 0.1));
    const ProfileRow& row = network_row(hippi, 16384);
    CHECK(row.packet.size == Bytes{16384});
    CHECK(near(us(*cost_of(Bytes{16384}, hippi.routes.gap(LinkId{0})) + row.packet.overhead), 16384 / 70.0, 0.01));
    CHECK(shipped("hippi-two-channels.yaml").links.value().parallel == 2);
}

TEST_CASE("a message over HiPPI holds a link as long as it is on the wire") {
    const Machine hippi = shipped("hippi.yaml");
    CHECK(network_row(hippi, 1).G == hippi.routes.gap(LinkId{0}));
}

TEST_CASE("the SP/2 as published: o 23 and 47 us, L 23 us, G 0.07 and 0.03 us/B, rendezvous from 4 KB") {
    const Machine sp2 = shipped("sp2.yaml");
    CHECK(sp2.hosts == 128);
    CHECK(sp2.cores == 4);
    CHECK(near(costs(sp2, 1024).send, 23.0));
    CHECK(near(costs(sp2, 1024).total, 23 + 1024 * 0.07 + 23 + 23));
    CHECK(near(costs(sp2, 1025).send, 47.0));
    CHECK(near(costs(sp2, 4095).total, 47 + 4095 * 0.03 + 23 + 47));
    CHECK(near(costs(sp2, 4096).send, 23 + 23 + 23 + 23 + 23 + 47));  // o + L + o + o + L + o_l
    CHECK(near(costs(sp2, 4096).total, 162 + 4096 * 0.03 + 23 + 47));
}

TEST_CASE("the SP/2's overheads in C: o 16 and 36 us, all else as in Fortran") {
    const Machine sp2 = shipped("sp2-c.yaml");
    CHECK(near(costs(sp2, 1024).send, 16.0));
    CHECK(near(costs(sp2, 1024).total, 16 + 1024 * 0.07 + 23 + 16));
    CHECK(near(costs(sp2, 4095).total, 36 + 4095 * 0.03 + 23 + 36));
    CHECK(near(costs(sp2, 4096).send, 16 + 23 + 16 + 16 + 23 + 36));  // o + L + o + o + L + o_l
    CHECK(near(costs(sp2, 4096).total, 130 + 4096 * 0.03 + 23 + 36));
}

TEST_CASE(
    "the Opterons and the Altix of the PACE validation: 350 and 225 Mflop/s, messages of 45 and 1.5 us and more") {
    const Machine opteron = shipped("opteron.yaml");
    CHECK(opteron.cores == 2);
    CHECK(opteron.processor.value().speed.per_second == 350e6);
    CHECK(near(costs(opteron, 0).total, 45.0));
    CHECK(near(costs(opteron, 12000).total, 45.0 + 12000 * 0.009));
    const Machine altix = shipped("altix.yaml");
    CHECK(altix.hosts == 56);
    CHECK(altix.processor.value().speed.per_second == 225e6);
    CHECK(near(costs(altix, 12000).total, 1.5 + 12000 / 2000.0));
}

TEST_CASE("the Pentium 3's send and receive curves, and half its ping-pong from 1 KB on") {
    const Machine pentium = shipped("pentium3.yaml");
    for (const std::int64_t bytes : {0, 500, 1024}) {
        const auto x = static_cast<double>(bytes);
        CAPTURE(bytes);
        CHECK(near(costs(pentium, bytes).send, 5.3193 + 0.00352455 * x));
        CHECK(near(costs(pentium, bytes).recv, 9.61369 + 0.00175511 * x));
    }
    for (const std::int64_t bytes : {1025, 12000, 23552}) {
        const auto x = static_cast<double>(bytes);
        CAPTURE(bytes);
        CHECK(near(costs(pentium, bytes).send, 5.3193 + 0.00352455 * x));
        CHECK(near(costs(pentium, bytes).recv, 15.8287 + 0.00202664 * x));
        CHECK(near(costs(pentium, bytes).total, (41.7131 + 0.0858768 * x) / 2, 0.3));
    }
    for (const std::int64_t bytes : {23553, 100'000, 1'000'000}) {
        const auto x = static_cast<double>(bytes);
        CAPTURE(bytes);
        CHECK(near(costs(pentium, bytes).send, -209.632 + 0.0404188 * x + 209.632));
        CHECK(near(costs(pentium, bytes).recv, 15.8287 + 0.00202664 * x));
        CHECK(near(costs(pentium, bytes).total, (41.7131 + 0.0858768 * x) / 2, 0.01));
    }
}

TEST_CASE("sixteen nodes share a leaf of the two-level fat tree; others are four links away") {
    const Machine tree = shipped("infiniband-two-levels.yaml", 32);
    CHECK(tree.hosts == 384);
    CHECK(links(tree, 0, 1) == 2);
    CHECK(links(tree, 14, 15) == 2);
    CHECK(links(tree, 15, 16) == 4);
    CHECK(tree.extra_latency(Rank{15}, Rank{16}) == Time{200'000});  // two links of 100 ns beyond those in L
}

TEST_CASE("192 nodes of the three-level fat tree are at most four links apart, others six") {
    const Machine tree = shipped("infiniband-three-levels.yaml", 200);
    CHECK(tree.hosts == 4608);
    CHECK(links(tree, 0, 1) == 2);
    CHECK(links(tree, 15, 16) == 4);
    CHECK(links(tree, 191, 192) == 6);
}

TEST_CASE("the links up from a leaf are half as many as its nodes") {
    // the routes from the first leaf to all nodes of the second
    MachineRequest request = request_for_shipped("infiniband-two-levels.yaml", {32, 1});
    request.pairs = [](const Say& say) {
        for (std::uint32_t rank = 0; rank < 16; ++rank) say({rank}, {rank + 16});
    };
    const Machine tree = build(request).machine;
    std::vector<std::uint32_t> ups;
    for (std::uint32_t rank = 0; rank < 16; ++rank) {
        std::vector<LinkId> route;
        tree.routes.append_links(tree.host_of({rank}), tree.host_of({rank + 16}), route);
        REQUIRE(route.size() == 4);
        ups.push_back(route[1].index);
    }
    std::sort(ups.begin(), ups.end());
    CHECK(std::unique(ups.begin(), ups.end()) - ups.begin() == 8);
}

TEST_CASE("the XT4 with one core of each node in use") {
    const Machine single = shipped("xt4-single.yaml");
    CHECK(single.cores == 1);
    CHECK(single.bus.value().o_dma == shipped("xt4.yaml").bus.value().o_dma);
}

// The shipped EPYC cluster: its nodes core by core, and its fat tree.

namespace {

constexpr std::uint32_t kHosts = 800;
constexpr std::uint32_t kLeafHosts = 20;

/// Builds two nodes in a row, with a rank on each of their 64 cores.
Machine epyc() { return silent("epyc.yaml", {128, 1}, {64, 1}); }

}  // namespace

TEST_SUITE("EPYC cluster") {
    TEST_CASE("four cores share a complex, eight a die, 32 a socket, 64 a node") {
        const Machine machine = epyc();
        const auto locality = [&](std::uint32_t a, std::uint32_t b) { return machine.locality({a}, {b}).index; };
        for (std::uint32_t core = 1; core < 128; ++core) {
            const unsigned expected = core < 4 ? 0 : core < 8 ? 1 : core < 32 ? 2 : core < 64 ? 3 : 4;
            CAPTURE(core);
            CHECK(locality(0, core) == expected);
        }
        CHECK(locality(3, 4) == 1);
        CHECK(locality(7, 8) == 2);
        CHECK(locality(31, 32) == 3);
    }

    TEST_CASE("a node has 16 memory channels, one NIC, and memory bandwidth that is not shared unless wanted") {
        const Machine machine = epyc();
        CHECK(machine.cores == 64);
        CHECK(machine.bus.value().count == 16);
        CHECK(cost_of(Bytes{25'600}, machine.bus->G_dma) == Time{1'000'000});  // 25.6 GB/s
        CHECK(machine.nic.value().count == 1);
        CHECK_FALSE(machine.memory);
    }

    TEST_CASE("twenty hosts share a leaf; to others there are two links more, of 130 ns and as many up as down") {
        const Machine machine = epyc();
        REQUIRE(machine.routes.link_count() == 2 * 2 * kHosts);  // of hosts and, all in all, as many of leaves
        CHECK(machine.routes.links(Host{0}, Host{kLeafHosts - 1}) == 2);
        CHECK(machine.routes.links(Host{kLeafHosts - 1}, Host{kLeafHosts}) == 4);
        CHECK(machine.routes.extra_latency(Host{0}, Host{kLeafHosts - 1}) == Time{0});
        CHECK(machine.routes.extra_latency(Host{kLeafHosts - 1}, Host{kLeafHosts}) == Time{2 * 130'000});
    }

    TEST_CASE("every link carries 25 GB/s each way") {
        const Machine machine = epyc();
        for (std::uint32_t link = 0; link < machine.routes.link_count(); ++link) {
            REQUIRE(cost_of(Bytes{25'000}, machine.routes.gap({link})) == Time{1'000'000});
        }
    }
}

// The shipped GPU cluster: its cables, fat tree and bisection.

namespace {

constexpr std::uint32_t kNodes = 2048;
constexpr std::uint32_t kGpus = 4;  // of a node, with a NIC each

/// Builds a rank on every GPU, four to a node.
Machine gpus() {
    MachineRequest request = request_for_shipped("gpus.yaml", {128, 64}, {2, 2});
    request.placement.rule = PlacementRule::linear;
    request.pairs = [](const Say&) {};
    return build(request).machine;
}

}  // namespace

TEST_SUITE("GPU cluster") {
    TEST_CASE("each of the four ranks of a node has a GPU, a NIC and a cable of 25 GB/s") {
        const Machine machine = gpus();
        CHECK(machine.hosts == kNodes);
        CHECK(machine.nic.value().count == kGpus);
        // ranks 0 and 1 are in the upper row of the first patch, 128 and 129 in the lower
        for (const auto& [rank, nic] : {std::pair{0U, 0U}, {1U, 1U}, {128U, 2U}, {129U, 3U}}) {
            CHECK(machine.nic_of({rank}).host == Host{0});
            CHECK(machine.nic_of({rank}).nic == nic);
        }
        CHECK(machine.locality({0}, {129}).index == 1);  // GPUs of one node
        CHECK(host_cables(machine)->count == kGpus);
        CHECK(host_cables(machine)->together.bytes_per_second == warpfront::test::approx(100e9));
    }

    TEST_CASE("sixteen nodes share a leaf; to others there are two links more, of 200 ns") {
        const Machine machine = gpus();
        const auto extra = [&](std::uint32_t from, std::uint32_t to) {
            return machine.routes.extra_latency(HostNic{Host{from}, 0}, HostNic{Host{to}, kGpus - 1});
        };
        CHECK(extra(0, 15) == Time{0});
        CHECK(extra(15, 16) == Time{2 * 200'000});
    }

    TEST_CASE("half of the links lead up at the leaves: 4,096 of 25 GB/s, 51.2 TB/s between two halves") {
        const Machine machine = gpus();
        REQUIRE(machine.routes.link_count() == 2 * (8192 + 4096));
        for (std::uint32_t link = 0; link < machine.routes.link_count(); ++link) {
            REQUIRE(cost_of(Bytes{25'000}, machine.routes.gap({link})) == Time{1'000'000});
        }
        const TopologyMetrics metrics = topology_metrics(machine);
        CHECK(metrics.links == 2 * (8192 + 4096));
        CHECK(metrics.bisection.value().kind == Bisection::Kind::exact);
        CHECK(metrics.bisection->bandwidth.bytes_per_second == warpfront::test::approx(4096 / 2 * 25e9));
    }
}

// The shipped Slingshot dragonfly: its values against each other, its routes against arithmetic written out here.

namespace {

constexpr std::uint32_t kGroupHosts = 32 * 16;

/// Builds this number of nodes, with a rank on each.
Machine slingshot(std::uint32_t nodes) { return silent("slingshot.yaml", {nodes, 1}); }

}  // namespace

TEST_SUITE("Slingshot dragonfly") {
    TEST_CASE("a switch has 64 ports: 16 to hosts, 31 within the group, 17 to other groups") {
        const Machine machine = slingshot(16);
        const auto& dragonfly = std::get<DragonflyRoutes>(machine.routes.zone);
        CHECK(dragonfly.nodes + (dragonfly.blades - 1) + dragonfly.global == 64);
        CHECK(machine.routes.routing == Routing::adaptive);
        CHECK(machine.hosts == 8 * kGroupHosts);
    }

    TEST_CASE("eight groups use 539 of the 544 ports of each") {
        // 544 / 7 = 77 links between two groups, 539 in all; 7 * 77 * 8 / 2 both ways
        const Machine machine = slingshot(16);
        CHECK(std::get<DragonflyRoutes>(machine.routes.zone).blue_per_pair() == 77);
        CHECK(topology_metrics(machine).links == 8 * (2 * kGroupHosts + 32 * 31 + 539));
        CHECK(topology_metrics(machine).diameter == 5);
    }

    TEST_CASE("it grows to 545 groups of one link each pair, 279,040 hosts; beyond, by chassis") {
        const Machine largest = slingshot(545 * kGroupHosts);
        CHECK(largest.hosts == 279'040);
        CHECK(std::get<DragonflyRoutes>(largest.routes.zone).blue_per_pair() == 1);
        CHECK(std::get<DragonflyRoutes>(slingshot(545 * kGroupHosts + 1).routes.zone).chassis == 2);
    }

    TEST_CASE("between groups a route adds the latency of up to three links to that of the hosts' links, in L") {
        const Machine machine = slingshot(16);
        // switch 0 of group 0 has ports 0 to 16, which lead to groups 1 to 7, twice around and to 1, 2, 3: its own
        // links. Port 0 enters group 1 at port (8 - 1) - 1 = 6: switch 0
        CHECK(machine.routes.extra_latency(Host{0}, Host{15}) == Time{0});
        CHECK(machine.routes.extra_latency(Host{0}, Host{16}) == Time{350'000});
        CHECK(machine.routes.extra_latency(Host{0}, Host{kGroupHosts}) == Time{350'000});
        CHECK(machine.routes.extra_latency(Host{0}, Host{kGroupHosts + 16 * 31}) == Time{2 * 350'000});
    }
}

}  // namespace warpfront::machine
