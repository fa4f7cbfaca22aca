// Cores that share memory bandwidth: while k of them compute, each takes max(1, k * per_core / bandwidth) times as
// long.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

/// A memory of 10 GB/s for every so many of the four cores of a node; one computing core draws 10 GB/s.
machine::Machine four_cores(std::uint32_t memories, double per_core = 10e9) {
    machine::Machine machine = simple_machine({4, 1}, {4, 1});
    machine.memory = machine::Memory{.bandwidth = {10e9}, .per_core = {per_core}, .count = memories};
    return machine;
}

/// Rank r computes one block of work[r]; ranks beyond do nothing.
program::Program blocks(const std::vector<std::int64_t>& work) {
    return spmd({4, 1}, 1, [&](Rank rank) {
        ClassBuilder builder;
        if (rank.index < work.size()) builder.work(work[rank.index]);
        return builder.iteration().build();
    });
}

}  // namespace

TEST_CASE("two cores that compute at once share the bandwidth evenly") {
    // 10 us each at half speed
    const record::Record record = engine::run(blocks({10 * us, 10 * us}), four_cores(1), {});
    CHECK(record.rank_finish[0] == WideTime{Time{20 * us}});
    CHECK(record.rank_finish[1] == WideTime{Time{20 * us}});
}

TEST_CASE("a block is slowed only while another computes") {
    // Both at half speed until rank 0 has done its 4 us, at 8; rank 1 has 6 us of its 10 left: done at 14.
    const record::Record record = engine::run(blocks({4 * us, 10 * us}), four_cores(1), {});
    CHECK(record.rank_finish[0] == WideTime{Time{8 * us}});
    CHECK(record.rank_finish[1] == WideTime{Time{14 * us}});
}

TEST_CASE("a block that begins later slows those that have begun") {
    // Rank 0 sends to rank 1 on the chip (2 us busy, there at 2, received to 4) and computes 10 us from 2 on. Rank 1
    // computes 3 us from 4 on: at half speed to 10. Rank 0 has 8 us left at 4, 5 at 10: done at 15.
    const auto program = spmd({4, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) builder.send(1, 8).work(10 * us);
        if (rank.index == 1) builder.recv(-1).work(3 * us);
        return builder.iteration().build();
    });
    const record::Record record = engine::run(program, four_cores(1), {});
    CHECK(record.rank_finish[1] == WideTime{Time{10 * us}});
    CHECK(record.rank_finish[0] == WideTime{Time{15 * us}});
}

TEST_CASE("cores of different memories do not slow each other") {
    // two memories: cores 0 and 1, 2 and 3
    const record::Record apart = engine::run(blocks({10 * us, 0, 10 * us}), four_cores(2), {});
    CHECK(apart.rank_finish[0] == WideTime{Time{10 * us}});
    CHECK(apart.rank_finish[2] == WideTime{Time{10 * us}});
}

TEST_CASE("computing takes what it takes alone while the bandwidth suffices for all") {
    // four cores of 2.5 GB/s draw the 10 GB/s that there are
    const record::Record record = engine::run(blocks({10 * us, 9 * us, 8 * us, 7 * us}), four_cores(1, 2.5e9), {});
    CHECK(record.rank_finish[0] == WideTime{Time{10 * us}});
    CHECK(record.rank_finish[3] == WideTime{Time{7 * us}});
}

TEST_CASE("the time that a block really takes is computing") {
    const record::Record record = engine::run(blocks({4 * us, 10 * us}), four_cores(1), {});
    REQUIRE(record.last == Rank{1});
    CHECK(record.breakdown->compute == WideTime{Time{14 * us}});
    CHECK(record.breakdown->total() == record.finish);
}

TEST_CASE("with shared memory bandwidth runs are the same full and skipped, on one thread and three") {
    const RankGrid grid{8, 6};
    for (const std::int64_t bytes : {500, 2000}) {
        const auto program = wavefront({.grid = grid,
                                        .tiles = 40,
                                        .work = 7 * us,
                                        .bytes = bytes,
                                        .starts = {0, 3, 1, 2},
                                        .allreduces = 1,
                                        .iterations = 12});
        machine::Machine machine = crowded_torus(grid, {4, 2});
        machine.memory = machine::Memory{.bandwidth = {25e9}, .per_core = {10e9}, .count = 2};
        const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
        check_same_run(full, engine::run(program, machine, {}));
        check_same_run(full, engine::run(program, machine, {.replay = engine::Replay::full, .threads = 3}));
    }
}

TEST_CASE("a machine without lookahead gives the same as one whose windows are narrow, with shared memory bandwidth") {
    const RankGrid grid{4, 2};
    const auto program = wavefront({.grid = grid,
                                    .tiles = 20,
                                    .work = 7 * us,
                                    .bytes = 500,
                                    .starts = {0, 3, 1, 2},
                                    .allreduces = 0,
                                    .iterations = 4});
    machine::Machine machine = simple_machine(grid, {2, 2}, true);
    machine.memory = machine::Memory{.bandwidth = {25e9}, .per_core = {10e9}};
    for (machine::ProfileRow& row : machine.profiles[2]) row.L = row.o_send = row.o_recv = {}, row.G = {};
    const record::Record in_order = engine::run(program, machine, {.replay = engine::Replay::full});
    check_same_run(in_order, engine::run(program, machine, {}));
    // a latency of 1.024 ns, the least window, changes every path by no more than that per message
    for (machine::ProfileRow& row : machine.profiles[2]) row.L = Time{1024};
    const record::Record in_windows = engine::run(program, machine, {.replay = engine::Replay::full});
    CHECK(in_windows.finish >= in_order.finish);
    CHECK(in_windows.finish - in_order.finish < WideTime{Time{1 * us}});
}
