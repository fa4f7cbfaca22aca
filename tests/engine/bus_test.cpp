// The node's bus as a first-come first-served server: only waiting adds. Held 3 us + 0.1 ns/B by network messages.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

/// Ranks 0 and 1 share node 0, ranks 2 and 3 node 1 (a 2 x 2 array with patches of 2 x 1); each sends south after
/// `first` and `second` microseconds of work.
record::Record two_senders(std::int64_t first, std::int64_t second, bool bus, std::int64_t bytes) {
    const auto program = spmd({2, 2}, 1, [&](Rank rank) {
        ClassBuilder builder;
        if (rank.index < 2)
            return builder.work((rank.index == 0 ? first : second) * us).send(2, bytes).iteration().build();
        return builder.recv(-2).iteration().build();
    });
    return engine::run(program, simple_machine({2, 2}, {2, 1}, bus), {});
}

}  // namespace

TEST_CASE("a message alone on the bus costs what it costs without a bus") {
    // Rank 1 sends 100 us later: no two messages meet.
    const record::Record with = two_senders(0, 100, true, 500);
    const record::Record without = two_senders(0, 100, false, 500);
    CHECK(with.rank_finish == without.rank_finish);
}

TEST_CASE("of two messages at the same instant the lower rank's goes first, the other waits one hold on each side") {
    // Both busy sending 0-4, ask at 4. Rank 0 granted at 4 (bus held to 4 + 3.05), rank 1 at 7.05.
    // Data there at 4 + 1.5 = 5.5 and 7.05 + 1.5 = 8.55. Receiving node: asked at 5.5, granted, held to 8.55;
    // asked at 8.55, granted at once. Received at 9.5 and 12.55.
    const record::Record record = two_senders(0, 0, true, 500);
    CHECK(record.rank_finish[0] == WideTime{Time{4 * us}});
    CHECK(record.rank_finish[1] == WideTime{Time{7'050'000}});
    CHECK(record.rank_finish[2] == WideTime{Time{9'500'000}});
    CHECK(record.rank_finish[3] == WideTime{Time{12'550'000}});
}

TEST_CASE("a received message that holds the bus after its overhead requests it when o_recv is over") {
    // Ranks 0 and 1 depart at 4 and, after a hold of 3.05, at 7.05; their data is there 1.5 later, at 5.5 and 8.55.
    // o_recv is over at 9.5 and 12.55: held from 9.5 to 12.55 and from 12.55 on, so no rank waits.
    const auto program = spmd({2, 2}, 1, [](Rank rank) {
        ClassBuilder builder;
        return rank.index < 2 ? builder.send(2, 500).iteration().build() : builder.recv(-2).iteration().build();
    });
    machine::Machine machine = simple_machine({2, 2}, {2, 1}, true);
    for (machine::ProfileRow& row : machine.profiles[2]) row.receiver_hold = machine::ReceiverHold::after_overhead;
    const record::Record record = engine::run(program, machine, {});
    CHECK(record.rank_finish[2] == WideTime{Time{9'500'000}});
    CHECK(record.rank_finish[3] == WideTime{Time{12'550'000}});
}

TEST_CASE("a core alone does not wait for its own hold where that lies within its overhead") {
    // Ranks 0 and 1 on two nodes exchange 500 B twice. Both send 0-4 and hold their bus 4-7.05; data is there at 5.5.
    // Requested after o_recv at 9.5: free. The second exchange takes as long: 19. Requested on arrival at 5.5 instead,
    // the bus is free at 7.05: received at 11.05, and the second time at 22.1.
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        const std::int32_t peer = rank.index == 0 ? 1 : -1;
        return builder.send(peer, 500).recv(peer).send(peer, 500).recv(peer).iteration().build();
    });
    const auto finish = [&](machine::ReceiverHold hold) {
        machine::Machine machine = simple_machine({2, 1}, {1, 1}, true);
        for (machine::ProfileRow& row : machine.profiles[2]) row.receiver_hold = hold;
        return engine::run(program, machine, {}).finish;
    };
    CHECK(finish(machine::ReceiverHold::after_overhead) == WideTime{Time{19 * us}});
    CHECK(finish(machine::ReceiverHold::before_overhead) == WideTime{Time{22'100'000}});
}

