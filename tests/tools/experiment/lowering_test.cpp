// Times that a model takes from the machine before its program is placed there.
#include "tools/answer/experiment/lowering.hpp"

#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"

namespace {

/// Two hosts, with a route between them or none; ranks that exchange messages only within an analytic region.
tools::Experiment experiment_with(const std::string& route) {
    const test::Scratch scratch;
    scratch.file("p.xml", test::platform_xml(R"(<zone id="w" routing="Floyd"><host id="a" speed="1Gf"/>
<host id="b" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="1us"/>)" +
                                             route + "</zone>"));
    scratch.file("p.yaml",
                 "name: p\nplatform: p.xml\nsize: exact\n"
                 "layers:\n  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n");
    scratch.file("m.psl",
                 "application m { iteration { analytic { work = 1us  tiles = 3  east_west = 8B  north_south = 8B\n"
                 "  corners = [northwest] } } }\n");
    return test::experiment_of(
        scratch.file("s.yaml", "model: m.psl\nplatform: p.yaml\nranks: {columns: 2, rows: 1}\n"));
}

}  // namespace

TEST_CASE("an analytic region takes the time of the closed form on the machine of its neighbours") {
    const tools::Experiment experiment = experiment_with("<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>");
    CHECK(experiment.program.of({0}).code.front().op == program::Op::delay);
    CHECK(experiment.program.of({0}).code.front().amount > 3'000'000);
}

TEST_CASE("a machine on which the neighbours of an analytic region have no route is a fault") {
    const input::Diagnostics faults = test::faults_of([] { experiment_with(""); });
    REQUIRE(faults.count() > 0);
    CHECK(faults.all()[0].kind == no_route);
}
