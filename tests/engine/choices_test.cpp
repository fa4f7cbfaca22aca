// Messages that a rank takes as they come: from any source, of several posted receives, and replies to their senders.
// The arithmetic by hand. The machine (fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to 1000 bytes,
// rendezvous above.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "simulator/program/mismatches.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/engine/same_run.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

/// Rank 0 takes a message each of ranks 1 and 2, which send after working so long.
struct TwoSenders {
    std::int64_t first = 0;
    std::int64_t second = 0;
    std::int64_t bytes = 500;
    std::int64_t late = 0;  // rank 0 works before it receives
};
program::Program two_senders(const TwoSenders& code) {
    return spmd({3, 1}, 1, [&](Rank rank) {
        ClassBuilder builder;
        const std::vector<Channel> sources{{1, 0}, {2, 0}};
        if (rank.index > 0) {
            builder.work(rank.index == 1 ? code.first : code.second);
            return builder.send(-static_cast<std::int32_t>(rank.index), code.bytes).iteration().build();
        }
        return builder.work(code.late).recv_any(sources).recv_any(sources).iteration().build();
    });
}

/// Workers ask, the master answers in the order in which they ask.
program::Program master_and_workers(std::int64_t tasks, std::int64_t bytes) {
    return spmd({4, 1}, 1, [&](Rank rank) {
        ClassBuilder builder;
        const std::vector<Channel> requests{{1, 1}, {2, 1}, {3, 1}};
        const std::vector<Channel> answers{{1, 2}, {2, 2}, {3, 2}};
        if (rank.index == 0) {
            builder.loop(3 * tasks).recv_any(requests).work(1 * us).reply(answers, bytes).end();
            return builder.iteration().build();
        }
        const auto master = -static_cast<std::int32_t>(rank.index);
        builder.loop(tasks).send(master, 8, 1).recv(master, 2).work((10 + 7 * rank.index) * us).end();
        return builder.iteration().build();
    });
}

}  // namespace

TEST_CASE("of messages of any source that which is there first is taken") {
    // Rank 2 sends 20-24, there 25.5, received to 29.5. Rank 1 sends 50-54, there 55.5, received to 59.5.
    CHECK(finishes(two_senders({.first = 50 * us, .second = 20 * us}), simple_machine({3, 1})) ==
          at({59'500'000, 54 * us, 24 * us}));
}

TEST_CASE("of messages that have come before the receive that which came first is taken") {
    // Both are there by 25.5; taken from 100 on, one after the other.
    const auto program = two_senders({.first = 0, .second = 20 * us, .late = 100 * us});
    CHECK(finishes(program, simple_machine({3, 1})) == at({108 * us, 4 * us, 24 * us}));
}

TEST_CASE("of messages there at once that of the lower source is taken") {
    // Both are there at 5.5; then the master answers rank 1 at once and rank 2 after that: work of 100 us tells.
    const auto program = spmd({3, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) {
            builder.loop(2).recv_any({{1, 0}, {2, 0}}).work(100 * us).reply({{1, 1}, {2, 1}}, 8).end();
            return builder.iteration().build();
        }
        const auto master = -static_cast<std::int32_t>(rank.index);
        return builder.send(master, 500).recv(master, 1).iteration().build();
    });
    // Taken 5.5-9.5, worked to 109.5, answered to 113.5, there 114.508, received to 118.508; the other 4 + 100 + 4
    // later.
    CHECK(finishes(program, simple_machine({3, 1})) == at({221'500'000, 118'508'000, 226'508'000}));
}

TEST_CASE("a rendezvous from any source is taken by its request, and then sends its data") {
    // Rank 2: busy 0-4, request there 5, back 6, data there 6 + 2 + 1 = 9, received to 13.
    // Rank 1: busy 50-54, request there 55, back 56, data there 59, received to 63.
    CHECK(finishes(two_senders({.first = 50 * us, .second = 0, .bytes = 2000}), simple_machine({3, 1})) ==
          at({63 * us, 56 * us, 6 * us}));
}

TEST_CASE("a rendezvous that has not been taken waits, whatever else is received") {
    // Both requests are there at 5. The first is taken: back 6, data there 9, received to 13. The second: taken 13,
    // back 14, data there 17, received to 21.
    CHECK(finishes(two_senders({.bytes = 2000}), simple_machine({3, 1})) == at({21 * us, 6 * us, 14 * us}));
}

TEST_CASE("messages of one channel are taken in their order, whichever comes first") {
    // Rank 1 sends 500 B (eager, there 4 + 1 + 0.5 = 5.5), then 2,000 B (request there 9); rank 0 takes both from
    // "any".
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 1) return builder.send(-1, 500).send(-1, 2000).iteration().build();
        return builder.recv_any({{1, 0}}).recv_any({{1, 0}}).iteration().build();
    });
    // Received 5.5-9.5; the request is taken then, back 10.5, data there 13.5, received to 17.5.
    CHECK(finishes(program, simple_machine({2, 1})) == at({17'500'000, 10'500'000}));
}

