#include "tools/answer/experiment/repeated_draws.hpp"

#include "simulator/engine/stepping/iteration_tracker.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"

namespace warpfront::tools {

namespace {

/// Returns R of ranks of the XT4, four on each node, that do `body` in each iteration.
std::int64_t repeats_after(const std::string& noise, const std::string& body, int ranks = 8, int iterations = 500) {
    const test::Scratch scratch;
    scratch.file("m.psl", "application m { iteration k { " + body + " } }\n");
    const auto scenario = scratch.file(
        "s.yaml", fmt::format("model: m.psl\nplatform: {{file: {}/platforms/xt4.yaml, cores: 4}}\n"
                              "ranks: {{columns: {}, rows: 1}}\nnode: {{columns: 4, rows: 1}}\niterations: {}\n"
                              "calibration: off\nnoise: {{{}}}\n",
                              WARPFRONT_SOURCE_DIR, ranks, iterations, noise));
    return test::experiment_of(scenario).noise.repeats_after;
}

const std::string kHundredPerSecond = "redrawn: off, interruptions: {per_second: 100, length: 1us}";

const std::string kTenShort = "if k <= 10 { compute 1us } else { repeat 100 { compute 1us allreduce 8B } }";

}  // namespace

TEST_CASE("blocks that vary repeat after 1,000 of them") {
    // 8 ranks with 2 blocks each, 16 in an iteration: 62 iterations have 992, 63 have 1,008.
    CHECK(repeats_after("redrawn: off, cv: 0.1", "compute 1us send 8B to east recv from west compute 1us") == 63);
    CHECK(repeats_after("redrawn: off, cv: 0.1", "repeat 500 { compute 1us compute 2us compute 0us }") == 63);
    CHECK(repeats_after("redrawn: off, cv: 0.1", "repeat 500 { send 8B to east recv from west compute 1us }") == 1);
    CHECK(repeats_after("cv: 0.1", "compute 1us") == 0);
}

TEST_CASE("interruptions repeat after 100 of them, or with the last iteration") {
    // 8 ranks compute 5 ms each: 100 * 0.04 = 4 interruptions in an iteration; 10 us each: 0.008.
    CHECK(repeats_after(kHundredPerSecond, "compute 5ms") == 25);
    CHECK(repeats_after(kHundredPerSecond, "compute 10us") == 500);
    CHECK(repeats_after(kHundredPerSecond, "compute 1s") == 1);
}

TEST_CASE("ranks whose interruptions an idle core takes do not count") {
    // Two of the 6 ranks are on a node with two idle cores; the others compute 20 ms: 2 interruptions.
    CHECK(repeats_after(kHundredPerSecond, "compute 5ms", 6) == 50);
}

TEST_CASE("the iterations after which noise repeats do not depend on those that follow") {
    // 8 blocks in each of the first 10 iterations, 800 in later ones: 80 + 800 + 800.
    for (const int iterations : {20, 40, 400}) {
        CAPTURE(iterations);
        CHECK(repeats_after("redrawn: off, cv: 0.1", kTenShort, 8, iterations) == 12);
    }
    CHECK(repeats_after("redrawn: off, cv: 0.1", kTenShort, 8, 5) == 5);
}

static_assert(kMostIterations == engine::Iterations::kLongestPeriod);

TEST_CASE("noise repeats before its iterations send more than 10,000,000 messages") {
    // 7 ranks send 100,000 messages in an iteration: 14 iterations have 9,800,000.
    CHECK(repeats_after(kHundredPerSecond, "compute 10us repeat 100000 { send 8B to east recv from west }") == 14);
    CHECK(repeats_after(kHundredPerSecond, "compute 10us repeat 10000000 { send 8B to east recv from west }") == 1);
}

}  // namespace warpfront::tools
