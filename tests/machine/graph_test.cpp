// Networks that no rule routes, and the HyperX beside them.
#include <doctest/doctest.h>

#include <set>

#include "simulator/machine/loading/edge_file.hpp"
#include "simulator/machine/routes/routes.hpp"
#include "tests/machine/workspace.hpp"

namespace warpfront::machine {

namespace {

using input::Diagnostic;
using input::DiagnosticKind;
using input::Diagnostics;

GraphRoutes routed(SwitchGraph graph, std::uint32_t hosts_each = 1) {
    GraphRoutes routes{.graph = std::move(graph), .hosts_each = hosts_each, .link_latency = Time{1000}};
    routes.find_routes();
    return routes;
}

std::vector<LinkId> over(const auto& routes, Host from, Host to) {
    std::vector<LinkId> links;
    routes.append_links(from, to, links);
    return links;
}

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
    return graph.value();
}

}  // namespace

TEST_CASE("a route through a graph is a shortest path between two host links") {
    // a ring of six switches, two hosts on each: from switch 0 to 2 over 1
    const GraphRoutes ring = routed(read("a b\nb c\nc d\nd e\ne f\nf a\n"), 2);
    CHECK(ring.hosts() == 12);
    CHECK(ring.links(Host{0}, Host{1}) == 2);  // both on switch 0
    CHECK(ring.links(Host{0}, Host{4}) == 4);
    CHECK(ring.links(Host{0}, Host{7}) == 5);  // half way round: 3 + 2
    CHECK(ring.latency(Host{0}, Host{4}) == Time{4000});
    CHECK(ring.diameter == 3);
    CHECK(ring.link_count() == 2 * 12 + 2 * 6);
}

TEST_CASE("of neighbours as near to the destination, its number picks one") {
    // s - m0, m1 - t, and t - u: s is switch 0, m0 1, m1 2, t 3, u 4
    const GraphRoutes routes = routed(read("s m0\ns m1\nm0 t\nm1 t\nt u\n"));
    // of m0 and m1 to t: 3 mod 2 = 1, so m1; to u: 4 mod 2 = 0, so m0
    // links: 10 of hosts, then s: m0 m1 (10, 11), m0: s t (12, 13), m1: s t (14, 15), t: m0 m1 u (16, 17, 18)
    CHECK(over(routes, Host{0}, Host{3}) == std::vector<LinkId>{{0}, {11}, {15}, {7}});
    CHECK(over(routes, Host{0}, Host{4}) == std::vector<LinkId>{{0}, {10}, {13}, {18}, {9}});
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

TEST_CASE("a seed is one graph, another seed another") {
    CHECK(random_regular(100, 4, Seed{1}) == random_regular(100, 4, Seed{1}));
    CHECK(random_regular(100, 4, Seed{1}) != random_regular(100, 4, Seed{2}));
}

TEST_CASE("a Graphviz file is the same graph as its edges") {
    const SwitchGraph lines = read("a b\nb c\nc a\n");
    CHECK(read("graph net { a -- b; b -- c; c -- a; }", "net.dot") == lines);
}

TEST_CASE("comments and blank lines of an edge file say nothing") {
    CHECK(read("# a triangle\n\na b  # one side\n\tb c\r\nc a") == read("a b\nb c\nc a\n"));
}

TEST_CASE("a switch that cannot be reached is a fault where it is first named") {
    const Diagnostic fault = only(refused("a b\nc d\n"), DiagnosticKind::unreachable_switch);
    CHECK(fault.message == "switch `c` cannot be reached from `a`");
    CHECK(line_of(fault) == 2);
}

TEST_CASE("edges that are none are faults") {
    CHECK(only(refused("a b\na\n"), DiagnosticKind::bad_edge).message == "1 names on a line");
    CHECK(only(refused("a b\nb b\n"), DiagnosticKind::bad_edge).message == "`b` is joined to itself");
    CHECK(only(refused("a b\nb a\n"), DiagnosticKind::bad_edge).message == "`b` and `a` are joined twice");
    CHECK(only(refused(""), DiagnosticKind::bad_edge).message == "no edges");
    CHECK(only(refused("digraph { a -> b }", "net.gv"), DiagnosticKind::bad_edge).message.find("no undirected") == 0);
    CHECK(only(refused("graph {" + std::string(100'000, '{'), "net.gv"), DiagnosticKind::bad_edge).message ==
          "this Graphviz file is too large, or nested too deeply");
}

TEST_CASE("more switches or neighbours than a table of routes holds are faults with a figure") {
    std::string path;
    for (int k = 0; k < 10'000; ++k) path += fmt::format("s{} s{}\n", k, k + 1);
    CHECK(only(refused(path), DiagnosticKind::platform_limits).message ==
          "10001 switches, whose table of routes takes 95 MiB");
    std::string star;
    for (int k = 0; k < 255; ++k) star += fmt::format("hub s{}\n", k);
    CHECK(only(refused(star), DiagnosticKind::bad_edge).message == "switch `hub` has more than 254 neighbours");
}

TEST_CASE("a hyperx corrects one coordinate by each link") {
    // 3 x 2 switches of 2 hosts; links: 24 of hosts, then 3 + 2 per switch
    const HyperXRoutes routes{{3, 2}, 2, Time{1000}, Gap{1e-9}};
    CHECK(routes.hosts() == 12);
    CHECK(routes.links(Host{0}, Host{1}) == 2);
    CHECK(routes.links(Host{0}, Host{4}) == 3);   // switch 2: the first dimension alone
    CHECK(routes.links(Host{0}, Host{11}) == 4);  // switch 5: both
    // up, switch 0 to column 2, switch 2 to row 1, down to host 11
    CHECK(over(routes, Host{0}, Host{11}) == std::vector<LinkId>{{0}, {24 + 0 * 5 + 2}, {24 + 2 * 5 + 3 + 1}, {23}});
    CHECK(routes.link_count() == 24 + 6 * 5);
}

}  // namespace warpfront::machine
