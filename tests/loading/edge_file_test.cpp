// Edge files: what they describe and their faults.
#include "simulator/machine/loading/edge_file.hpp"

#include <doctest/doctest.h>

#include "tests/loading/workspace.hpp"

namespace warpfront::machine::edge_file_test {

namespace {

using input::Diagnostic;
using input::DiagnosticKind;
using input::Diagnostics;

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

TEST_CASE("a Graphviz file is the same graph as its edges") {
    const SwitchGraph lines = read("a b\nb c\nc a\n");
    CHECK(read("graph net { a -- b; b -- c; c -- a; }", "net.dot") == lines);
}

TEST_CASE("comments and blank lines of an edge file are ignored") {
    CHECK(read("# a triangle\n\na b  # one side\n\tb c\r\nc a") == read("a b\nb c\nc a\n"));
}

TEST_CASE("a switch that cannot be reached is a fault at its first mention") {
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

}  // namespace warpfront::machine::edge_file_test
