// Sends that their rank does not wait for at once; the arithmetic by hand. The machine (fixtures.hpp): o = 4 us,
// L = 1 us, G = 1 ns/B, eager up to 1000 bytes, rendezvous above.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/engine/same_run.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

/// Rank 0 begins to send `bytes`, works 100 us, waits; rank 1 works `late`, receives.
program::Program overlapped(std::int64_t bytes, std::int64_t late) {
    return spmd({2, 1}, 1, [&](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) return builder.isend(1, bytes).work(100 * us).await_sent(1).iteration().build();
        return builder.work(late).recv(-1).iteration().build();
    });
}

std::vector<WideTime> at(std::int64_t first, std::int64_t second) {
    return {WideTime{Time{first}}, WideTime{Time{second}}};
}

}  // namespace

TEST_CASE("an eager isend is a send") {
    // Busy to 4, works to 104. The data is there at 4 + 1 + 0.5: received 5.5-9.5.
    CHECK(finishes(overlapped(500, 0), simple_machine({2, 1})) == at(104 * us, 9'500'000));
}

TEST_CASE("a rendezvous goes on while its rank computes") {
    // Busy to 4, request there 5, back 6, data there 6 + 2 + 1 = 9, received 9-13; the sender works to 104.
    CHECK(finishes(overlapped(2000, 0), simple_machine({2, 1})) == at(104 * us, 13 * us));
}

TEST_CASE("a wait ends when the receive has been posted and that is known") {
    // Posted at 200, acknowledged at 201, data there 204, received to 208.
    CHECK(finishes(overlapped(2000, 200 * us), simple_machine({2, 1})) == at(201 * us, 208 * us));
}

TEST_CASE("what holds a bus requests it as soon as the post is known, whatever its rank does") {
    // As without the bus: the post is known at 6, the data is there at 9.
    CHECK(finishes(overlapped(2000, 0), simple_machine({2, 1}, {}, true)) == at(104 * us, 13 * us));
    // Posted at 200, acknowledged at 201: as without the bus.
    CHECK(finishes(overlapped(2000, 200 * us), simple_machine({2, 1}, {}, true)) == at(201 * us, 208 * us));
}

TEST_CASE("ranks that all send before they receive get on, where blocking sends would not") {
    const auto ring = [](bool blocking) {
        return spmd({4, 1}, 1, [blocking](Rank rank) {
            ClassBuilder builder;
            const std::int32_t next = rank.index == 3 ? -3 : 1;
            const std::int32_t before = rank.index == 0 ? 3 : -1;
            if (blocking) return builder.send(next, 2000).recv(before).iteration().build();
            return builder.isend(next, 2000).recv(before).await_sent(next).iteration().build();
        });
    };
    CHECK_THROWS_AS(engine::run(ring(true), simple_machine({4, 1}), {}), engine::Deadlock);
    // Busy to 4, posts at 4; request there 5, back 6, data there 9, received to 13; the isend is away since 6.
    for (const WideTime finish : finishes(ring(false), simple_machine({4, 1})))
        CHECK(finish == WideTime{Time{13 * us}});
}

TEST_CASE("a wait for a send that no rank receives is reported in a deadlock") {
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) return builder.isend(1, 2000, 3).await_sent(1, 3).iteration().build();
        return builder.recv(-1, 4).recv(-1, 3).iteration().build();
    });
    auto with_endpoint = program;
    with_endpoint.classes[0].send_endpoints.push_back({1, 4});  // on which nothing is sent
    try {
        engine::run(with_endpoint, simple_machine({2, 1}), {});
        FAIL("it came to an end");
    } catch (const engine::Deadlock& deadlock) {
        REQUIRE(deadlock.blocked().size() == 2);
        CHECK(deadlock.blocked()[0].what == record::Blocked::What::send);
        CHECK(deadlock.blocked()[0].tag == 3);
        CHECK(deadlock.blocked()[0].site == 1);
    }
}

TEST_CASE("threads step isends alike") {
    const auto program = spmd({6, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        for (int k = 0; k < 5; ++k) {
            if (rank.index > 0) builder.post(-1);
            if (rank.index < 5) builder.isend(1, k % 2 == 0 ? 2000 : 500);
            builder.work((rank.index * 7 % 5 + 1) * us);
            if (rank.index > 0) builder.await(-1);
            if (rank.index < 5) builder.await_sent(1);
        }
        return builder.iteration().build();
    });
    CHECK(program::validate(program).empty());
    for (const bool bus : {false, true}) {
        const machine::Machine machine = simple_machine({6, 1}, {2, 1}, bus);
        const record::Record one = engine::run(program, machine, {});
        CHECK(engine::run(program, machine, {.threads = 3}).rank_finish == one.rank_finish);
    }
}

TEST_CASE("iterations recur although a send of each goes on beside its rank, whatever the other ranks do meanwhile") {
    // 1,000 iterations of a row of four: each sends on without waiting, works, takes what comes, works, waits. The
    // works differ, so that somewhere a send is under way whenever an iteration ends.
    const program::Program row = spmd({4, 1}, 1000, [](Rank rank) {
        ClassBuilder builder;
        builder.loop(1000);
        if (rank.index < 3) builder.isend(1, 2000);
        builder.work((7 + 5 * rank.index) * us);
        if (rank.index > 0) builder.recv(-1);
        builder.work((11 - 3 * rank.index) * us);
        if (rank.index < 3) builder.await_sent(1);
        return builder.iteration().end().build();
    });
    for (const bool bus : {false, true}) {
        CAPTURE(bus);
        const machine::Machine machine = simple_machine({4, 1}, {}, bus);
        const record::Record full = engine::run(row, machine, {engine::Replay::full});
        const record::Record skipped = engine::run(row, machine, {engine::Replay::auto_});
        check_same_run(skipped, full);
        CHECK(full.work->messages_replayed == 3 * 1000);
        CHECK(skipped.work->messages_replayed < 3 * 50);
    }
}
