// The NICs of a node and the cables of its topology: keys, growth, faults and notes.
//
// Not pinned here: routes and links by arithmetic (tests/machine), and their equality with SimGrid's; orders of hosts
// (tests/placement); numbers, units and YAML (tests/input); the costs of rows (tests/network) and their effect on a run
// (tests/engine); the keys of a scenario that become overrides (tests/scenario); the output of `check` (tests/tools).
#include "simulator/machine/topology_metrics.hpp"
#include "tests/approx.hpp"
#include "tests/loading/platforms.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine {

namespace {

const std::string kTree = "topology: {kind: fat_tree, children: [2, 2], bandwidth: 25GBps, latency: 1us";

std::string rest(const std::string& nic = "{count: 4, injection: 200Gbps, ejection: 200Gbps}",
                 const std::string& links = "{}") {
    return "cores: 4\nnic: " + nic + "\nlinks: " + links +
           "\nlayers:\n  chip: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n"
           "  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [nic, links]}]\n";
}
std::string cabled(const std::string& topology, const std::string& more = rest()) {
    return "name: m\nsize: fit\n" + topology + "}\n" + more;
}

Machine built(const std::string& text, std::uint32_t nodes) {
    const Workspace files;
    MachineRequest request = request_for(files.write("m.yaml", text), {4 * nodes, 1}, {4, 1});
    request.pairs = {};
    return build(request).machine;
}

std::vector<LinkId> route(const Machine& machine, std::uint32_t from, std::uint32_t to) {
    std::vector<LinkId> links;
    machine.routes.append_links(machine.nic_of({from}), machine.nic_of({to}), links);
    return links;
}

std::vector<std::string> notes(const std::string& text) {
    const Workspace files;
    return notes_of_check(files.write("m.yaml", text));
}

}  // namespace

