// What the engine cannot number is refused before the run begins.
#include <doctest/doctest.h>

#include <stdexcept>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"

using namespace warpfront;
using namespace warpfront::test;

TEST_CASE("65,536 ranks may share a node, one more may not") {
    const auto run = [](std::uint32_t ranks) {
        const RankGrid grid{ranks, 1};
        const auto program = spmd(grid, 1, [](Rank) { return ClassBuilder().work(1000).iteration().build(); });
        return engine::run(program, simple_machine(grid, {ranks, 1}, true), {});
    };
    CHECK(run(65'536).finish == WideTime{Wide{1000}});
    CHECK_THROWS_WITH_AS(run(65'537), "a node holds more ranks than the engine can number (2^16)", std::length_error);
}
