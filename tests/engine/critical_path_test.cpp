// The critical path by hand: which chain of events is the longest, and what its time went to.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

record::PathParts path_of(const program::Program& program, const machine::Machine& machine) {
    const record::Record record = engine::run(program, machine, {.replay = engine::Replay::full, .path = true});
    REQUIRE(record.path.has_value());
    CHECK(record.path->total() == record.finish);
    return *record.path;
}

/// One rank per node, everything its own; eager messages of S bytes take o 1 us, L 10 us, S * 1 ns, o 2 us.
machine::Machine plain_machine(RankGrid grid, machine::Patch patch = {1, 1}) {
    machine::Machine machine = simple_machine(grid, patch, false);
    for (machine::Profile& profile : machine.profiles) {
        machine::ProfileRow row;
        row.o_send = {1 * us};
        row.o_recv = {2 * us};
        row.L = {10 * us};
        row.G = {1e-9};
        profile = {row};
    }
    return machine;
}

WideTime microseconds(std::int64_t count) { return WideTime{Wide{count} * us}; }

}  // namespace

TEST_CASE("a rank that waits for a message goes on with its sender's chain") {
    // 0 computes 100 us and sends 5,000 B; 1 computes 20 us, receives, computes 7 us: 100 + 1 + 10 + 5 + 2 + 7
    const program::Program program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) builder.work(100 * us).send(1, 5000);
        if (rank.index == 1) builder.work(20 * us).recv(-1).work(7 * us);
        builder.iteration();
        return builder.build();
    });
    const record::PathParts path = path_of(program, plain_machine({2, 1}));
    CHECK(path.compute == microseconds(107));
    CHECK(path.overhead == microseconds(3));
    CHECK(path.latency == microseconds(10));
    CHECK(path.bandwidth == microseconds(5));
}

TEST_CASE("a rank whose message is there already goes on with its own chain") {
    // 1 computes 500 us: the message came at 116 us. 500 + 2 + 7
    const program::Program program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) builder.work(100 * us).send(1, 5000);
        if (rank.index == 1) builder.work(500 * us).recv(-1).work(7 * us);
        builder.iteration();
        return builder.build();
    });
    const record::PathParts path = path_of(program, plain_machine({2, 1}));
    CHECK(path.compute == microseconds(507));
    CHECK(path.overhead == microseconds(2));
    CHECK(path.latency == WideTime{});
}

TEST_CASE("a rendezvous whose receive is posted late goes on with the receiver's chain") {
    // 1 posts at 200 us; the acknowledgement takes 10 us, the data 10 + 5 us, o_recv 2 us: 200 + 10 + 10 + 5 + 2
    const program::Program program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) builder.send(1, 5000);
        if (rank.index == 1) builder.work(200 * us).recv(-1);
        builder.iteration();
        return builder.build();
    });
    machine::Machine machine = plain_machine({2, 1});
    for (machine::Profile& profile : machine.profiles) profile[0].protocol = machine::Protocol::rendezvous;
    const record::PathParts path = path_of(program, machine);
    CHECK(path.compute == microseconds(200));
    CHECK(path.latency == microseconds(20));
    CHECK(path.bandwidth == microseconds(5));
    CHECK(path.overhead == microseconds(2));
}

TEST_CASE("who waits for the bus goes on with the chain of the message that holds it") {
    // Ranks 0 and 1 on one node send 5,000 B, the bus wanted at 31 and 33 us for 40 us each: that of rank 0 holds it
    // until 71 us, when that of rank 1 leaves. Rank 3 has it 10 + 5 us later, is busy 2 us, and gets its bus at once,
    // which rank 2 has held from 48 us on: 30 computing, 1 o_send, 40 bus, 10 L, 5 transfer, 2 o_recv.
    const program::Program program = spmd({4, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index < 2) builder.work((30 + 2 * rank.index) * us).send(2, 5000);
        if (rank.index >= 2) builder.recv(-2);
        builder.iteration();
        return builder.build();
    });
    machine::Machine machine = plain_machine({4, 1}, {2, 1});
    machine.bus = machine::Bus{{40 * us}, {0.0}};
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_bus = true;
    const record::PathParts path = path_of(program, machine);
    CHECK(path.compute == microseconds(30));
    CHECK(path.bus == microseconds(40));
    CHECK(path.overhead == microseconds(3));
    CHECK(path.latency == microseconds(10));
    CHECK(path.bandwidth == microseconds(5));
}

TEST_CASE("the fill is the longest that a rank waits for messages in the first trips of its loops of tiles") {
    // First tile: 100 us of work, 1 o_send, 10 L, 5 G: rank 1 waits for 116. The next come every 101 us, while it takes
    // 2 o_recv and computes for 100, so it waits no more. Then 1 o_send for the answer, which rank 0 has 10 L and 2
    // o_recv later, and its next tile is there 116 after that: rank 1 waits for 128.
    const program::Program program = spmd({2, 1}, 2, [](Rank rank) {
        ClassBuilder builder;
        builder.loop(2).loop(3);
        if (rank.index == 0) builder.work(100 * us).send(1, 5000);
        if (rank.index == 1) builder.recv(-1).work(100 * us);
        builder.end();
        if (rank.index == 0) builder.recv(1);
        if (rank.index == 1) builder.send(-1, 0);
        return builder.iteration().end().build();
    });
    const record::Record record =
        engine::run(program, plain_machine({2, 1}), {.replay = engine::Replay::full, .path = true});
    CHECK(record.fill == microseconds(116 + 128));
}
