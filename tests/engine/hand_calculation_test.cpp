// The engine against arithmetic done by hand, to the picosecond: one core per node, nothing shared.
// The machine (fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to 1000 bytes, rendezvous above.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

std::int64_t finish(const program::Program& program, const machine::Machine& machine) {
    return static_cast<std::int64_t>(engine::run(program, machine, {engine::Replay::full}).finish.ps);
}

std::int64_t sweep(RankGrid grid, std::int64_t tiles, std::int64_t bytes) {
    return finish(wavefront({.grid = grid, .tiles = tiles, .work = 10 * us, .bytes = bytes}), simple_machine(grid));
}

}  // namespace

TEST_SUITE("one core per node, eager, 500 bytes") {
    // o = 4, L = 1, S*G = 0.5 us; W = 10 us. A message that leaves at t (send begun) is there at t + 4 + 0.5 + 1.

    TEST_CASE("1 x 1: the work of every tile and nothing else") {
        CHECK(sweep({1, 1}, 1, 500) == 10 * us);
        CHECK(sweep({1, 1}, 7, 500) == 70 * us);
    }

    TEST_CASE("2 x 1, one tile: W + Total + W") {
        // West: 10 work, sends 10-14, data there at 15.5. East: receives 15.5-19.5, works until 29.5.
        CHECK(sweep({2, 1}, 1, 500) == 29'500'000);
    }

    TEST_CASE("2 x 1, three tiles: the east rank sets the pace") {
        // West: tile k done computing at 10, 24, 38 (10 work + 4 send each); data there at 15.5, 29.5, 43.5.
        // East: 15.5 + 4 + 10 = 29.5; 29.5 + 14 = 43.5; 43.5 + 14 = 57.5.
        CHECK(sweep({2, 1}, 3, 500) == 57'500'000);
    }

    TEST_CASE("2 x 2, one tile") {
        // (1,1): work to 10; sends E 10-14 (there 15.5), sends S 14-18 (there 19.5).
        // (2,1): receives 15.5-19.5, works to 29.5, sends S 29.5-33.5 (there 35).
        // (1,2): receives 19.5-23.5, works to 33.5, sends E 33.5-37.5 (there 39).
        // (2,2): recv W 39-43, recv N (there since 35) 43-47, works to 57.
        CHECK(sweep({2, 2}, 1, 500) == 57 * us);
    }

    TEST_CASE("2 x 2, two tiles") {
        // (1,1): tile 1 as above, free at 18; tile 2: work to 28; E 28-32 (there 33.5), S 32-36 (there 37.5).
        // (2,1): free at 33.5; recv 33.5-37.5, work to 47.5, S 47.5-51.5 (there 53).
        // (1,2): free at 37.5; recv 37.5-41.5, work to 51.5, E 51.5-55.5 (there 57).
        // (2,2): tile 1 done at 57; recv W 57-61, recv N 61-65, work to 75.
        CHECK(sweep({2, 2}, 2, 500) == 75 * us);
    }

    TEST_CASE("3 x 3, one tile: Start along the west and south edge, then the north receive in the interior") {
        // (1,1): E there 15.5, S there 19.5.
        // (2,1): recv to 19.5, work to 29.5, E 29.5-33.5 (35), S 33.5-37.5 (39).
        // (1,2): recv 19.5-23.5, work to 33.5, E 33.5-37.5 (39), S 37.5-41.5 (43).
        // (3,1): recv 35-39, work to 49, S 49-53 (54.5).
        // (1,3): recv 43-47, work to 57, E 57-61 (62.5).
        // (2,2): recv W 39-43, recv N 43-47, work to 57, E 57-61 (62.5), S 61-65 (66.5).
        // (3,2): recv W 62.5-66.5, recv N 66.5-70.5, work to 80.5, S 80.5-84.5 (86).
        // (2,3): recv W 62.5-66.5, recv N 66.5-70.5, work to 80.5, E 80.5-84.5 (86).
        // (3,3): recv W 86-90, recv N 90-94, work to 104.
        CHECK(sweep({3, 3}, 1, 500) == 104 * us);
    }

    TEST_CASE("3 x 3, two tiles: every rank's second tile takes 2 receives, work and 2 sends") {
        // Second tiles, from when each rank is free after its first:
        // (1,1) free 18: work to 28; E 28-32 (33.5), S 32-36 (37.5).
        // (2,1) free 37.5: recv (33.5) 37.5-41.5, work to 51.5, E to 55.5 (57), S to 59.5 (61).
        // (1,2) free 41.5: recv (37.5) 41.5-45.5, work to 55.5, E to 59.5 (61), S to 63.5 (65).
        // (3,1) free 53: recv 57-61, work to 71, S to 75 (76.5).
        // (1,3) free 61: recv 65-69, work to 79, E to 83 (84.5).
        // (2,2) free 65: recv W (61) 65-69, recv N (61) 69-73, work to 83, E to 87 (88.5), S to 91 (92.5).
        // (3,2) free 84.5: recv W 88.5-92.5, recv N (76.5) to 96.5, work to 106.5, S to 110.5 (112).
        // (2,3) free 84.5: recv W (84.5) to 88.5, recv N 92.5-96.5, work to 106.5, E to 110.5 (112).
        // (3,3) free 104: recv W 112-116, recv N to 120, work to 130.
        CHECK(sweep({3, 3}, 2, 500) == 130 * us);
    }
}

