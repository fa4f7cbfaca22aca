// The time in the output of `warpfront estimate`. The suite measures times, so no other tests run beside it.
//
// Not pinned here, in the whole suite: rates in messages per second, which depend on the host (tests/benchmarks prints
// them); memory and messages of other estimates (tests/engine, tests/end_to_end/estimate_test.cpp).
#include <doctest/doctest.h>

#include "tests/approx.hpp"
#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;
using nlohmann::json;

TEST_CASE("messages and memory of a run are estimated within a quarter, its time within a factor of five") {
    // On an idle host the time is accurate within a quarter as well; tests may run on a shared host.
    const std::string seconds =
        "models/sweep3d/billion.yaml --set parameters.nz=80 --set parameters.fixup_iterations=0 --set iterations=4 "
        "--set calibration=off --replay full";
    const json estimate = json_of("estimate " + seconds);
    const json work = json_of("run " + seconds).at("work");
    CHECK(estimate.at("schema") == "warpfront.estimate/1");
    CHECK(estimate.at("messages") == work.at("messages"));
    CHECK(estimate.at("messages_stepped") == work.at("messages_replayed"));
    for (const char* key : {"state_bytes", "peak_rss_bytes"}) {
        CAPTURE(key);
        CHECK(estimate.at(key).get<double>() == warpfront::test::approx(work.at(key).get<double>()).epsilon(0.25));
    }
    const double ratio = estimate.at("wall_s").get<double>() / work.at("wall_s").get<double>();
    CHECK(ratio > 0.2);
    CHECK(ratio < 5.0);
}