TEST_CASE("a row's own o_dma replaces that of the bus") {
    // Held 1 us + 0.1 ns/B in place of 3 us + 0.1 ns/B: rank 1 departs at 4 + 1.05.
    const auto program = spmd({2, 2}, 1, [](Rank rank) {
        ClassBuilder builder;
        return rank.index < 2 ? builder.send(2, 500).iteration().build() : builder.recv(-2).iteration().build();
    });
    machine::Machine machine = simple_machine({2, 2}, {2, 1}, true);
    for (machine::ProfileRow& row : machine.profiles[2]) row.o_dma = Time{1 * us};
    CHECK(engine::run(program, machine, {}).rank_finish[1] == WideTime{Time{5'050'000}});
}

TEST_CASE("the time queued for the bus is the rank's bus wait") {
    const auto program = spmd({2, 2}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index < 2) return builder.send(2, 500).work(rank.index == 1 ? 50 * us : 0).iteration().build();
        return builder.recv(-2).iteration().build();
    });
    // Rank 1: busy 0-4, granted at 7.05, works to 57.05.
    const record::Record record = engine::run(program, simple_machine({2, 2}, {2, 1}, true), {});
    REQUIRE(record.last == Rank{1});
    CHECK(record.breakdown->bus_wait == WideTime{Time{3'050'000}});
    CHECK(record.breakdown->total() == record.finish);
}

TEST_CASE("the bus serves by request time, not by rank") {
    // Rank 1 asks at 4, rank 0 at 5: rank 0 is granted at 7.05.
    const record::Record record = two_senders(1, 0, true, 500);
    CHECK(record.rank_finish[1] == WideTime{Time{4 * us}});
    CHECK(record.rank_finish[0] == WideTime{Time{7'050'000}});
}

TEST_CASE("a rendezvous message asks for the bus when its acknowledgement is back") {
    // 2000 bytes: busy 0-4, request 5, back 6; bus held 3.2 us: granted at 6 and 9.2.
    const record::Record record = two_senders(0, 0, true, 2000);
    CHECK(record.rank_finish[0] == WideTime{Time{6 * us}});
    CHECK(record.rank_finish[1] == WideTime{Time{9'200'000}});
}

TEST_CASE("messages on the chip leave the bus alone") {
    // Rank 0 to rank 1 on one node: busy 0-2, there at 2, received to 4, whatever else the bus carries.
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        return rank.index == 0 ? builder.send(1, 2000).iteration().build() : builder.recv(-1).iteration().build();
    });
    CHECK(engine::run(program, simple_machine({2, 1}, {2, 1}, true), {}).finish == WideTime{Time{4 * us}});
}

TEST_CASE("messages on the chip whose row holds the bus wait for it on either side") {
    // Ranks 0 and 1 send 2000 B to ranks 2 and 3 of the same node, all at once: busy 0-2, requested at 2, the bus is
    // held for 3.2 us. Rank 0 is granted at 2, its data is there at 2; rank 1 requests at 2 as well and is granted at
    // 5.2. Rank 2 requests for receiving at 2, behind rank 1: granted at 8.4, done at 10.4. Rank 3 requests at 5.2,
    // behind rank 2: granted at 11.6, done at 13.6.
    const auto program = spmd({2, 2}, 1, [](Rank rank) {
        ClassBuilder builder;
        return rank.index < 2 ? builder.send(2, 2000).iteration().build() : builder.recv(-2).iteration().build();
    });
    machine::Machine machine = simple_machine({2, 2}, {2, 2}, true);
    machine.profiles[0].front().holds_bus = true;
    const record::Record record = engine::run(program, machine, {});
    CHECK(record.rank_finish[0] == WideTime{Time{2 * us}});
    CHECK(record.rank_finish[1] == WideTime{Time{5'200'000}});
    CHECK(record.rank_finish[2] == WideTime{Time{10'400'000}});
    CHECK(record.rank_finish[3] == WideTime{Time{13'600'000}});
}

TEST_CASE("with no latency at all the engine serves requests in order and gets the same waits") {
    machine::Machine machine = simple_machine({2, 2}, {2, 1}, true);
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.L = {};
        row.G = {};
    }
    const auto program = spmd({2, 2}, 1, [](Rank rank) {
        ClassBuilder builder;
        return rank.index < 2 ? builder.send(2, 500).iteration().build() : builder.recv(-2).iteration().build();
    });
    // Busy 0-4; granted at 4 and 7.05; there at once; granted at 4 and 7.05; received at 8 and 11.05.
    const record::Record record = engine::run(program, machine, {});
    CHECK(record.rank_finish[2] == WideTime{Time{8 * us}});
    CHECK(record.rank_finish[3] == WideTime{Time{11'050'000}});
}