TEST_SUITE("one core per node, rendezvous, 2000 bytes") {
    // o = 4, L = 1, S*G = 2 us; W = 10 us.

    TEST_CASE("2 x 1, one tile: W + 2o + 2L + S*G + L + W") {
        // West: work to 10, busy to 14, request there 15 (receive posted since 0), back 16, data there 16 + 2 + 1 = 19.
        // East: receives 19-23, works to 33.
        CHECK(sweep({2, 1}, 1, 2000) == 33 * us);
    }

    TEST_CASE("2 x 1, two tiles: the second send is met late, and waits") {
        // West: free at 16, works to 26, busy to 30, request there 31. East works until 33 and posts then.
        // Acknowledgement back at 34, data there 37, received to 41, worked to 51.
        CHECK(sweep({2, 1}, 2, 2000) == 51 * us);
    }

    TEST_CASE("2 x 1, two tiles, where processors handle request and acknowledgement for 3 and 5 us") {
        // West: work to 10, busy to 14, request there 18 (posted since 0), back 24, data there 27. East: receives
        // 27-31, works to 41. West: works 24-34, busy to 38, request there 42, met at once, back 48, data there 51.
        machine::Machine machine = simple_machine({2, 1});
        for (machine::ProfileRow& row : machine.profiles[2]) {
            row.o_request = {3 * us};
            row.o_ack = {5 * us};
        }
        CHECK(finish(wavefront({.grid = {2, 1}, .tiles = 2, .work = 10 * us, .bytes = 2000}), machine) == 65 * us);
    }

    TEST_CASE("the waiting of a late receive stands in the sender's breakdown") {
        // One message from rank 0, which is ready at once, to rank 1, which first works 100 us:
        // busy to 4, request there 5, met at 100, back at 101: the sender waited 97 us and finishes last only
        // because it then works 100 us more, at 201.
        const auto program = spmd({2, 1}, 1, [](Rank rank) {
            ClassBuilder builder;
            if (rank.index == 0) return builder.send(1, 2000).work(100 * us).iteration().build();
            return builder.work(100 * us).recv(-1).iteration().build();
        });
        const record::Record record = engine::run(program, simple_machine({2, 1}), {});
        REQUIRE(record.last == Rank{0});
        CHECK(record.finish == WideTime{Time{201 * us}});
        CHECK(record.breakdown->send == WideTime{Time{4 * us}});
        CHECK(record.breakdown->wait == WideTime{Time{97 * us}});
        CHECK(record.breakdown->compute == WideTime{Time{100 * us}});
        CHECK(record.breakdown->recv == WideTime{});
    }

    TEST_CASE("a receive posted early lets the rendezvous proceed while its rank computes") {
        // Rank 1 posts at 0 and works 100 us; rank 0: busy to 4, request 5, back 6, data there 9. At 100 the data
        // is there: 4 us of receiving are all that is left.
        const auto program = spmd({2, 1}, 1, [](Rank rank) {
            ClassBuilder builder;
            if (rank.index == 0) return builder.send(1, 2000).iteration().build();
            return builder.post(-1).work(100 * us).await(-1).iteration().build();
        });
        const record::Record record = engine::run(program, simple_machine({2, 1}), {});
        CHECK(record.finish == WideTime{Time{104 * us}});
        CHECK(record.rank_finish[0] == WideTime{Time{6 * us}});
    }
}

TEST_CASE("messages of one channel keep their order when a short one follows a long one") {
    // Rank 0 sends 2000 bytes (rendezvous), then 8 bytes (eager). Rank 1 receives both at once from time 0:
    // long: busy to 4, request 5, back 6, data there 9, received to 13.
    // short: busy 6-10, there 11.008, received 13-17.
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) return builder.send(1, 2000).send(1, 8).iteration().build();
        return builder.recv(-1).recv(-1).iteration().build();
    });
    CHECK(finish(program, simple_machine({2, 1})) == 17 * us);
}
