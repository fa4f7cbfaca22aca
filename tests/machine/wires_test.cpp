// The slowest wire between two ranks, and the notes of a machine on wires that limit its messages.
//
// Not pinned here: the time of a message (tests/network); the wires of platform files (tests/loading); engines on
// random platforms (tests/wires).
#include "simulator/machine/wires.hpp"
#include "tests/preamble.hpp"

namespace warpfront::machine {

namespace {

constexpr Gap kGigabyte{1e-9};  // 1 GB/s

/// Returns a machine with a rank per host and a network row of 1 GB/s.
Machine machine_on(Zone zone, std::uint32_t hosts) {
    Machine machine;
    machine.routes = {.zone = std::move(zone), .links_in_L = 9};
    machine.placement = cut({hosts, 1}, {1, 1});
    for (std::uint32_t host = 0; host < hosts; ++host) machine.placement.host_of.push_back({host});
    machine.profiles[2] = {{.up_to = {}, .o_send = {}, .o_recv = {}, .L = {}, .G = kGigabyte, .G_recv = {}}};
    return machine;
}

/// Returns three hosts in a row, with a link of 100 MB/s between the last two.
Machine chain() {
    TableRoutes table;
    table.gaps = {Gap{1e-9}, Gap{1e-8}};
    table.names = {"near", "far"};
    table.crossed = {{0}, {0}, {1}};
    table.add(Host{0}, Host{1}, {.latency = {}, .links = 1, .first = 0});
    table.add(Host{0}, Host{2}, {.latency = {}, .links = 2, .first = 1});
    return machine_on(table, 3);
}

PairVisitor pairs_of(std::vector<std::pair<Rank, Rank>> pairs) {
    return [pairs](const std::function<void(Rank, Rank)>& visit) {
        for (const auto& [from, to] : pairs) visit(from, to);
    };
}

}  // namespace

TEST_CASE("scaling the times per byte of links reaches every link of every kind of network") {
    SwitchGraph edges(3, {{0, 1}, {1, 2}});
    const SwitchLink own{Gap{3e-9}, {}};
    const std::vector<Zone> zones{
        TorusRoutes{.dimensions = {3}, .link_gap = {1e-9}, .limiter = Gap{2e-9}},
        StarRoutes{.hosts = 2, .link_gap = {1e-9}, .limiter = Gap{2e-9}, .backbone = Gap{3e-9}},
        FatTreeRoutes{.children = {2}, .parents = {1}, .cables = {1}, .link_gap = {1e-9}, .limiter = Gap{2e-9}},
        DragonflyRoutes{.groups = 2,
                        .chassis = 2,
                        .blades = 2,
                        .local = {1e-9},
                        .green = {2e-9},
                        .black = {3e-9},
                        .blue = {4e-9},
                        .limiter = Gap{5e-9}},
        HyperXRoutes{.dimensions = {3}, .link_gap = {1e-9}},
        GraphRoutes{.graph = edges, .link_gap = {1e-9}, .own = {own, own, own, own}},
        TableRoutes{.entries = {}, .crossed = {}, .gaps = {Gap{1e-9}, Gap{2e-9}}}};
    for (const Zone& zone : zones) {
        const Routes before{.zone = zone};
        Routes after = before;
        after.scale_gaps(2.0);
        CAPTURE(zone.index());
        REQUIRE(before.link_count() > 0);
        for (std::uint32_t link = 0; link < before.link_count(); ++link) {
            CHECK(after.gap({link}).seconds_per_byte == 2.0 * before.gap({link}).seconds_per_byte);
        }
    }
}

TEST_CASE("the slowest wire is the slowest link of the route, or a NIC that is slower") {
    Machine machine = chain();
    CHECK(slowest_wire(machine, Rank{0}, Rank{1}) == Wire{Wire::Kind::link, {0}, {1e-9}});
    CHECK(slowest_wire(machine, Rank{0}, Rank{2}) == Wire{Wire::Kind::link, {1}, {1e-8}});
    CHECK(wire_name(machine, slowest_wire(machine, Rank{0}, Rank{2})) == "link `far`");
    machine.nic = Nic{.injection = {2e-9}, .ejection = {3e-9}};
    CHECK(slowest_wire(machine, Rank{0}, Rank{1}) == Wire{Wire::Kind::ejection, {}, {3e-9}});
    CHECK(slowest_wire(machine, Rank{0}, Rank{2}).kind == Wire::Kind::link);
}

TEST_CASE("a NIC that messages do not wait for limits them as well") {
    Machine machine = chain();
    machine.nic_wires = {.injection = {5e-8}, .ejection = {}};
    CHECK(slowest_wire(machine, Rank{0}, Rank{2}) == Wire{Wire::Kind::injection, {}, {5e-8}});
}

TEST_CASE("a FATPIPE backbone limits messages and is not among the links that they wait for") {
    const StarRoutes star{
        .links_per_route = 3, .hosts = 2, .link_gap = {1e-9}, .backbone = Gap{4e-9}, .fatpipe_backbone = true};
    std::vector<LinkId> waited;
    star.append_links(Host{0}, Host{1}, waited);
    CHECK(waited == std::vector<LinkId>{{0}, {3}});
    CHECK(star.gap(star.slowest_link(Host{0}, Host{1})) == Gap{4e-9});
    const Machine machine = machine_on(star, 2);
    CHECK(slowest_wire(machine, Rank{0}, Rank{1}) == Wire{Wire::Kind::backbone, {}, {4e-9}});
}

TEST_CASE("links of a dragonfly differ, so each pair has a slowest of its own") {
    // two groups of two blades; host 0 and 1 on one blade, 2 on the next one, 4 in the other group
    const DragonflyRoutes dragonfly{
        .groups = 2, .chassis = 1, .blades = 2, .nodes = 2, .local = {1e-9}, .green = {2e-9}, .blue = {8e-9}};
    const Machine machine = machine_on(dragonfly, 8);
    CHECK(slowest_wire(machine, Rank{0}, Rank{1}).gap == Gap{1e-9});
    CHECK(slowest_wire(machine, Rank{0}, Rank{2}).gap == Gap{2e-9});
    CHECK(slowest_wire(machine, Rank{0}, Rank{4}).gap == Gap{8e-9});
}

TEST_CASE("analytic models charge the network by the slowest wire of the pairs that exchange messages") {
    Machine machine = chain();
    limit_by_wires(pairs_of({{Rank{0}, Rank{1}}}), {Bytes{100}}, machine);
    CHECK(machine.profiles[2].front().wire == Gap{1e-9});
    CHECK_FALSE(machine.wires_differ);
    machine = chain();
    limit_by_wires(pairs_of({{Rank{0}, Rank{1}}, {Rank{0}, Rank{2}}}), {Bytes{100}}, machine);
    CHECK(machine.profiles[2].front().wire == Gap{1e-8});
    CHECK(machine.wires_differ);
}

TEST_CASE("a wire slower than the row of a message is noted by its name and both bandwidths") {
    Machine machine = chain();
    limit_by_wires(pairs_of({{Rank{0}, Rank{1}}, {Rank{0}, Rank{2}}}), {Bytes{100}}, machine);
    CHECK(machine.notes == std::vector<std::string>{"link `far` carries 100 MB/s, less than the 1 GB/s of "
                                                    "`layers.network`: it limits the messages that cross it"});
}

TEST_CASE("a wire as fast as the row, and one that only empty messages cross, are not noted") {
    Machine machine = chain();
    limit_by_wires(pairs_of({{Rank{0}, Rank{1}}}), {Bytes{100}}, machine);
    CHECK(machine.notes.empty());
    machine = chain();
    machine.profiles[2] = {{.up_to = Bytes{0}, .o_send = {}, .o_recv = {}, .L = {}, .G = {}, .G_recv = {}},
                           {.up_to = {}, .o_send = {}, .o_recv = {}, .L = {}, .G = {1e-7}, .G_recv = {}}};
    limit_by_wires(pairs_of({{Rank{0}, Rank{2}}}), {Bytes{0}}, machine);
    CHECK(machine.notes.empty());
}

TEST_CASE("slow links of one bandwidth are one note with the first three names") {
    TableRoutes table;
    for (std::uint32_t link = 0; link < 5; ++link) {
        table.gaps.push_back({1e-8});
        table.names.push_back(std::string(1, static_cast<char>('a' + link)));
    }
    Machine machine = machine_on(table, 2);
    limit_by_wires(nullptr, {}, machine);
    CHECK(machine.notes == std::vector<std::string>{"link `a`, link `b`, link `c` and 2 more carry 100 MB/s each, less "
                                                    "than the 1 GB/s of `layers.network`: they limit the messages that "
                                                    "cross them"});
}

TEST_CASE("without ranks the slow links of a regular network are named by their kind") {
    Machine machine = machine_on(HyperXRoutes{.dimensions = {5}, .hosts_each = 1, .link_gap = {1e-8}}, 5);
    limit_by_wires(nullptr, {}, machine);
    CHECK(machine.notes == std::vector<std::string>{"each link of the network carries 100 MB/s, less than the 1 GB/s "
                                                    "of `layers.network`: it limits the messages that cross it"});
    machine = machine_on(
        DragonflyRoutes{
            .groups = 2, .chassis = 1, .blades = 2, .nodes = 2, .local = {1e-9}, .green = {2e-9}, .blue = {1e-9}},
        8);
    limit_by_wires(nullptr, {}, machine);
    CHECK(machine.notes == std::vector<std::string>{"each green link carries 500 MB/s, less than the 1 GB/s of "
                                                    "`layers.network`: it limits the messages that cross it"});
}

}  // namespace warpfront::machine