TEST_SUITE("cabling") {
    TEST_CASE("by default each NIC of a node has a cable to the node's switch") {
        const Machine machine = built(cabled(kTree), 4);
        // 4 hosts of 4 cables, 2 leaves of one link up
        CHECK(machine.routes.link_count() == 2 * (16 + 2));
        CHECK(host_cables(machine)->together.bytes_per_second == warpfront::test::approx(100e9));
        CHECK(route(machine, 1, 6) == std::vector<LinkId>{{2 * 1}, {2 * 6 + 1}});
    }

    TEST_CASE("NICs may have a plane each, or share one cable") {
        const Machine rails = built(cabled(kTree + ", cabling: rails"), 4);
        CHECK(rails.routes.link_count() == 4 * 2 * (4 + 2));
        // from NIC 1 of host 0 to host 1, in plane 1
        CHECK(route(rails, 1, 6) == std::vector<LinkId>{{4 * 0 + 1}, {4 * 3 + 1}});
        const Machine shared = built(cabled(kTree + ", cabling: shared"), 4);
        CHECK(shared.routes.link_count() == 2 * (4 + 2));
        CHECK(route(shared, 1, 6) == std::vector<LinkId>{{0}, {3}});
        CHECK(route(shared, 2, 7) == route(shared, 1, 6));
    }

    TEST_CASE("a dragonfly, a hyperx, a random graph and a graph have cables too") {
        const auto links = [](const std::string& topology) {
            return built(cabled("topology: {" + topology + ", bandwidth: 25GBps, latency: 1us"), 4).routes.link_count();
        };
        // two hosts to a switch, of four cables each way; and the links between switches
        CHECK(links("kind: dragonfly, groups: 1, chassis: 1, blades: 2, nodes: 2") == 2 * 16 + 2 * 2 + 2 + 1);
        CHECK(links("kind: hyperx, dimensions: [2], hosts: 2") == 2 * 16 + 2 * 2);
        CHECK(links("kind: random_regular, switches: 3, degree: 2, hosts: 2") == 2 * 3 * 8 + 6);
    }

    TEST_CASE("a grown network has the cables of its new hosts") {
        const Machine machine = built(cabled(kTree), 5);
        CHECK(machine.hosts == 6);  // three leaves of two
        CHECK(machine.routes.link_count() == 2 * (24 + 3));
    }

    TEST_CASE("cables stay where messages do not hold the NICs") {
        const std::string off = rest("{enabled: off, count: 4, injection: 200Gbps, ejection: 200Gbps}");
        const Machine machine = built(cabled(kTree, off), 4);
        CHECK_FALSE(machine.nic);
        CHECK(machine.routes.link_count() == 2 * (16 + 2));
        CHECK(machine.nics() == 4);
        const Workspace files;
        const auto file =
            files.write("m.yaml", cabled(kTree, rest("{enabled: off, count: 3, injection: 1GBps, ejection: 1GBps}")));
        CHECK(only(faults_of([&] { check(file); }), uneven_groups).range.source != nullptr);
    }

    TEST_CASE("a torus has no cables to choose") {
        const Workspace files;
        const auto file = files.write(
            "m.yaml",
            cabled("topology: {kind: torus, dimensions: [4], bandwidth: 25GBps, latency: 1us, cabling: rails"));
        CHECK(only(faults_of([&] { check(file); }), bad_topology).message ==
              "the hosts of a `torus` are its routers, which have no cables");
    }

    TEST_CASE("cables that make a network too large to be numbered are a fault") {
        const Workspace files;
        // 2^25 hosts of 64 cables, both ways
        const auto file = files.write(
            "m.yaml", cabled("topology: {kind: fat_tree, children: [1048576, 32], bandwidth: 25GBps, latency: 1us",
                             "cores: 64\nnic: {count: 64, injection: 1GBps, ejection: 1GBps}\nlayers:\n"
                             "  chip: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n"
                             "  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n"));
        CHECK(only(faults_of([&] { check(file); }), platform_limits).message ==
              "with the cables of 64 NICs per node, the network would have about 4.3e+09 links");
    }

    TEST_CASE("NICs that inject more than their cables carry are noted") {
        const std::string note = ": the NICs of a node inject 100 GB/s, but its cables carry only 25 GB/s";
        CHECK(notes(cabled(kTree)) == std::vector<std::string>{});
        CHECK(notes(cabled(kTree + ", cabling: rails")) == std::vector<std::string>{});
        CHECK(notes(cabled(kTree + ", cabling: shared")) == std::vector{"m.yaml:5:6" + note});
        CHECK(notes(cabled(kTree + ", cabling: shared", rest("{count: 4, injection: 200Gbps, ejection: 200Gbps}",
                                                             "{parallel: 4}"))) == std::vector<std::string>{});
        CHECK(notes(cabled("topology: {kind: torus, dimensions: [4], bandwidth: 12.5GBps, latency: 1us")) ==
              std::vector{"m.yaml:5:6" + note});
    }

    TEST_CASE("a SimGrid platform has the links that it states, and NICs beyond these are noted") {
        const Workspace files;
        const auto noted = [&](const std::string& xml) {
            files.write("p.xml", xml);
            const auto file = files.write("m.yaml", "name: m\nsize: exact\nplatform: p.xml\n" + rest());
            const std::vector<std::string> all = check(file);
            return std::count_if(all.begin(), all.end(), [](const std::string& each) {
                return each.find("the NICs of a node inject 100 GB/s, but its cables carry only 25 GB/s") !=
                       std::string::npos;
            });
        };
        const auto cluster = [](const std::string& bandwidth) {
            return platform_xml("<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" bw=\"" +
                                bandwidth + "\" lat=\"1us\" core=\"4\"/>");
        };
        CHECK(noted(cluster("25GBps")) == 1);
        CHECK(noted(cluster("100GBps")) == 0);
        const auto explicit_hosts = [](const std::string& bandwidth) {
            return platform_xml(
                "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\" core=\"4\"/><host id=\"b\" speed=\"1Gf\" "
                "core=\"4\"/><link id=\"l\" bandwidth=\"" +
                bandwidth + "\" latency=\"1us\"/><route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone>");
        };
        CHECK(noted(explicit_hosts("25GBps")) == 1);
        CHECK(noted(explicit_hosts("100GBps")) == 0);
    }

    TEST_CASE("cabling of one NIC is noted") {
        CHECK(notes(cabled(kTree + ", cabling: rails", rest("{injection: 200Gbps, ejection: 200Gbps}"))) ==
              std::vector<std::string>{"m.yaml:3:88: `cabling` has no effect: a node has one NIC"});
    }
}

}  // namespace warpfront::machine
