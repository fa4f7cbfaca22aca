// Nodes that do what they did a tile ago rest, while the front of the sweep goes on: nothing may change by that.
#include <algorithm>

#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

constexpr std::int64_t us = 1'000'000;

struct Runs {
    engine::Record full;
    engine::Record resting;
};

Runs run_both(const program::Program& program, const machine::Machine& machine, unsigned threads = 1) {
    return {engine::run(program, machine, {.replay = engine::Replay::full}),
            engine::run(program, machine, {.replay = engine::Replay::auto_, .threads = threads})};
}

bool says_of_rest(const engine::Record& record) {
    return std::any_of(record.notes.begin(), record.notes.end(), [](const std::string& note) {
        return note.ends_with("within sweeps skipped: their nodes' states recurred exactly");
    });
}

std::uint64_t one_in(std::uint64_t part, const engine::Record& whole) { return whole.work->messages / part; }

}  // namespace

TEST_CASE("where the front never reaches the end before the beginning is done, most tiles are skipped all the same") {
    // 40 x 40 ranks have 79 diagonals, the sweep 60 tiles: never are all ranks in it.
    const RankGrid grid{40, 40};
    const auto program = wavefront({.grid = grid, .tiles = 60, .work = 10 * us, .bytes = 2000});
    for (const unsigned threads : {1U, 2U, 5U}) {
        CAPTURE(threads);
        const Runs runs = run_both(program, crowded_torus(grid, {1, 1}), threads);
        check_same_run(runs.resting, runs.full);
        CHECK(runs.resting.work->messages_replayed < one_in(2, runs.full));
    }
}

TEST_CASE("a note tells how many messages were skipped, and with those stepped they are all") {
    const RankGrid grid{30, 10};
    const auto program = wavefront({.grid = grid, .tiles = 80, .work = 10 * us, .bytes = 2000});
    const engine::Record record = engine::run(program, crowded_torus(grid, {2, 1}), {});
    REQUIRE(record.notes.size() == 1);
    const std::uint64_t skipped = record.work->messages - record.work->messages_replayed;
    CHECK(record.notes.front() ==
          std::to_string(skipped) + " messages within sweeps skipped: their nodes' states recurred exactly");
}

TEST_CASE("sweeps that meet wake each other's nodes") {
    const RankGrid grid{24, 16};
    for (const std::int64_t bytes : {500, 2000}) {
        CAPTURE(bytes);
        const auto program = wavefront({.grid = grid, .tiles = 50, .work = 7 * us + 3, .bytes = bytes,
                                        .starts = {0, 3, 1, 2, 2, 0}, .allreduces = 2, .iterations = 2});
        for (const machine::Machine& machine : {crowded_torus(grid, {2, 1}), crowded_torus(grid, {2, 2})}) {
            const Runs runs = run_both(program, machine);
            check_same_run(runs.resting, runs.full);
        }
    }
}

TEST_CASE("a slow rank in the middle sets another pace behind it than before it") {
    const RankGrid grid{60, 1};
    const auto program = spmd(grid, 1, [](Rank rank) {
        ClassBuilder builder;
        builder.loop(200);
        if (rank.index > 0) builder.recv(-1);
        builder.work(rank.index == 30 ? 13 * us : 10 * us);
        if (rank.index < 59) builder.send(1, 2000);
        builder.end().iteration();
        return builder.build();
    });
    const Runs runs = run_both(program, crowded_torus(grid, {2, 1}));
    check_same_run(runs.resting, runs.full);
    CHECK(runs.resting.work->messages_replayed < one_in(2, runs.full));
}

TEST_CASE("collectives that cross the links of nodes at rest wake them first") {
    // Ranks of the first half leave the sweep early and go to the allreduce, over links that the others still use.
    const RankGrid grid{32, 4};
    const auto program = spmd(grid, 3, [](Rank rank) {
        ClassBuilder builder;
        const bool early = rank.index % 32 < 16;
        builder.loop(3).loop(early ? 10 : 150);
        if (rank.index % 16 > 0) builder.recv(-1);
        builder.work(10 * us);
        if (rank.index % 16 < 15) builder.send(1, 2000);
        builder.end().allreduce(8).allreduce(3000).iteration().end();
        return builder.build();
    });
    const Runs runs = run_both(program, crowded_torus(grid, {1, 1}), 2);
    check_same_run(runs.resting, runs.full);
    CHECK(runs.resting.work->messages_replayed < one_in(2, runs.full));
}

TEST_CASE("where a collective's message may leave in the window in which it is begun, no node rests") {
    // It costs its sender no time, so it leaves as soon as it is begun: too late to wake nodes at rest whose links it
    // takes.
    const RankGrid grid{30, 10};
    const auto program = wavefront({.grid = grid, .tiles = 80, .work = 10 * us, .bytes = 2000, .allreduces = 1});
    machine::Machine machine = crowded_torus(grid, {2, 1});
    CHECK(says_of_rest(engine::run(program, machine, {})));
    for (machine::ProfileRow& row : machine.layers[2]) row.o_send = {0};
    const Runs runs = run_both(program, machine);
    check_same_run(runs.resting, runs.full);
    CHECK_FALSE(says_of_rest(runs.resting));
}
