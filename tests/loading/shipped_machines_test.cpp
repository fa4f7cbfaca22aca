// The machines that ship, against the figures they were made from.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "simulator/machine/loading/build.hpp"
#include "simulator/network/packet_pipeline.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine {

namespace {

constexpr double kPicosecond = 1.01e-6;  // in microseconds: a figure is rounded once or twice

/// One rank per node, in a line; ranks exchange messages with their neighbours.
Machine shipped(const std::string& name, std::uint32_t ranks = 2) {
    MachineRequest request;
    request.hardware_file = std::filesystem::path(WARPFRONT_SOURCE_DIR) / "platforms" / name;
    request.grid = {ranks, 1};
    request.pairs = [ranks](const std::function<void(Rank, Rank)>& say) {
        for (std::uint32_t rank = 0; rank + 1 < ranks; ++rank) {
            say({rank}, {rank + 1});
            say({rank + 1}, {rank});
        }
    };
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

TEST_CASE("HiPPI as published: 48 SMPs of 128, 150 us, 30 MB/s at 38 KB, packets of 16 KB at 70 MB/s") {
    const Machine hippi = shipped("hippi.yaml");
    CHECK(hippi.hosts == 48);
    CHECK(hippi.cores == 128);
    CHECK(hippi.links.value().parallel == 4);
    CHECK(hippi.links.value().choice == LinkChoice::adaptive);
    CHECK(near(costs(hippi, 0).total, 150.0));
    CHECK(near(costs(hippi, 38400).total, 38400 / 30.0, 0.1));
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
    MachineRequest request;
    request.hardware_file = std::filesystem::path(WARPFRONT_SOURCE_DIR) / "platforms/infiniband-two-levels.yaml";
    request.grid = {32, 1};
    request.pairs = [](const std::function<void(Rank, Rank)>& say) {
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

}  // namespace warpfront::machine
