#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"

using namespace warpfront;
using namespace warpfront::test;

TEST_CASE("two ranks that both receive before they send are reported as blocked on each other") {
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        const std::int32_t other = rank.index == 0 ? 1 : -1;
        return builder.recv(other, 7).send(other, 8, 7).iteration().build();
    });
    try {
        (void)engine::run(program, simple_machine({2, 1}), {});
        FAIL("no deadlock was found");
    } catch (const engine::Deadlock& deadlock) {
        REQUIRE(deadlock.blocked().size() == 2);
        CHECK(deadlock.blocked()[0].rank == Rank{0});
        CHECK(deadlock.blocked()[0].peer == Rank{1});
        CHECK(deadlock.blocked()[0].tag == 7);
        CHECK(deadlock.blocked()[0].what == record::Blocked::What::recv);
        CHECK(deadlock.blocked()[1].peer == Rank{0});
    }
}

TEST_CASE("rendezvous sends towards each other block; eager ones pass") {
    const auto head_on = [](std::int64_t bytes) {
        return spmd({2, 1}, 1, [&](Rank rank) {
            ClassBuilder builder;
            const std::int32_t other = rank.index == 0 ? 1 : -1;
            return builder.send(other, bytes).recv(other).iteration().build();
        });
    };
    CHECK_NOTHROW(engine::run(head_on(500), simple_machine({2, 1}), {}));
    try {
        (void)engine::run(head_on(2000), simple_machine({2, 1}), {});
        FAIL("no deadlock was found");
    } catch (const engine::Deadlock& deadlock) {
        REQUIRE(deadlock.blocked().size() == 2);
        CHECK(deadlock.blocked()[0].what == record::Blocked::What::send);
    }
}

TEST_CASE("a rank that needs a message of its neighbour's next iteration is not taken for a deadlock") {
    // Rank 0 receives in iteration k what rank 1 sends in iteration k + 1: holding ranks at their marks must give way.
    const auto program = spmd({2, 1}, 3, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) {
            return builder.recv(1).iteration().recv(1).iteration().recv(1).iteration().build();
        }
        return builder.iteration().send(-1, 8).iteration().send(-1, 8).iteration().send(-1, 8).build();
    });
    CHECK_NOTHROW(engine::run(program, simple_machine({2, 1}), {}));
}

// Each of 100 iterations takes 10 us of work, 4 us for one message sent and, on the other side, L = 1 us and 4 us more.
TEST_CASE("a deadlock after skipped iterations has the same times as in the full replay") {
    const auto program = spmd({2, 1}, 101, [](Rank rank) {
        ClassBuilder builder;
        const std::int32_t other = rank.index == 0 ? 1 : -1;
        builder.loop(100).work(10'000'000);
        if (rank.index == 0) builder.send(1, 8).recv(1);
        if (rank.index == 1) builder.recv(-1).send(-1, 8);
        return builder.iteration().end().recv(other).send(other, 8).iteration().build();
    });
    const auto since = [&](engine::Replay replay) {
        try {
            (void)engine::run(program, simple_machine({2, 1}), {.replay = replay});
        } catch (const engine::Deadlock& deadlock) {
            return *deadlock.blocked().front().since;
        }
        return WideTime{};
    };
    CHECK(since(engine::Replay::full) > WideTime{Wide{100 * 10'000'000}});
    CHECK(since(engine::Replay::auto_) == since(engine::Replay::full));
}
