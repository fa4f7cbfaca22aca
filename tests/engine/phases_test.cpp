// Time by phase of the program. The machine (fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to 1000 bytes.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

constexpr std::uint32_t kWork = 1;
constexpr std::uint32_t kMessages = 2;

program::Program named(program::Program program) {
    program.phases = {"work", "messages"};
    return program;
}

/// A pipeline of `tiles` tiles along a row of ranks, with an allreduce, `iterations` times. Marks stand within the loop
/// of tiles, or around it.
program::Program row(std::uint32_t ranks, std::int64_t tiles, std::int64_t iterations, bool marks_within) {
    return named(spmd({ranks, 1}, iterations, [&](Rank rank) {
        ClassBuilder builder;
        builder.loop(iterations);
        if (!marks_within) builder.phase(kWork);
        builder.loop(tiles);
        if (marks_within) builder.phase(kMessages);
        if (rank.index > 0) builder.recv(-1);
        if (marks_within) builder.phase(kWork);
        builder.work(10 * us + rank.index * 100 * ns);
        if (marks_within) builder.phase(kMessages);
        if (rank.index + 1 < ranks) builder.send(1, 500);
        if (marks_within) builder.phase(0);
        builder.end();
        if (!marks_within) builder.phase(0);
        return builder.allreduce(8).iteration().end().build();
    }));
}

}  // namespace

TEST_CASE("a rank is in a phase from the mark that begins it to the next, waits included") {
    // West: works to 10, sends to 14; there at 10 + 4 + 1 + 0.5 = 15.5. East: receives to 19.5, works to 29.5.
    const program::Program program = named(spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 1) builder.phase(kMessages).recv(-1);
        builder.phase(kWork).work(10 * us);
        if (rank.index == 0) builder.phase(kMessages).send(1, 500);
        return builder.phase(0).work(2 * us).iteration().build();
    }));
    const record::Record record = engine::run(program, simple_machine({2, 1}), {});
    REQUIRE(record.phases);
    CHECK(record.phases->names == std::vector<std::string>{"work", "messages"});
    CHECK(record.phases->times[0] == std::vector<WideTime>{WideTime{Wide{10 * us}}, WideTime{Wide{10 * us}}});
    CHECK(record.phases->times[1] == std::vector<WideTime>{WideTime{Wide{4 * us}}, WideTime{Wide{19'500 * ns}}});
    CHECK(record.phases->outside == std::vector<WideTime>{WideTime{Wide{2 * us}}, WideTime{Wide{2 * us}}});
}

TEST_CASE("phases are the same whether iterations are skipped or stepped, on one thread and two") {
    for (const bool marks_within : {false, true}) {
        for (const bool bus : {false, true}) {
            CAPTURE(marks_within);
            CAPTURE(bus);
            const program::Program program = row(6, 200, 30, marks_within);
            REQUIRE(program::validate(program).empty());
            const machine::Machine machine = simple_machine({6, 1}, {2, 1}, bus);
            const record::Record full = engine::run(program, machine, {engine::Replay::full});
            CHECK(contradictions(full).empty());
            engine::Options options;
            const record::Record skipped = engine::run(program, machine, options);
            check_same_run(skipped, full);
            CHECK(skipped.work->messages_replayed < full.work->messages / 5);
            options.threads = 2;
            check_same_run(engine::run(program, machine, options), full);
        }
    }
}

TEST_CASE("a program without phases has none in its record") {
    CHECK_FALSE(engine::run(wavefront({.grid = {2, 1}, .work = us}), simple_machine({2, 1}), {}).phases);
}
