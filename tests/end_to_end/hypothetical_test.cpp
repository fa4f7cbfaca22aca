// Machines that nobody has built: changed on the command line, or of a topology by rule.
#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

namespace {

double time_of(const std::string& sets) {
    return json_of("run " + kSmall + "--quiet --set 'ranks={columns: 8, rows: 8}' " + sets).at("time_s");
}

}  // namespace

TEST_CASE("a slower network makes a longer run, whatever of it is slower") {
    const double as_shipped = time_of("");
    for (const char* set : {"layers.network.L=10x", "layers.network.o_recv=2x", "layers.network.G=100x",
                            "bus.o_dma=2x", "nic.ejection=0.001x", "links.torus.bandwidth=0.001x"}) {
        CAPTURE(set);
        CHECK(time_of(fmt::format("--set platform.{}", set)) > as_shipped);
    }
    CHECK(time_of("--set platform.layers.network.o_send=1x") == as_shipped);
}

TEST_CASE("a changed platform stands in the result's scenario") {
    const auto result = json_of("run " + kSmall + "--quiet --set platform.links.torus.bandwidth=2x");
    CHECK(result.at("context").at("scenario").at("platform").at("links").at("torus").at("bandwidth") == "2x");
}

TEST_CASE("a code runs on any topology by rule") {
    for (const char* topology :
         {"kind: torus, dimensions: [4, 4]", "kind: fat_tree, children: [8, 4], parents: [1, 8]",
          "kind: dragonfly, groups: 4, chassis: 1, blades: 4, nodes: 2", "kind: hyperx, dimensions: [4, 4], hosts: 2",
          "kind: random_regular, switches: 16, degree: 4, hosts: 2, seed: 5"}) {
        CAPTURE(topology);
        CHECK(time_of(fmt::format("--set platform.cores=2 --set 'platform.topology="
                                  "{{{}, bandwidth: 6GBps, latency: 50ns}}'", topology)) > 0.0);
    }
}

TEST_CASE("a change of what a machine does not have ends with status 2 and the nearest name") {
    const Outcome outcome = invoke("run " + kSmall + "--set platform.links.torsu.bandwidth=2x");
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "did you mean `torus`?"));
}
