// Any number of processes gives the same bits.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/comparison/threads_as_processes.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/threads/machines.hpp"

using namespace warpfront;
using namespace warpfront::test;

TEST_CASE(
    "two, three and five processes agree with one on every rank's time, on the breakdown and on what was stepped") {
    const RankGrid grid{10, 6};
    for (const std::int64_t bytes : {500, 2000}) {
        const program::Program program = sweeps(grid, bytes);
        for (const Experiment& each : machines(grid, {2, 1})) {
            CAPTURE(each.name);
            CAPTURE(bytes);
            const record::Record one = engine::run(program, each.machine, {.replay = engine::Replay::full});
            for (const std::uint32_t processes : {2U, 3U, 5U}) {
                if (kSanitized && processes != (bytes == 500 ? 2 : 5)) continue;
                CAPTURE(processes);
                ThreadsAsProcesses group(processes);
                const record::Record many =
                    group.run(program, each.machine, {.replay = engine::Replay::full, .threads = 1});
                check_same_run(many, one);
                CHECK(many.work->messages_replayed == one.work->messages_replayed);
                CHECK(many.work->collective_messages_replayed == one.work->collective_messages_replayed);
                CHECK(many.work->threads == processes);
            }
        }
    }
}

TEST_CASE("two processes of two threads each skip the iterations that one process skips") {
    const RankGrid grid{8, 6};
    program::Program program = wavefront({.grid = grid,
                                          .tiles = 5,
                                          .work = 3 * us + 7,
                                          .bytes = 2000,
                                          .starts = {3, 1, 2, 0},
                                          .allreduces = 2,
                                          .iterations = kSanitized ? 25 : 60});
    for (const Experiment& each : machines(grid, {2, 1})) {
        CAPTURE(each.name);
        const record::Record one = engine::run(program, each.machine, {.replay = engine::Replay::full});
        ThreadsAsProcesses group(2);
        const record::Record four = group.run(program, each.machine, {.replay = engine::Replay::auto_, .threads = 2});
        check_same_run(four, one);
        CHECK(four.work->messages_replayed < one.work->messages_replayed / 3);
        CHECK(four.work->processes == 2);
        CHECK(four.work->threads == 4);
    }
}

TEST_CASE("processes agree under noise") {
    const RankGrid grid{8, 6};
    const program::Program program = sweeps(grid, 2000);
    const machine::Machine machine = crowded_torus(grid, {2, 1});
    const variation::Noise noise{
        .cv = 0.3, .detours = variation::Detours{{100 * us}, {5 * us}}, .classes = {{0.7, 1.0}, {0.3, 0.5}}};
    ThreadsAsProcesses group(3);
    check_same_run(group.run(program, machine, {.noise = noise, .seed = {11}}),
                   engine::run(program, machine, {.noise = noise, .seed = {11}}));
}

TEST_CASE("of more processes than the machine has nodes some have nothing to step") {
    const RankGrid grid{4, 1};
    const program::Program program = sweeps(grid, 2000);
    const machine::Machine machine = crowded_torus(grid, {2, 1});  // two nodes
    ThreadsAsProcesses group(3);
    check_same_run(group.run(program, machine, {}), engine::run(program, machine, {}));
}

TEST_CASE("process 0 alone steps a machine whose events have to be stepped in order, and says so") {
    const RankGrid grid{4, 2};
    const program::Program program = sweeps(grid, 2000);
    machine::Machine machine = crowded_torus(grid, {2, 1});
    for (machine::ProfileRow& row : machine.profiles[2]) row.L = Time{};
    ThreadsAsProcesses group(2);
    const record::Record two = group.run(program, machine, {.replay = engine::Replay::full});
    check_same_run(two, engine::run(program, machine, {}));
    REQUIRE(two.notes.size() == 1);
    CHECK(two.notes.front() == "one process: the machine has no lookahead, so its events are stepped in order");
}

TEST_CASE("a deadlock is one of all processes, with the ranks of all") {
    const RankGrid grid{4, 1};
    const program::Program program = spmd(grid, 1, [](Rank rank) {
        ClassBuilder builder;
        const std::int32_t peer = rank.index % 2 == 0 ? 1 : -1;
        builder.recv(peer).send(peer, 900);
        return builder.build();
    });
    const machine::Machine machine = crowded_torus(grid, {1, 1});
    ThreadsAsProcesses group(2);
    std::vector<bool> others;
    try {
        group.run(program, machine, {}, &others);
        FAIL("no deadlock");
    } catch (const engine::Deadlock& deadlock) {
        REQUIRE(deadlock.blocked().size() == 4);
        for (std::uint32_t rank = 0; rank < 4; ++rank) CHECK(deadlock.blocked()[rank].rank == Rank{rank});
    }
    CHECK(others == std::vector<bool>{true});
}

TEST_CASE("what one process fails with all fail with") {
    const RankGrid grid{4, 1};
    const program::Program program = spmd(grid, 1, [](Rank rank) {
        ClassBuilder builder;
        for (int k = 0; rank.index == 3 && k < 3; ++k) builder.work(std::int64_t{1} << 61);
        return builder.build();
    });
    const machine::Machine machine = crowded_torus(grid, {1, 1});
    for (const std::uint32_t processes : {2U, 4U}) {
        ThreadsAsProcesses group(processes);
        std::vector<bool> others;
        try {
            group.run(program, machine, {}, &others);
            FAIL("no overflow");
        } catch (const engine::TimeOverflow& overflow) {
            CHECK(overflow.rank() == Rank{3});
        }
        CHECK(others == std::vector<bool>(processes - 1, true));
    }
}

TEST_CASE("queues that grow beyond their memory end all processes, which name the same channel") {
    const RankGrid grid{2, 1};
    const program::Program program = spmd(grid, 1, [](Rank rank) {
        ClassBuilder builder;
        builder.loop(100'000);
        if (rank.index == 0) builder.send(1, 100);
        if (rank.index == 1) builder.work(1000 * us).recv(-1);
        return builder.end().build();
    });
    const machine::Machine machine = simple_machine(grid, {1, 1}, true);
    ThreadsAsProcesses group(2);
    std::vector<bool> others;
    try {
        group.run(program, machine, {.queue_memory = Bytes{1 << 16}}, &others);
        FAIL("no end");
    } catch (const engine::MemoryExhausted& exhausted) {
        CHECK(exhausted.found().from == Rank{0});
        CHECK(exhausted.found().to == Rank{1});
        CHECK(exhausted.found().queued > 0);
    }
    CHECK(others == std::vector<bool>{true});
}
