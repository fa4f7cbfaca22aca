// Generated networks of a hardware file.
#include "simulator/machine/loading/interconnect.hpp"
#include "tests/approx.hpp"
#include "tests/loading/platforms.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine::interconnect_test {

namespace {

const std::string kRest =
    "layers:\n"
    "  chip:\n    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}\n"
    "  network:\n    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}\n";
const std::string kLink = "bandwidth: 2GBps, latency: 50ns";

Machine built(const std::string& topology, RankGrid grid, const std::string& size = "exact",
              const std::string& edges = "a b\nb c\n") {
    const Workspace files;
    files.write("net.edges", edges);
    MachineRequest request = request_for(
        files.write("m.yaml",
                    fmt::format("name: m\nsize: {}\ncores: 1\ntopology: {{{}, {}}}\n{}", size, topology, kLink, kRest)),
        grid);
    request.pairs = {};
    return build(request).machine;
}
Diagnostics refused(const std::string& topology, RankGrid grid = {1, 1}, const std::string& size = "exact",
                    const std::string& edges = "") {
    return faults_of([&] { built(topology, grid, size, edges); });
}

}  // namespace

TEST_CASE("a topology is a machine without an XML") {
    const Machine torus = built("kind: torus, dimensions: [4, 3, 2]", {24, 1});
    CHECK(torus.hosts == 24);
    CHECK(torus.routes.links(Host{0}, Host{23}) == 3);
    CHECK(torus.routes.gap(LinkId{0}) == Gap{1 / 2e9});
    CHECK(built("kind: fat_tree, children: [4, 4], parents: [1, 2]", {16, 1}).routes.links(Host{0}, Host{4}) == 4);
    CHECK(built("kind: dragonfly, groups: 3, chassis: 2, blades: 3, nodes: 1", {18, 1}).hosts == 18);
    CHECK(built("kind: hyperx, dimensions: [3, 2], hosts: 2", {12, 1}).routes.links(Host{0}, Host{11}) == 4);
    CHECK(built("kind: random_regular, switches: 8, degree: 3, hosts: 2", {16, 1}).hosts == 16);
    CHECK(built("kind: graph, file: net.edges, hosts: 2", {6, 1}).routes.links(Host{0}, Host{5}) == 4);
}

TEST_CASE("a fat tree by rule is the one that an XML of the same parameters is") {
    const Workspace files;
    Diagnostics faults;
    const auto platform = load_platform(files.source("p.xml", fat_tree_xml("2;4,4;1,2;1,2", 16)), no_pairs, faults);
    FatTreeRoutes expected = std::get<FatTreeRoutes>(platform.value().zone);
    expected.link_gap = Gap{1 / 2e9};
    const Machine own = built("kind: fat_tree, children: [4, 4], parents: [1, 2], cables: [1, 2]", {16, 1});
    CHECK(std::get<FatTreeRoutes>(own.routes.zone) == expected);
}

