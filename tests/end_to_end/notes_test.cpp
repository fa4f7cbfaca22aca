// Contents that are no fault, but may surprise: reported by `check` and by `run`.
#include <vector>

#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

namespace {

/// Returns the output of `check` for the hardware file, of `check` for a scenario on it, and of `run` for the scenario.
std::vector<std::string> reported(const std::string& shared, const std::string& bandwidth) {
    const Scratch scratch;
    scratch.file("p.xml",
                 "<?xml version=\"1.0\"?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                 "<platform version=\"4.1\">\n<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-3\" "
                 "speed=\"1Gf\" core=\"1\" lat=\"1us\" bw=\"" +
                     bandwidth + "\"/>\n</platform>\n");
    const auto hardware = scratch.file(
        "h.yaml", "name: m\nplatform: p.xml\nsize: exact\n" + shared +
                      "layers:\n  network: [{protocol: eager, o_send: 1us, o_recv: 2us, L: 3us, G: 1ns/B}]\n");
    scratch.file("m.psl", "application one { iteration { recv from west  send 1000B to east } }\n");
    const auto scenario = scratch.file("s.yaml", "model: m.psl\nplatform: h.yaml\nranks: {columns: 2, rows: 1}\n");
    return {invoke("check " + quoted(hardware)).out, invoke("check " + quoted(scenario)).out,
            invoke("run " + quoted(scenario)).out};
}

}  // namespace

TEST_CASE("a bus, a NIC or links that no row holds are noted") {
    const std::string shared =
        "bus: {o_dma: 1us, G_dma: 1ns/B}\nnic: {injection: 200Gbps, ejection: 1GBps}\nlinks: {}\n";
    for (const std::string& text : reported(shared, "1GBps")) {
        CAPTURE(text);
        CHECK(holds(text, "h.yaml:4:6: no message waits for `bus`: no row of `layers` holds it\n"));
        CHECK(holds(text, "h.yaml:5:6: no message waits for `nic`: no row of `layers` holds it\n"));
        CHECK(holds(text, "h.yaml:6:8: no message waits for `links`: no row of `layers` holds it\n"));
    }
}

TEST_CASE("a bandwidth without a unit is noted with what SimGrid takes it for") {
    for (const std::string& text : reported("", "6")) {
        CAPTURE(text);
        CHECK(holds(text, "`6` has no unit in `bw`: SimGrid takes bytes per second\n"));
        CHECK_FALSE(holds(text, "Deprecated"));  // SimGrid's own words for it
    }
}

TEST_CASE("a machine about which nothing surprises has no notes") {
    for (const std::string& text : reported("", "6GBps")) {
        CAPTURE(text);
        CHECK_FALSE(holds(text, "note: "));
    }
}

TEST_CASE("the time per cell of another machine is noted") {
    CHECK(holds(invoke("run " + kSmall + "--set platform=../../platforms/infiniband.yaml ").out,
                "note: `wg`, `wg_fixup` as `models/sweep3d/billion.yaml` gives for `xt4.yaml`, but the platform is "
                "`infiniband.yaml`: not scaled, since neither states the speed of its processor\n"));
    CHECK_FALSE(holds(invoke("run " + kSmall + "--set platform=../../platforms/xt4-quad.yaml").out, "`wg`"));
}

TEST_CASE("twice the speed of the processor is half the time per cell for every engine, with a note") {
    const std::string small = "models/sweep3d/pentium3.yaml --set iterations=1 ";
    const std::string note =
        "note: `wg` of `models/sweep3d/pentium3.yaml` times 0.5, from `pentium3.yaml` (Pentium 3, 110 Mflop/s) to "
        "`pentium3.yaml` (Pentium 3, 220 Mflop/s)\n";
    CHECK(holds(invoke("run " + small + "--set platform.processor.speed=2x").out, note));
    for (const std::string engine : {"event", "analytic", "simgrid"}) {
        CAPTURE(engine);
        const std::string run = "run " + small + "--engine " + engine;
        CHECK(time_of(run + " --set platform.processor.speed=2x") ==
              time_of(run + " --set parameters.wg=1.024us"));  // 2.048 us / 2
    }
}

TEST_CASE("SimGrid's XML in place of a hardware file is refused where it is named") {
    const Outcome outcome = invoke("run " + kSmall + "--set platform=../../platforms/xt3.xml");
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "--set platform=../../platforms/xt3.xml:1:10: error: "));
    CHECK(holds(outcome.err, "`xt3.yaml` beside it names it"));
}

TEST_CASE("a time per byte that makes a message longer than virtual time is refused where it stands") {
    const Outcome outcome = invoke("run " + kSmall + "--set platform.layers.network.G=10000s/B");
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "network.G=10000s/B:1:27: error: a message of 1024 B takes 10240000 s"));
}
