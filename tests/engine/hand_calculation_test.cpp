// The engine against arithmetic done by hand, to the picosecond: one core per node, nothing shared.
// The machine (fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to 1000 bytes, rendezvous above.
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

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
        const auto program = program_of({2, 1}, {does().send(1, 2000).work(100 * us), does().work(100 * us).recv(-1)});
        const record::Record record = engine::run(program, simple_machine({2, 1}), {});
        REQUIRE(record.last == Rank{0});
        CHECK(record.finish == WideTime{Time{201 * us}});
        CHECK(in_us(*record.breakdown) == "compute 100, send 4, wait 97");
    }

    TEST_CASE("a receive posted early lets the rendezvous proceed while its rank computes") {
        // Rank 1 posts at 0 and works 100 us; rank 0: busy to 4, request 5, back 6, data there 9. At 100 the data
        // is there: 4 us of receiving are all that is left.
        const auto program = program_of({2, 1}, {does().send(1, 2000), does().post(-1).work(100 * us).await(-1)});
        const record::Record record = engine::run(program, simple_machine({2, 1}), {});
        CHECK(record.finish == WideTime{Time{104 * us}});
        CHECK(record.rank_finish[0] == WideTime{Time{6 * us}});
    }
}

TEST_CASE("messages of one channel keep their order when a short one follows a long one") {
    // Rank 0 sends 2000 bytes (rendezvous), then 8 bytes (eager). Rank 1 receives both at once from time 0:
    // long: busy to 4, request 5, back 6, data there 9, received to 13.
    // short: busy 6-10, there 11.008, received 13-17.
    const auto program = program_of({2, 1}, {does().send(1, 2000).send(1, 8), does().recv(-1).recv(-1)});
    CHECK(finish(program, simple_machine({2, 1})) == 17 * us);
}

// Allreduce as the messages of recursive doubling. 8 bytes: o = 4 us, S*G = 8 ns, L = 1 us.

namespace {

WideTime allreduce(RankGrid grid) {
    const auto program = spmd(grid, 1, [](Rank) { return ClassBuilder().allreduce(8).iteration().build(); });
    return engine::run(program, simple_machine(grid), {}).finish;
}

}  // namespace

TEST_CASE("on a power of two each of log2 P steps costs Total = 2o + S*G + L") {
    // All start together, so each exchange is: busy sending 4, there 1.008 later, busy receiving 4.
    constexpr std::int64_t total = 9'008 * ns;
    CHECK(allreduce({1, 1}) == WideTime{});
    CHECK(allreduce({2, 1}) == WideTime{Time{1 * total}});
    CHECK(allreduce({4, 1}) == WideTime{Time{2 * total}});
    CHECK(allreduce({8, 8}) == WideTime{Time{6 * total}});
}

