// Skip-ahead where what lies before a cut still matters, and where cuts lie close together.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

/// Network messages only: up to 1000 bytes eager, beyond it rendezvous, both holding the bus for 1 ns.
machine::Machine short_latency(RankGrid grid) {
    machine::Machine machine = simple_machine(grid, {}, true);
    machine.bus = machine::Bus{{1 * ns}, {}};
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.o_send = {1000 * ns};
        row.o_recv = {};
        row.L = {1000 * ns};
        row.G = {};
    }
    return machine;
}

void check_same(const program::Program& program, const machine::Machine& machine) {
    const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
    const record::Record skipped = engine::run(program, machine, {.replay = engine::Replay::auto_});
    CHECK(skipped.rank_finish == full.rank_finish);
    CHECK(skipped.iterations == full.iterations);
}

}  // namespace

// Rank 0 sends to rank 1, which takes 4050 ns per iteration: it asks to send to rank 2 after 1050 ns, then posts, works
// 3000 ns and takes what has arrived. Rank 0 needs 2040 + 2 * 1000 ns, so asks 10 ns earlier in each iteration, seen
// from rank 1, until its request comes before the post. All the while rank 0 waits when an iteration is seen to end.
TEST_CASE("a sender that drifts ahead of its receiver is not taken for one that keeps its distance") {
    const RankGrid grid{3, 1};
    machine::Machine machine = short_latency(grid);
    machine.profiles[2][1].o_send = {2040 * ns};
    check_same(spmd(grid, 300,
                    [](Rank rank) {
                        ClassBuilder builder;
                        builder.loop(300);
                        if (rank.index == 0) builder.send(1, 2000);
                        if (rank.index == 1) builder.work(50 * ns).send(1, 8).post(-1).work(3000 * ns).await(-1);
                        if (rank.index == 2) builder.recv(-1);
                        return builder.iteration().end().build();
                    }),
               machine);
}

// The acknowledgement is back after 4 ns; windows are 1.024 ns wide, and an iteration ends in the middle of one.
TEST_CASE("what a window still holds beyond a cut is granted") {
    machine::Machine machine = short_latency({1, 2});
    machine.bus = machine::Bus{};
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.o_send = {};
        row.L = {2 * ns};
    }
    for (const std::int64_t bytes : {8, 2000}) {
        CAPTURE(bytes);
        check_same(wavefront({.grid = {1, 2}, .bytes = bytes, .iterations = 2}), machine);
    }
}

TEST_CASE("iterations that end at the same time are no period") {
    check_same(spmd({2, 1}, 7,
                    [](Rank rank) {
                        ClassBuilder builder;
                        builder.loop(3).iteration().end().loop(4);
                        rank.index == 0 ? builder.send(1, 8) : builder.recv(-1);
                        return builder.iteration().end().build();
                    }),
               short_latency({2, 1}));
}

// Ranks 0 and 1 send to rank 2, which takes both every 4000 ns. Its NIC is busy 300 ns with each.
TEST_CASE("which message came first to a NIC matters even if no rank waits for either") {
    const RankGrid grid{3, 1};
    machine::Machine machine = short_latency(grid);
    machine.nic = machine::Nic{{}, {3e-9}};
    machine.profiles[2][0].holds_nic = true;
    check_same(spmd(grid, 300,
                    [](Rank rank) {
                        ClassBuilder builder;
                        builder.loop(300);
                        if (rank.index == 0) builder.work(3000 * ns).send(2, 100);
                        if (rank.index == 1) builder.work(2990 * ns).send(1, 100);
                        if (rank.index == 2) builder.work(4000 * ns).recv(-2).recv(-1);
                        return builder.iteration().end().build();
                    }),
               machine);
}