TEST_CASE("of posted receives that is waited for first whose message is there first") {
    // Posted at 0; rank 2's data is there 20 + 4 + 1.5 = 25.5, received to 29.5; rank 1's 55.5, received to 59.5.
    const auto program = spmd({3, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        const std::vector<Channel> sources{{1, 0}, {2, 0}};
        if (rank.index > 0) {
            return builder.work(rank.index == 1 ? 50 * us : 20 * us)
                .send(-static_cast<std::int32_t>(rank.index), 500)
                .iteration()
                .build();
        }
        return builder.post(1).post(2).await_any(sources).work(1 * us).await_any(sources).iteration().build();
    });
    CHECK(finishes(program, simple_machine({3, 1})) == at({59'500'000, 54 * us, 24 * us}));
}

TEST_CASE("a rendezvous whose receive is posted goes on before its rank waits") {
    // Posted at 0; request there 5, back 6, data there 9; rank 0 works to 100 and receives to 104.
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 1) return builder.send(-1, 2000).iteration().build();
        return builder.post(1).work(100 * us).await_any({{1, 0}}).iteration().build();
    });
    CHECK(finishes(program, simple_machine({2, 1})) == at({104 * us, 6 * us}));
}

TEST_CASE("a synchronous send of few bytes waits for its receive") {
    // Busy to 4; posted at 50, known 51, data there 51 + 0.5 + 1 = 52.5, received to 56.5. A plain send is over at 4.
    const auto program = [](bool synchronous) {
        return spmd({2, 1}, 1, [synchronous](Rank rank) {
            ClassBuilder builder;
            if (rank.index == 1) return builder.work(50 * us).recv(-1).iteration().build();
            return (synchronous ? builder.ssend(1, 500) : builder.send(1, 500)).iteration().build();
        });
    };
    CHECK(finishes(program(true), simple_machine({2, 1})) == at({51 * us, 56'500'000}));
    CHECK(finishes(program(false), simple_machine({2, 1})) == at({4 * us, 54 * us}));
}

TEST_CASE("the parts of a rank that takes messages as they come add up") {
    const auto program = two_senders({.first = 50 * us, .second = 20 * us});
    const record::Record run = engine::run(program, simple_machine({3, 1}), {});
    const record::Breakdown& parts = run.rank_breakdown[0];
    CHECK(parts.recv == WideTime{Time{8 * us}});      // twice o_recv
    CHECK(parts.wait == WideTime{Time{51'500'000}});  // 59.5 - 8
    CHECK(run.rank_breakdown[1].send == WideTime{Time{4 * us}});
    CHECK(run.rank_breakdown[1].compute == WideTime{Time{50 * us}});
}

TEST_CASE("a master answers its workers in the order of their requests, on any number of threads and in order") {
    for (const std::int64_t bytes : {8, 2000}) {
        const program::Program program = master_and_workers(20, bytes);
        CHECK(program::validate(program).empty());
        CHECK(program::mismatches(program, 3).empty());
        for (const machine::Patch patch : {machine::Patch{1, 1}, machine::Patch{2, 1}, machine::Patch{4, 1}}) {
            for (const bool bus : {false, true}) {
                CAPTURE(patch.columns);
                CAPTURE(bus);
                const machine::Machine machine = simple_machine({4, 1}, patch, bus);
                const record::Record one = engine::run(program, machine, {});
                CHECK(one.work->messages_replayed == 2 * 3 * 20);
                check_same_run(engine::run(program, machine, {.threads = 3}), one);
                check_same_run(engine::run(program, machine, {.in_order = true}), one);
            }
        }
    }
}

TEST_CASE("ranks that wait for any message in vain are reported with one that they wait for") {
    const auto program = spmd({3, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) return builder.recv_any({{1, 5}, {2, 5}}).send(1, 8).iteration().build();
        if (rank.index == 1) return builder.recv(-1).send(-1, 8, 5).iteration().build();
        return builder.iteration().build();
    });
    auto with_endpoint = program;
    with_endpoint.classes[2].send_endpoints.push_back({-2, 5});  // on which nothing is sent
    try {
        engine::run(with_endpoint, simple_machine({3, 1}), {});
        FAIL("it came to an end");
    } catch (const engine::Deadlock& deadlock) {
        REQUIRE(deadlock.blocked().size() == 2);
        CHECK(deadlock.blocked()[0].partners == 2);
        CHECK(deadlock.blocked()[0].peer == Rank{1});  // rank 2 has finished
        CHECK(deadlock.blocked()[0].tag == 5);
    }
}

TEST_CASE("messages of any source that do not add up are a mismatch") {
    const auto with = [](std::int64_t taken) {
        return spmd({3, 1}, 1, [taken](Rank rank) {
            ClassBuilder builder;
            if (rank.index > 0) return builder.send(-static_cast<std::int32_t>(rank.index), 8).iteration().build();
            return builder.loop(taken).recv_any({{1, 0}, {2, 0}}).end().iteration().build();
        });
    };
    CHECK(program::mismatches(with(2), 3).empty());
    const auto found = program::mismatches(with(3), 3);
    REQUIRE(found.size() == 1);
    CHECK(found[0].any);
    CHECK(found[0].count == 3);
    CHECK(found[0].peer_count == 2);
}
