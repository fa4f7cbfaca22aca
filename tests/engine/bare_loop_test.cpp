// The reference of the benchmark does the same work as the engine: both agree to the picosecond.
#include "tests/benchmarks/bare_loop.hpp"
#include "simulator/engine/engine.hpp"
#include "tests/benchmarks/plain_engine.hpp"
#include "tests/engine/fixtures.hpp"

namespace {

WideTime engine_time(std::int64_t bytes, bool bus = false) {
    const RankGrid grid{7, 5};
    const auto program = wavefront({.grid = grid, .tiles = 9, .work = 11 * us, .bytes = bytes});
    return engine::run(program, simple_machine(grid, {}, bus), {}).rank_finish.back();
}

}  // namespace

TEST_CASE("the bare rendezvous loop takes the engine's time") {
    BareSweeps bare(7, 5, {4 * us, 1 * us, 3 * us, 11 * us});  // 2000 B at 1 ns/B
    CHECK(bare.rendezvous(9) == 9 * (6 * 5 + 7 * 4));
    CHECK(WideTime{Time{bare.last()}} == engine_time(2000));
}

TEST_CASE("the bare eager loop takes the engine's time") {
    BareSweeps bare(7, 5, {4 * us, 1 * us, 1 * us + 500'000, 11 * us});  // 500 B
    CHECK(bare.eager(9) == 9 * (6 * 5 + 7 * 4));
    CHECK(WideTime{Time{bare.last()}} == engine_time(500));
}

TEST_CASE("the plain engine takes the engine's time, with a bus on every node and with one that delays no message") {
    const BareCosts costs{4 * us, 1 * us, 3 * us, 11 * us};
    PlainSweeps unshared(7, 5, costs, 0);
    CHECK(unshared.run(9) == 9 * (6 * 5 + 7 * 4));
    CHECK(WideTime{Time{unshared.last()}} == engine_time(2000));
    PlainSweeps shared(7, 5, costs, 3 * us + 200'000);  // 2000 B at 0.1 ns/B
    CHECK(shared.run(9) == 9 * (6 * 5 + 7 * 4));
    CHECK(WideTime{Time{shared.last()}} == engine_time(2000, true));
}
