// Delays: times that pass as they are. The machine (fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to 1000
// bytes.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

program::Program alone(std::int64_t delay, std::int64_t work) {
    return spmd({1, 1}, 1, [&](Rank) { return ClassBuilder().delay(delay).work(work).iteration().build(); });
}

/// Rank 0 delays and sends to rank 1, which delays and receives; 50 times.
program::Program pair_of_ranks() {
    return spmd({2, 1}, 50, [](Rank rank) {
        ClassBuilder builder;
        builder.loop(50);
        if (rank.index == 0) builder.delay(10 * us).send(1, 500);
        if (rank.index == 1) builder.delay(2 * us).recv(-1);
        return builder.iteration().end().build();
    });
}

}  // namespace

TEST_CASE("a delay passes before what follows it, and counts as computing") {
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) builder.delay(10 * us).send(1, 500);
        if (rank.index == 1) builder.delay(2 * us).recv(-1);
        return builder.iteration().build();
    });
    const record::Record record = engine::run(program, simple_machine({2, 1}), {});
    // 10 + 4 + 1 + 0.5, then 4 for the receive; rank 1 has waited from 2 on.
    CHECK(record.rank_finish[1] == WideTime{Time{19'500 * ns}});
    CHECK(record.rank_breakdown[0].compute == WideTime{Time{10 * us}});
    CHECK(record.rank_breakdown[1].compute == WideTime{Time{2 * us}});
    CHECK(record.rank_breakdown[1].wait == WideTime{Time{13'500 * ns}});
}

TEST_CASE("noise and speeds of ranks change work, but no delay") {
    const engine::Options half_speed{.noise = {.classes = {{1.0, 0.5}}}};
    const record::Record record = engine::run(alone(10 * us, 3 * us), simple_machine({1, 1}), half_speed);
    CHECK(record.finish == WideTime{Time{16 * us}});  // 10 + 2 * 3
    CHECK(record.breakdown->compute == WideTime{Time{16 * us}});
    const engine::Options noisy{.noise = {.cv = 0.5}};
    CHECK(engine::run(alone(10 * us, 0), simple_machine({1, 1}), noisy).finish == WideTime{Time{10 * us}});
}

TEST_CASE("a core that delays draws no memory bandwidth") {
    // Two cores on one memory, each of which draws all of it: rank 0 works 4 us, rank 1 delays 4 us and works 4 us.
    machine::Machine machine = simple_machine({2, 1}, {2, 1});
    machine.memory = machine::Memory{.bandwidth = {10e9}, .per_core = {10e9}, .count = 1};
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 1) builder.delay(4 * us);
        return builder.work(4 * us).iteration().build();
    });
    const record::Record record = engine::run(program, machine, {});
    CHECK(record.rank_finish[0] == WideTime{Time{4 * us}});
    CHECK(record.rank_finish[1] == WideTime{Time{8 * us}});
    CHECK(record.rank_breakdown[1].compute == WideTime{Time{8 * us}});
}

TEST_CASE("delays are the same whether iterations are skipped or stepped") {
    const record::Record full = engine::run(pair_of_ranks(), simple_machine({2, 1}), {.replay = engine::Replay::full});
    const record::Record skipped = engine::run(pair_of_ranks(), simple_machine({2, 1}), {});
    check_same_run(full, skipped);
    CHECK(skipped.work->messages_replayed < full.work->messages_replayed);
}

TEST_CASE("a delay on the critical path is computing") {
    const record::Record record = engine::run(alone(10 * us, 3 * us), simple_machine({1, 1}), {.path = true});
    REQUIRE(record.path);
    CHECK(record.path->compute == WideTime{Time{13 * us}});
}