TEST_CASE("edges of a graph have a bandwidth and a latency of their own, or those of the topology") {
    const std::string edges = "a b 500MB/s 3us\nb c 20ns\nc d 8Gb/s\nd a\n";
    const Machine machine = built("kind: graph, file: net.edges", {4, 1}, "exact", edges);
    const auto route = [&](std::uint32_t from, std::uint32_t to) {
        std::vector<LinkId> links;
        machine.routes.append_links(Host{from}, Host{to}, links);
        return links;
    };
    const auto gap = [&](std::uint32_t from, std::uint32_t to) { return machine.routes.gap(route(from, to).at(1)); };
    CHECK(gap(0, 1) == Gap{1 / 500e6});
    CHECK(gap(1, 0) == Gap{1 / 500e6});
    CHECK(gap(1, 2) == Gap{1 / 2e9});  // the topology's
    CHECK(gap(2, 3) == Gap{1 / 1e9});
    CHECK(gap(3, 0) == Gap{1 / 2e9});
    // a route of three links has 50 ns for each of its hosts' links, and L includes the lowest latency of the three
    CHECK(machine.routes.extra_latency(Host{0}, Host{1}) == Time{50'000 + 3'000'000});
    CHECK(machine.routes.extra_latency(Host{2}, Host{1}) == Time{2 * 50'000});
    CHECK(machine.routes.extra_latency(Host{2}, Host{3}) == Time{2 * 50'000});
}

TEST_CASE("an override of a graph's links applies to edges of their own bandwidth and latency too") {
    const auto overridden = [](const std::string& links) {
        const Workspace files;
        files.write("net.edges", "a b 500MB/s 3us\nb c\n");
        Diagnostics faults;
        MachineRequest request =
            request_for(files.write("m.yaml", fmt::format("name: m\nsize: exact\ncores: 1\nlinks_in_L: 0\n"
                                                          "topology: {{kind: graph, file: net.edges, {}}}\n{}",
                                                          kLink, kRest)),
                        {3, 1});
        request.pairs = {};
        request.overrides.tree = input::parse_yaml(files.source("changes.yaml", "links: {" + links + "}"), faults);
        faults.raise();
        return build(request).machine.routes;
    };
    const auto gaps = [](const Routes& routes) {
        std::vector<double> all;
        for (const auto& [from, to] : {std::pair{0U, 1U}, {1U, 2U}}) {
            std::vector<LinkId> links;
            routes.append_links(Host{from}, Host{to}, links);
            all.push_back(1e9 * routes.gap(links[1]).seconds_per_byte);
        }
        return all;
    };
    CHECK(gaps(overridden("graph: {bandwidth: 0.1x}")) == std::vector<double>{20.0, 5.0});
    CHECK(gaps(overridden("all: {bandwidth: 1GBps}")) == std::vector<double>{1.0, 1.0});
    CHECK(overridden("graph: {latency: 2x}").extra_latency(Host{0}, Host{1}) == Time{2 * (3'000'000 + 2 * 50'000)});
    CHECK(overridden("graph: {latency: 1us}").extra_latency(Host{0}, Host{1}) == Time{3'000'000});
    CHECK(only(faults_of([&] { overridden("graph: {latency: 1000000000000x}"); }), cost_too_large).message ==
          "the latency of a link of the graph is too long");
}

TEST_CASE("topologies by rule grow") {
    CHECK(built("kind: torus, dimensions: [4]", {10, 1}, "fit").hosts == 10);
    const Machine hyperx = built("kind: hyperx, dimensions: [3, 2], hosts: 2", {20, 1}, "fit");
    CHECK(hyperx.notes == std::vector<std::string>{"the hyperx 3 x 2 x 2 of 12 nodes was grown to 3 x 4 x 2 of 24"});
    const Machine random = built("kind: random_regular, switches: 8, degree: 3, hosts: 2", {5, 5}, "fit");
    // 25 nodes need 13 switches, and an odd degree an even number of them
    CHECK(random.notes ==
          std::vector<std::string>{"the random graph of 8 switches and 16 nodes was grown to 14 and 28"});
    CHECK(random.routes.links(Host{0}, Host{27}) >= 3);
}

TEST_CASE("a dragonfly with global ports grows by groups, then by chassis") {
    // 4 blades x 2 ports = 8, so up to 9 groups of 4 hosts; 40 hosts need two chassis: 5 groups of 8
    const std::string small = "kind: dragonfly, groups: 2, chassis: 1, blades: 4, nodes: 1, global: 2";
    CHECK(std::get<DragonflyRoutes>(built(small, {36, 1}, "fit").routes.zone).groups == 9);
    const Machine larger = built(small, {40, 1}, "fit");
    CHECK(larger.notes == std::vector<std::string>{"the dragonfly 2 groups x 1 chassis x 4 blades x 1 of 8 nodes was "
                                                   "grown to 5 groups x 2 chassis x 4 blades x 1 of 40"});
}

TEST_CASE("a topology selects its routing") {
    const std::string ring = "kind: torus, dimensions: [8]";
    CHECK(built(ring, {8, 1}).routes.routing == Routing::minimal);
    CHECK(built(ring + ", routing: adaptive", {8, 1}).routes.routing == Routing::adaptive);
    const Routes valiant = built(ring + ", routing: valiant", {8, 1}).routes;
    const std::uint32_t over = std::get<TorusRoutes>(valiant.zone).intermediate(Host{0}, Host{1}).value();
    CHECK(valiant.links(Host{0}, Host{1}) == std::min(over, 8 - over) + std::min(over - 1, 9 - over));
    const std::string global = "kind: dragonfly, groups: 5, chassis: 1, blades: 2, nodes: 1, global: 2";
    CHECK(built(global + ", routing: adaptive", {10, 1}).routes.links(Host{0}, Host{6}) == 4);
}

TEST_CASE("a routing that a network does not have is a fault") {
    CHECK(summary_of(only(refused("kind: fat_tree, children: [4], routing: valiant"), bad_topology)) ==
          "m.yaml:4:52 bad_topology [valiant] a `fat_tree` has only minimal routes | expected `minimal`; only "
          "`dragonfly`, `hyperx` and `torus` have other routes");
    CHECK(only(refused("kind: graph, file: net.edges, routing: adaptive", {1, 1}, "exact", "a b\n"), bad_topology)
              .message == "a `graph` has only minimal routes");
    CHECK(only(refused("kind: torus, dimensions: [4], routing: adaptiv"), bad_choice).expected ==
          "did you mean `adaptive`?");
}

TEST_CASE("adaptive routing needs routes that are chosen link by link, and messages that hold links") {
    const Workspace files;
    const auto file = [&](const std::string& links, const std::string& holds) {
        return files.write(
            "m.yaml",
            fmt::format("name: m\nsize: exact\ncores: 1\nlinks: {{{}}}\n"
                        "topology: {{kind: torus, dimensions: [4], routing: adaptive, {}}}\nlayers:\n  network:\n"
                        "    - {{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [{}]}}\n",
                        links, kLink, holds));
    };
    const auto fault = [&](const std::string& links) {
        return only(faults_of([&] { check(file(links, "links")); }), conflicting_keys);
    };
    const auto refused = fault("arbitration: {pairs: 1, overhead: 1us}");
    CHECK(refused.message == "both adaptive routing and `arbitration` of `links` are given");
    CHECK(refused.expected ==
          "expected `minimal` or `valiant`: the pairs that share a link must be known before the run");
    CHECK(check(file("enabled: on", "links")).empty());
    const std::vector<std::string> notes = check(file("enabled: off", "links"));
    REQUIRE(notes.size() == 1);
    CHECK(notes.front().find("adaptive routing has the effect of `minimal`: no message of `network` holds `links`") !=
          std::string::npos);
}

TEST_CASE("a network from an edge file does not grow") {
    CHECK(only(refused("kind: graph, file: net.edges", {5, 1}, "fit", "a b\n"), cannot_grow).message ==
          "5 x 1 ranks in patches of 1 x 1 need 5 nodes, but this platform has 2 and cannot grow");
}

TEST_CASE("impossible sizes are faults") {
    CHECK(only(refused("kind: fat_tree, children: [4, 4], parents: [1]"), bad_topology).message ==
          "`parents` has 1 levels, but `children` has 2");
    CHECK(only(refused("kind: dragonfly, groups: 5, chassis: 1, blades: 4, nodes: 1"), bad_topology).message ==
          "there are 5 groups, but a chassis has only 4 blades");
    CHECK(only(refused("kind: dragonfly, groups: 5, chassis: 1, blades: 4, nodes: 1"), bad_topology).expected ==
          "expected no more groups than blades, since blade k of chassis 0 has the link to group k; or `global` links "
          "of each blade");
    CHECK(summary_of(
              only(refused("kind: dragonfly, groups: 10, chassis: 1, blades: 4, nodes: 1, global: 2"), bad_topology)) ==
          "m.yaml:4:37 bad_topology [10] there are 10 groups, but each has only 8 global ports: 1 x 4 blades with 2 "
          "each | expected at most 9 groups");
    CHECK(only(refused("kind: random_regular, switches: 7, degree: 3, hosts: 1"), bad_topology).message ==
          "7 switches cannot have 3 neighbours each");
    CHECK(only(refused("kind: random_regular, switches: 4, degree: 4, hosts: 1"), bad_topology).message ==
          "4 switches cannot have 4 neighbours each");  // each of 4 has only 3 others
    CHECK(only(refused("kind: random_regular, switches: 40, degree: 1, hosts: 1"), bad_topology).message ==
          "no connected graph was found");
    CHECK(only(refused("kind: torus, dimensions: [1]"), bad_topology).message == "the network has only one host");
    CHECK(only(refused("kind: torus, dimensions: []"), wrong_yaml_type).message ==
          "`dimensions` is not a list of whole numbers");
}

TEST_CASE("networks too large to be numbered are faults with the limit, before anything is stored") {
    CHECK(only(refused("kind: torus, dimensions: [1000000, 1000000, 1000000]"), platform_limits).message ==
          "the network would have about 1e+18 hosts");
    CHECK(only(refused("kind: fat_tree, children: [1000, 1000], parents: [100000, 100000]"), platform_limits).message ==
          "the network would have about 2e+13 links");
    CHECK(only(refused("kind: random_regular, switches: 20000, degree: 8, hosts: 1"), platform_limits).message ==
          "the table of routes of 20000 switches takes 381 MiB");
}

TEST_CASE("a kind, a key or a file that does not exist is a fault") {
    CHECK(only(refused("kind: tores, dimensions: [4]"), bad_choice).expected == "did you mean `torus`?");
    CHECK(only(refused("kind: torus, dimension: [4, 4], dimensions: [4, 4]"), unknown_key).expected ==
          "did you mean `dimensions`?");
    CHECK(only(refused("kind: hyperx, dimensions: [4, 4]"), missing_key).message == "`topology` has no `hosts`");
    CHECK(refused("kind: graph, file: nowhere").all()[0].kind == unreadable_file);
}

TEST_CASE("a topology needs `cores`, and replaces a platform") {
    const Workspace files;
    const auto reported = [&](const std::string& head) {
        const std::string network = fmt::format("topology: {{kind: torus, dimensions: [4], {}}}\n", kLink);
        const auto file = files.write("m.yaml", "name: m\nsize: exact\n" + head + network + kRest);
        return faults_of([&] { check(file); });
    };
    CHECK(only(reported(""), missing_key).message == "a hardware file has no `cores`");
    CHECK(only(reported("cores: 1\nplatform: p.xml\n"), conflicting_keys).message ==
          "both `topology` and `platform` are given");
    files.write("base.yaml", "name: m\nsize: exact\nplatform: p.xml\n" + kRest);
    CHECK(reported("cores: 1\nlike: base.yaml\n").render() == "");
}

}  // namespace warpfront::machine::interconnect_test

// Edge files: their contents and their faults.

namespace warpfront::machine::edge_file_test {

namespace {

Diagnostics refused(const std::string& text, const std::string& name = "net.edges") {
    const Workspace files;
    Diagnostics faults;
    CHECK_FALSE(read_edge_file(files.source(name, text), faults));
    return faults;
}

SwitchGraph read(const std::string& text, const std::string& name = "net.edges") {
    const Workspace files;
    Diagnostics faults;
    auto graph = read_edge_file(files.source(name, text), faults);
    faults.raise();
    return graph.value().graph;
}

using Stated = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Returns by link its bandwidth in MB/s and its latency in nanoseconds; 0 for values that its edge does not state.
Stated stated(const std::string& text, const std::string& name = "net.edges") {
    const Workspace files;
    Diagnostics faults;
    const auto file = read_edge_file(files.source(name, text), faults);
    faults.raise();
    Stated all;
    for (const EdgeFile::Own& own : file.value().own) {
        all.emplace_back(own.gap ? std::llround(1e-6 / own.gap->seconds_per_byte) : 0,
                         own.latency.value_or(Time{}).ps / 1000);
    }
    return all;
}
}  // namespace

TEST_CASE("the columns of an edge are a bandwidth and a latency, in either order, both ways") {
    // links: a to b, a to c, b to a, c to a
    CHECK(stated("a b 6GB/s 50ns  # copper\na c 3us 0.5ns/B\n") ==
          Stated{{6000, 50}, {2000, 3000}, {6000, 50}, {2000, 3000}});
    CHECK(stated("a b 6GB/s\nc a 3us\n") == Stated{{6000, 0}, {0, 3000}, {6000, 0}, {0, 3000}});
    CHECK(stated("a b\na c\n").empty());
    CHECK(stated("graph { a -- b [bandwidth=\"6GB/s\", latency=\"50ns\", color=red]; a -- c }", "net.dot") ==
          Stated{{6000, 50}, {0, 0}, {6000, 50}, {0, 0}});
}

TEST_CASE("columns that are neither a bandwidth nor a latency are faults at their positions") {
    const auto fault = [](const std::string& text) { return only(refused(text), bad_edge); };
    CHECK(summary_of(fault("a b\nb c d\n")) ==
          "net.edges:2:5 bad_edge [d] `d` is neither a bandwidth nor a latency | expected two switches and then, with "
          "their units, a bandwidth or a latency or both, such as `a b 6GB/s 50ns`");
    CHECK(fault("a b 6\n").message == "`6` is neither a bandwidth nor a latency");
    CHECK(marked(fault("a b 50ns 6GiB\n")) == "6GiB");
    CHECK(fault("a b 50nss\n").expected == "did you mean `ns`?");
    CHECK(summary_of(fault("a b 50ns 6us\n")) ==
          "net.edges:1:10 bad_edge [6us] `6us` is a second latency of this edge | expected at most one bandwidth and "
          "one latency");
    CHECK(fault("a b 6GB/s 6GB/s\n").message == "`6GB/s` is a second bandwidth of this edge");
    CHECK(summary_of(only(refused("a b 0GB/s\n"), out_of_range)).find("[0GB/s]") != std::string::npos);
    CHECK(marked(only(refused("a b -1ns\n"), out_of_range)) == "-1ns");
    const Diagnostic dot = only(refused("graph { a -- b [bandwidth=\"50ns\"] }", "net.dot"), wrong_unit);
    CHECK(summary_of(dot).find("net.dot:1:") == 0);
    CHECK(marked(dot) == "ns");
}

TEST_CASE("a Graphviz file is the same graph as its edges") {
    const SwitchGraph lines = read("a b\nb c\nc a\n");
    CHECK(read("graph net { a -- b; b -- c; c -- a; }", "net.dot") == lines);
}

TEST_CASE("comments and blank lines of an edge file are ignored") {
    CHECK(read("# a triangle\n\na b  # one side\n\tb c\r\nc a") == read("a b\nb c\nc a\n"));
}

TEST_CASE("a switch that cannot be reached is a fault at its first mention") {
    CHECK(summary_of(only(refused("a b\nc d\n"), unreachable_switch)) ==
          "net.edges:2:1 unreachable_switch [c] switch `c` cannot be reached from `a` | expected edges that join all "
          "switches");
}

TEST_CASE("edges that are none are faults") {
    CHECK(only(refused("a b\na\n"), bad_edge).message == "the line has only one name");
    CHECK(only(refused("a b\nb b\n"), bad_edge).message == "this edge joins `b` to itself");
    CHECK(only(refused("a b\nb a\n"), bad_edge).message == "`b` and `a` are joined twice");
    CHECK(only(refused(""), bad_edge).message == "the file has no edges");
    CHECK(only(refused("digraph { a -> b }", "net.gv"), bad_edge).message.find("this is not an undirected") == 0);
    CHECK(only(refused("graph {" + std::string(100'000, '{'), "net.gv"), bad_edge).message ==
          "this Graphviz file is too large, or nested too deeply");
}

TEST_CASE("more switches or neighbours than a table of routes holds are faults with the limit") {
    std::string path;
    for (int k = 0; k < 10'000; ++k) path += fmt::format("s{} s{}\n", k, k + 1);
    CHECK(only(refused(path), platform_limits).message == "the table of routes of 10001 switches takes 95 MiB");
    std::string star;
    for (int k = 0; k < 255; ++k) star += fmt::format("hub s{}\n", k);
    CHECK(only(refused(star), bad_edge).message == "switch `hub` has more than 254 neighbours");
}

}  // namespace warpfront::machine::edge_file_test