TEST_CASE("on three ranks one folds in, two exchange, and the result is handed back") {
    // Rank 0 to rank 1: 9.008. Ranks 1 and 2 exchange: rank 2 has sent by 4, rank 1 sends 9.008-13.008, takes
    // rank 2's data (there since 5.008) 13.008-17.008; rank 2 gets it at 14.016, done 18.016.
    // Rank 1 to rank 0: 17.008 + 9.008 = 26.016.
    CHECK(allreduce({3, 1}) == WideTime{Time{26'016 * ns}});
}

TEST_CASE("all the time in a collective is booked as such") {
    const auto program =
        spmd({4, 1}, 1, [](Rank) { return ClassBuilder().work(5 * us).allreduce(8).iteration().build(); });
    const record::Record record = engine::run(program, simple_machine({4, 1}), {});
    CHECK(in_us(*record.breakdown) == "compute 5, collective 18.016");
    CHECK(record.work->messages == 0);
}

TEST_CASE("an allreduce may be eager and make rendezvous by turns") {
    // 32 ranks take 5 steps; eager 4 + (1 + 8 ns) + 4 us; rendezvous 4 + (1 request, 1 answer, 1 + 2 us on the wire) +
    // 4 us.
    const auto program = spmd(
        {8, 4}, 1, [](Rank) { return ClassBuilder().allreduce(8).allreduce(2000).allreduce(8).iteration().build(); });
    const record::Record record = engine::run(program, simple_machine({8, 4}), {});
    CHECK(record.finish == WideTime{Time{2 * 5 * 9'008'000 + 5 * 13'000'000}});
}

// Delays: fixed times that are not scaled. The machine (fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to 1000
// bytes.

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
    const auto program = program_of({2, 1}, {does().delay(10 * us).send(1, 500), does().delay(2 * us).recv(-1)});
    const record::Record record = engine::run(program, simple_machine({2, 1}), {.path = true});
    CHECK(record.path->compute == WideTime{Time{10 * us}});
    // 10 + 4 + 1 + 0.5, then 4 for the receive; rank 1 has waited from 2 on.
    CHECK(record.rank_finish[1] == WideTime{Time{19'500 * ns}});
    CHECK(in_us(record.rank_breakdown[0]) == "compute 10, send 4");
    CHECK(in_us(record.rank_breakdown[1]) == "compute 2, recv 4, wait 13.5");
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
    const auto program = program_of({2, 1}, {does().work(4 * us), does().delay(4 * us).work(4 * us)});
    const record::Record record = engine::run(program, machine, {});
    CHECK(record.rank_finish[0] == WideTime{Time{4 * us}});
    CHECK(record.rank_finish[1] == WideTime{Time{8 * us}});
    CHECK(record.rank_breakdown[1].compute == WideTime{Time{8 * us}});
}

TEST_CASE("delays are the same with and without skipping") {
    const record::Record full = engine::run(pair_of_ranks(), simple_machine({2, 1}), {.replay = engine::Replay::full});
    const record::Record skipped = engine::run(pair_of_ranks(), simple_machine({2, 1}), {});
    check_same_run(full, skipped);
    CHECK(skipped.work->messages_replayed < full.work->messages_replayed);
}

// A pipeline of synchronous messages inside one node: every wave a rank receives from the west, receives from the
// north, sends east, sends south; a message starts when both ends are ready and keeps both busy for one step.
//
// The machine for such steps: all costs except S*G = 1 step are zero, and every message uses the rendezvous. The step
// that keeps the sender busy is a block of its program.

namespace {

constexpr std::int64_t kStep = 1'000'000;
constexpr std::int64_t kBytes = 1000;  // a step at 1 ns/B

machine::Machine one_node(RankGrid grid) {
    machine::Machine machine = simple_machine(grid, {grid.columns, grid.rows});
    const machine::ProfileRow row{.up_to = {},
                                  .protocol = machine::Protocol::rendezvous,
                                  .o_send = {},
                                  .o_recv = {},
                                  .L = {},
                                  .G = {1e-9},
                                  .G_recv = {}};
    machine.profiles = {machine::Profile{row}, machine::Profile{row}, machine::Profile{row}};
    return machine;
}

program::Program waves_over(RankGrid grid, std::int64_t waves, std::int64_t work) {
    return spmd(grid, 1, [&](Rank rank) {
        const auto stride = static_cast<std::int32_t>(grid.columns);
        ClassBuilder builder;
        builder.loop(waves);
        if (grid.column(rank) > 1) builder.recv(-1);
        if (grid.row(rank) > 1) builder.recv(-stride);
        builder.work(work);
        if (grid.column(rank) < grid.columns) builder.send(1, kBytes).work(kStep);
        if (grid.row(rank) < grid.rows) builder.send(stride, kBytes).work(kStep);
        return builder.end().iteration().build();
    });
}

}  // namespace

TEST_CASE("computing and messages of a synchronous pipeline add up") {
    // N sweeps over Px x Py ranks: (Px + Py - 1 + N - 1) T_cpu + (2 (Px + Py - 2) + 4 (N - 1)) T_msg
    for (const auto& [Px, Py] : {std::pair{3U, 3U}, {3U, 8U}, {10U, 7U}}) {
        for (const std::int64_t N : {1, 2, 9}) {
            for (const std::int64_t cpu : {0, 1, 5}) {
                INFO("Px ", Px, ", Py ", Py, ", N ", N, ", cpu ", cpu);
                const RankGrid grid{Px, Py};
                const record::Record record = engine::run(waves_over(grid, N, cpu * kStep), one_node(grid), {});
                const std::int64_t diagonal = std::int64_t{Px} + Py;
                const std::int64_t expected = (diagonal - 1 + N - 1) * cpu + 2 * (diagonal - 2) + 4 * (N - 1);
                CHECK(record.rank_finish.back() == WideTime{Time{expected * kStep}});
            }
        }
    }
}
