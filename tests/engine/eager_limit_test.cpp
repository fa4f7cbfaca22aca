// Where the machine limits eager messages that no receive is posted for, a sender that would go beyond waits for posts.
//
// Times of simple_machine with G = 0: eager up to 1000 bytes, o_send = o_recv = 4 us, L = 1 us, and so an answer is
// back 1 us after a post.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/estimate.hpp"
#include "simulator/engine/state/eager_window.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

machine::Machine limited(machine::EagerLimit limit, bool bus = false) {
    machine::Machine machine = simple_machine({2, 1}, {1, 1}, bus);
    for (machine::ProfileRow& row : machine.profiles[2]) row.G = {};
    if (bus) machine.bus = machine::Bus{};  // held for no time
    machine.eager_limit = limit;
    return machine;
}

/// Rank 0 sends `count` messages one after another; rank 1 works 100 us, then takes them.
program::Program burst(int count, std::int64_t bytes) {
    return spmd({2, 1}, 1, [=](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 1) builder.work(100 * us);
        builder.loop(count);
        if (rank.index == 0) builder.send(1, bytes);
        if (rank.index == 1) builder.recv(-1);
        return builder.end().iteration().build();
    });
}

void check_finish(const program::Program& program, machine::EagerLimit limit, std::int64_t sender) {
    for (const bool bus : {false, true}) {
        for (const unsigned threads : {1U, 2U}) {
            CAPTURE(bus);
            CAPTURE(threads);
            const record::Record record = engine::run(program, limited(limit, bus), {.threads = threads});
            CHECK(record.rank_finish[0] == WideTime{Wide{sender}});
        }
    }
}

}  // namespace

TEST_CASE("without a limit the sender is done when its overheads are: 4 x 4 us") {
    CHECK(engine::run(burst(4, 8), simple_machine({2, 1}), {}).rank_finish[0] == WideTime{Wide{16 * us}});
}

// The third message waits for the first post, made at 100 us, and leaves at 101 us. The fourth, its overhead over at
// 105 us, waits for the second post: rank 1 has taken the first message at 104 us, so it leaves at 105 us.
TEST_CASE("two messages may wait for their posts; the third and the fourth wait for the first and the second post") {
    check_finish(burst(3, 8), {.messages = 2}, 101 * us);
    check_finish(burst(4, 8), {.messages = 2}, 105 * us);
}

TEST_CASE("what is limited in bytes holds as many messages as fit: 300 B take two of 100 B after each other, not 4") {
    check_finish(burst(3, 100), {.bytes = Bytes{300}}, 12 * us);
    check_finish(burst(4, 100), {.bytes = Bytes{300}}, 101 * us);
}

TEST_CASE("a message larger than the limit waits for its own post") {
    check_finish(burst(1, 500), {.bytes = Bytes{300}}, 101 * us);
}

TEST_CASE("a limit that nothing reaches changes nothing") {
    const RankGrid grid{6, 4};
    for (const std::int64_t bytes : {500, 2000}) {
        const auto program = wavefront({.grid = grid,
                                        .tiles = 12,
                                        .work = 5 * us + 3,
                                        .bytes = bytes,
                                        .starts = {3, 1, 2, 0},
                                        .allreduces = 1,
                                        .iterations = 3});
        machine::Machine machine = crowded_torus(grid, {2, 1});
        const record::Record without = engine::run(program, machine, {});
        machine.eager_limit = machine::EagerLimit{.messages = 1000};
        CHECK(engine::run(program, machine, {}).rank_finish == without.rank_finish);
    }
}

TEST_CASE("a send is an isend and its wait where eager messages are limited too") {
    const auto cut = [](bool isend) {
        return spmd({2, 1}, 1, [isend](Rank rank) {
            ClassBuilder builder;
            if (rank.index == 1) builder.work(100 * us);
            builder.loop(5);
            if (rank.index == 0 && isend) builder.isend(1, 8).await_sent(1);
            if (rank.index == 0 && !isend) builder.send(1, 8);
            if (rank.index == 1) builder.recv(-1);
            return builder.end().iteration().build();
        });
    };
    const machine::Machine machine = limited({.messages = 2});
    CHECK(engine::run(cut(true), machine, {}).rank_finish == engine::run(cut(false), machine, {}).rank_finish);
}

TEST_CASE("an isend beyond the limit leaves while its rank works on") {
    // The second message waits for the first post, made at 100 us: it is away at 101 us, and rank 0 works until 158.
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) builder.send(1, 8).isend(1, 8).work(150 * us).await_sent(1);
        if (rank.index == 1) builder.work(100 * us).recv(-1).recv(-1);
        return builder.iteration().build();
    });
    const record::Record record = engine::run(program, limited({.messages = 1}), {});
    CHECK(record.rank_finish[0] == WideTime{Wide{158 * us}});
    CHECK(record.rank_finish[1] == WideTime{Wide{(104 + 4) * us}});  // the second arrives at 102, before 104
}

TEST_CASE("with bounded queues a sender that is faster than its receiver recurs, and is skipped") {
    const RankGrid grid{4, 1};
    const auto program = spmd(grid, 400, [](Rank rank) {
        ClassBuilder builder;
        builder.loop(400);
        if (rank.index > 0) builder.recv(-1);
        builder.work(rank.index == 3 ? 50 * us : 5 * us);
        if (rank.index < 3) builder.send(1, 500);
        return builder.iteration().end().build();
    });
    machine::Machine machine = crowded_torus(grid, {1, 1});
    machine.eager_limit = machine::EagerLimit{.messages = 4};
    const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
    const record::Record skipping = engine::run(program, machine, {});
    CHECK(skipping.rank_finish == full.rank_finish);
    CHECK(skipping.work->messages_replayed < full.work->messages_replayed / 4);
}

TEST_CASE("what windows of eager messages take is estimated") {
    const RankGrid grid{64, 64};
    const auto program = wavefront({.grid = grid, .tiles = 3, .work = 5 * us, .bytes = 500, .starts = {0, 3}});
    machine::Machine machine = simple_machine(grid, {1, 1}, true);
    machine.eager_limit = machine::EagerLimit{.messages = 4};
    const engine::Options options{.replay = engine::Replay::full};
    const auto taken = static_cast<double>(*engine::run(program, machine, options).work->state_bytes);
    CHECK(static_cast<double>(engine::estimate_bytes(program, machine, options)) ==
          doctest::Approx(taken).epsilon(0.25));
}
