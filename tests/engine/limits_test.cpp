// What the engine can count, and what it refuses before the run begins.
#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/units/wave.hpp"
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

// Rank 0 sends 5000 eager messages while rank 1 works, 4 us each, and then asks for a rendezvous at 20,004 us, beside a
// channel on which both kinds are sent. Rank 1 takes the first at 30,000 us, 4 us each: the last eager one at 49,996.
// Then it posts the large one, whose request came at 20,005 us: acknowledged after 1 us, it leaves at 50,001 us.
TEST_CASE("a sender may be thousands of messages ahead of its receiver before it asks for a rendezvous") {
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) builder.loop(5000).send(1, 8).end().send(1, 2000);
        if (rank.index == 1) builder.work(30'000 * us).loop(5000).recv(-1).end().recv(-1);
        return builder.iteration().build();
    });
    for (const bool bus : {false, true}) {
        machine::Machine machine = simple_machine({2, 1}, {1, 1}, bus);
        if (bus) machine.bus = machine::Bus{};  // held for no time
        for (machine::ProfileRow& row : machine.profiles[2]) row.G = {};
        for (const unsigned threads : {1U, 2U}) {
            CAPTURE(threads);
            const record::Record record = engine::run(program, machine, {.threads = threads});
            CHECK(record.rank_finish[0] == WideTime{Wide{50'001 * us}});
            CHECK(record.rank_finish[1] == WideTime{Wide{50'001 * us + 1 * us + 4 * us}});
        }
    }
}

TEST_CASE("an iteration may have more than 2^20 waves") {
    const auto program = wavefront({.grid = {1, 1}, .tiles = (1 << 20) + 5, .work = 1000, .iterations = 3});
    const record::Record record = engine::run(program, simple_machine({1, 1}), {.replay = engine::Replay::full});
    REQUIRE(record.iterations.size() == 1);
    CHECK(record.iterations.front().first == WideTime{Wide{((1 << 20) + 5) * 1000}});
    CHECK(record.iterations.front().second == 3);
}

TEST_CASE("more waves in an iteration than can be counted are refused") {
    engine::RankLine line;
    line.wave = (std::uint64_t{1} << kWaveBits) - 2;
    engine::add_waves(line, 1);
    CHECK_THROWS_WITH_AS(engine::add_waves(line, 1),
                         "an iteration has more trips of loops than the engine can count (2^34)", std::length_error);
}
