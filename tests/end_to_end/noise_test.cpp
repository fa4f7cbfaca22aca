// Noise and unlike ranks, as a user meets them.
#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;
using nlohmann::json;

namespace {

const std::string kNoisySmall = kSmall + "--set noise.cv=0.1 ";

}  // namespace

TEST_CASE("noise of nothing gives every rank the time it has without noise") {
    const json plain = json_of("run " + kSmall);
    CHECK(json_of("run " + kSmall + "--set noise.cv=0").at("digest") == plain.at("digest"));
    CHECK(json_of("run " + kNoisySmall + "--set noise=off").at("digest") == plain.at("digest"));
    CHECK(json_of("run " + kSmall + "--set 'heterogeneity={classes: [{share: 1, speed: 1}]}'").at("digest") ==
          plain.at("digest"));
}

TEST_CASE("the seed is reported, and makes the run") {
    const json first = json_of("run " + kNoisySmall + "--set seed=5");
    CHECK(first.at("context").at("seed") == 5);
    CHECK(json_of("run " + kNoisySmall + "--set seed=5").at("digest") == first.at("digest"));
    CHECK(json_of("run " + kNoisySmall + "--set seed=6").at("digest") != first.at("digest"));
}

TEST_CASE("a run with noise says that it skipped nothing, and its parts add up") {
    const json result = json_of("run " + kNoisySmall);
    CHECK(holds(result.at("notes").dump(), "noise is on: every iteration was replayed"));
    CHECK(result.at("work").at("messages_replayed") == result.at("work").at("messages"));
    double parts = 0.0;
    for (const auto& [name, seconds] : result.at("breakdown").items()) parts += seconds.get<double>();
    CHECK(parts == doctest::Approx(result.at("time_s").get<double>()).epsilon(1e-12));
}

TEST_CASE("the closed form says that it knows no noise") {
    CHECK(holds(invoke("run " + kNoisySmall + "--engine analytic").out, "knows neither noise"));
    CHECK_FALSE(holds(invoke("run " + kSmall + "--engine analytic").out, "knows neither noise"));
}

TEST_CASE("a cost map slows the ranks it names, and is an input of the result") {
    const Scratch scratch;
    const auto map = scratch.file("costs.csv", "rank,factor\n5,3\n");
    const std::string mapped = "run " + kSmall + "--set heterogeneity.map=" + quoted(map);
    const json result = json_of(mapped);
    CHECK(result.at("time_s").get<double>() > json_of("run " + kSmall).at("time_s").get<double>());
    CHECK(result.at("context").at("inputs").contains(map.string()));
    CHECK(json_of(mapped + " --replay full").at("digest") == result.at("digest"));
}

TEST_CASE("a cost map's faults are reported with their places, a missing one where it is named") {
    const Scratch scratch;
    const auto map = scratch.file("costs.csv", "rank,factor\n16,3\n2,-1\n");
    const std::string run = "run " + kSmall + "--set heterogeneity.map=";
    const Outcome outcome = invoke(run + quoted(map));
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "costs.csv:2:1: error: `16` is out of range"));
    CHECK(holds(outcome.err, "costs.csv:3:3: error: `-1` is negative"));
    CHECK(invoke(run + "none.csv").status == 2);
    scratch.file("costs.csv", "rank,factor\n0,1e300\n");
    CHECK(holds(invoke(run + quoted(map)).err, "a compute block takes longer than 6.7 days"));
}
