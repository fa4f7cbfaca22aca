// The loops that the benchmark measures against do the same work: they agree with the engine to the picosecond.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/benchmarks/bare_loop.hpp"
#include "tests/engine/fixtures.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

constexpr std::int64_t us = 1'000'000;

WideTime engine_time(std::int64_t bytes) {
    const RankGrid grid{7, 5};
    const auto program = wavefront({.grid = grid, .tiles = 9, .work = 11 * us, .bytes = bytes});
    return engine::run(program, simple_machine(grid), {}).rank_finish.back();
}

}  // namespace

TEST_CASE("the bare handshake loop takes the engine's time") {
    BareSweeps bare(7, 5, {4 * us, 1 * us, 3 * us, 11 * us});  // 2000 B at 1 ns/B
    CHECK(bare.handshake(9) == 9 * (6 * 5 + 7 * 4));
    CHECK(WideTime{Time{bare.last()}} == engine_time(2000));
}

TEST_CASE("the bare eager loop takes the engine's time") {
    BareSweeps bare(7, 5, {4 * us, 1 * us, 1 * us + 500'000, 11 * us});  // 500 B
    CHECK(bare.eager(9) == 9 * (6 * 5 + 7 * 4));
    CHECK(WideTime{Time{bare.last()}} == engine_time(500));
}
