// The program under valgrind, whose long double has 64 bits: it starts, and its times are the same. (Memory is what the
// sanitizers watch.)
#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

TEST_CASE("under valgrind an ensemble runs without a fault, to the same interval") {
    const std::string arguments = "run " + kSmall + "--set iterations=1 --set noise.cv=0.05 --seeds 2 --json -";
    const Outcome outcome =
        run_in(kRoot, fmt::format("valgrind --quiet --tool=none {} {}", quoted(WARPFRONT_PROGRAM), arguments));
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
    const nlohmann::json ensemble = nlohmann::json::parse(outcome.out).at("ensemble");
    const nlohmann::json natively = nlohmann::json::parse(invoke(arguments).out).at("ensemble");
    CHECK(ensemble.at("times_s") == natively.at("times_s"));
    CHECK(ensemble.at("ci95_s") == natively.at("ci95_s"));
}
