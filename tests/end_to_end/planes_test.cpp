// Process grids of three dimensions from the user's view: the shipped seven-point code against a calculation by hand,
// its results, faults and notes.
#include "tests/end_to_end/program.hpp"

namespace {

/// Writes the shipped code with blocks of 4 x 4 x 4 cells on a machine that shares nothing: o = 2 us on both sides, L =
/// 3 us, G = 10 ns/B, a node for each rank.
std::string halo(const Scratch& scratch, const std::string& ranks) {
    scratch.file("torus.xml",
                 platform_xml(R"(<cluster id="t" prefix="n" suffix="" radical="0-63" speed="1Gf" bw="1GBps" )"
                              R"(lat="0us" topology="TORUS" topo_parameters="4,4,4"/>)"));
    scratch.file("machine.yaml",
                 "name: plain\nplatform: torus.xml\nsize: exact\ncores: 8\nlayers:\n"
                 "  chip: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 0us, G: 1ns/B}]\n"
                 "  network: [{protocol: eager, o_send: 2us, o_recv: 2us, L: 3us, G: 10ns/B}]\n");
    const auto scenario = scratch.file(
        "s.yaml", fmt::format("model: {}/models/halo3d/halo3d.psl\nplatform: machine.yaml\nranks: {}\niterations: 2\n"
                              "cells_per_rank: {{x: 4, y: 4, z: 4}}\nparameters: {{wg: 1us}}\n",
                              WARPFRONT_SOURCE_DIR, ranks));
    return quoted(scenario);
}

}  // namespace

TEST_CASE("seven-point Jacobi on 2 x 2 x 2 ranks takes the time of a hand calculation") {
    // Every rank has three neighbours and sends a face of 16 cells, 128 B, to each: 3 * 2 us. The 2 * 2 * 2 inner cells
    // take 8 us. The last face has arrived by then: it left at 6 us and took 3 us + 1.28 us. Three receives take 3 * 2
    // us, the other 64 - 8 cells 56 us: 6 + 8 + 6 + 56 = 76 us an iteration.
    const Scratch scratch;
    const json result = json_of("run " + halo(scratch, "{columns: 2, rows: 2, planes: 2}"));
    CHECK(result["ranks"] == 8);
    CHECK(result["nodes"] == 8);
    CHECK(result["time_s"] == 152e-6);
    CHECK(result["work"]["messages"] == 8 * 3 * 2);
    CHECK(result["breakdown"]["compute_s"] == 128e-6);
    CHECK(result["breakdown"]["wait_s"] == 0.0);
    CHECK(result["context"]["scenario"]["ranks"].dump() == R"({"columns":2,"planes":2,"rows":2})");
}

TEST_CASE("the event engine and SimGrid agree on a process grid of three dimensions") {
    const Scratch scratch;
    const std::string run = "run " + halo(scratch, "{columns: 2, rows: 3, planes: 2}");
    const double event = json_of(run)["time_s"];
    CHECK(json_of(run + " --engine simgrid")["time_s"].get<double>() == approx(event).epsilon(1e-6));
}

TEST_CASE("the shipped scenario lies in the XT4's torus as it is: all neighbours are one link apart") {
    const Outcome outcome = invoke("check --platform platforms/xt4.yaml --scenario models/halo3d/halo3d.yaml");
    CHECK(outcome.status == 0);
    CHECK_MESSAGE(holds(outcome.out, "4096 on 2048 nodes"), outcome.out);
    CHECK_MESSAGE(holds(outcome.out, "1.00 links apart on average, 1 at most"), outcome.out);
}
