// Nonblocking sends; the arithmetic is by hand. The machine (fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to
// 1000 bytes, rendezvous above.
#include "tests/engine/same_run.hpp"

namespace {

/// Rank 0 executes an isend of `bytes`, works 100 us, waits; rank 1 works `late`, receives.
program::Program overlapped(std::int64_t bytes, std::int64_t late) {
    return program_of({2, 1}, {does().isend(1, bytes).work(100 * us).await_sent(1), does().work(late).recv(-1)});
}

}  // namespace

TEST_CASE("an eager isend is a send") {
    // Busy to 4, works to 104. The data is there at 4 + 1 + 0.5: received 5.5-9.5.
    CHECK(finishes(overlapped(500, 0)) == at({104 * us, 9'500'000}));
}

TEST_CASE("eager isends leave their node one after another while their rank computes") {
    // Three messages of 900 B, o_send 4 us each: they leave when the NIC has injected the one before, 90 us each, at
    // 4, 94 and 184. The rank works from 12 to 112 us and waits for the last to leave.
    machine::Machine machine = simple_machine({2, 1});
    machine.nic = machine::Nic{.injection = {1e-7}, .ejection = {1e-9}};
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_nic = true;
    const auto program = [](std::int64_t work) {
        return program_of({2, 1}, {does()
                                       .isend(1, 900, 1)
                                       .isend(1, 900, 2)
                                       .isend(1, 900, 3)
                                       .work(work)
                                       .await_sent(1, 1)
                                       .await_sent(1, 2)
                                       .await_sent(1, 3),
                                   does().recv(-1, 1).recv(-1, 2).recv(-1, 3)});
    };
    CHECK(finishes(program(100 * us), machine)[0] == WideTime{Time{184 * us}});
    CHECK(finishes(program(300 * us), machine)[0] == WideTime{Time{312 * us}});
}

TEST_CASE("an isend that waits for its NIC while its rank is in an allreduce counts this wait afterwards") {
    // Only messages of 2000 B use NICs, for 200 us. Rank 0 is busy to 4 and to 8; the requests are there at 5 and 9,
    // back at 6 and 10. The NIC injects the first message from 6 to 206, so the second waits for it from 10 to 206.
    // Rank 1 sends 100-104, its message leaves at 106 when its NIC is granted, and only then it enters the allreduce:
    // it sends 106-110, there at 111. So the allreduce of rank 0 lasts from 8 to 115. Then the rank waits for the NIC
    // to 206, and for the message of rank 1 to 106 + 1 + 200 = 307.
    machine::Machine machine = simple_machine({2, 1});
    machine.nic = machine::Nic{.injection = {1e-7}, .ejection = {}};
    machine.profiles[2].back().holds_nic = true;
    const program::Program program = program_of(
        {2, 1},
        {does()
             .post(1, 3)
             .isend(1, 2000, 1)
             .isend(1, 2000, 2)
             .allreduce(0)
             .await_sent(1, 1)
             .await_sent(1, 2)
             .await(1, 3),
         does().post(-1, 1).post(-1, 2).work(100 * us).send(-1, 2000, 3).allreduce(0).await(-1, 1).await(-1, 2)});
    const record::Record record = engine::run(program, machine, {});
    CHECK(in_us(record.rank_breakdown[0]) == "send 8, recv 4, wait 101, nic wait 91, collective 107");
}

TEST_CASE("an eager isend waits for its bus while its rank computes") {
    // The bus takes 50 us for a message: the first leaves at 4, the second at 54. The rank works from 8 to 108 us.
    machine::Machine machine = simple_machine({2, 1}, {}, true);
    machine.bus = machine::Bus{{50 * us}, {0.0}};
    const program::Program program =
        program_of({2, 1}, {does().isend(1, 500, 1).isend(1, 500, 2).work(100 * us).await_sent(1, 1).await_sent(1, 2),
                            does().recv(-1, 1).recv(-1, 2)});
    CHECK(finishes(program, machine)[0] == WideTime{Time{108 * us}});
}

TEST_CASE("a rendezvous progresses while its rank computes") {
    // Busy to 4, request there 5, back 6, data there 6 + 2 + 1 = 9, received 9-13; the sender works to 104.
    CHECK(finishes(overlapped(2000, 0)) == at({104 * us, 13 * us}));
}

TEST_CASE("a wait ends when the receive has been posted and that is known") {
    // Posted at 200, acknowledged at 201, data there 204, received to 208.
    CHECK(finishes(overlapped(2000, 200 * us)) == at({201 * us, 208 * us}));
}

TEST_CASE("a message that uses a bus requests it as soon as the post is known, independently of its rank") {
    // The post arrives at 6 and the data at 9, as without the bus.
    CHECK(finishes(overlapped(2000, 0), simple_machine({2, 1}, {}, true)) == at({104 * us, 13 * us}));
    // The receive is posted at 200 and acknowledged at 201, as without the bus.
    CHECK(finishes(overlapped(2000, 200 * us), simple_machine({2, 1}, {}, true)) == at({201 * us, 208 * us}));
}

TEST_CASE("ranks that all send before they receive get on, where blocking sends would not") {
    const auto ring = [](bool blocking) {
        std::vector<ClassBuilder> ranks;
        for (const auto& [next, before] : {std::pair{1, 3}, {1, -1}, {1, -1}, {-3, -1}}) {
            ranks.push_back(blocking ? does().send(next, 2000).recv(before)
                                     : does().isend(next, 2000).recv(before).await_sent(next));
        }
        return program_of({4, 1}, ranks);
    };
    CHECK_THROWS_AS(engine::run(ring(true), simple_machine({4, 1}), {}), engine::Deadlock);
    // Busy to 4, posts at 4; request arrives at 5, is back at 6, data arrives at 9, is received to 13. The isend left
    // at 6.
    for (const WideTime finish : finishes(ring(false))) CHECK(finish == WideTime{Time{13 * us}});
}

TEST_CASE("a wait for a send that no rank receives is reported in a deadlock") {
    const auto program =
        program_of({2, 1}, {does().isend(1, 2000, 3).await_sent(1, 3), does().recv(-1, 4).recv(-1, 3)});
    auto with_endpoint = program;
    with_endpoint.classes[0].send_endpoints.push_back({1, 4});  // on which nothing is sent
    const auto blocked = blocked_in(with_endpoint);
    REQUIRE(blocked.size() == 2);
    CHECK(blocked[0].what == record::Blocked::What::send);
    CHECK(blocked[0].tag == 3);
    CHECK(blocked[0].site == 1);
}

TEST_CASE("iterations recur although a send of each progresses beside its rank, whatever the other ranks do") {
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
        const auto [full, skipped] = check_all_ways(row, machine);
        CHECK(full.work->messages_replayed == 3 * 1000);
        CHECK(skipped.work->messages_replayed < 3 * 50);
    }
}

TEST_CASE("two ranks that both receive before they send are reported as blocked on each other") {
    const auto program = program_of({2, 1}, {does().recv(1, 7).send(1, 8, 7), does().recv(-1, 7).send(-1, 8, 7)});
    const auto blocked = blocked_in(program);
    REQUIRE(blocked.size() == 2);
    CHECK(blocked[0].rank == Rank{0});
    CHECK(blocked[0].peer == Rank{1});
    CHECK(blocked[0].tag == 7);
    CHECK(blocked[0].what == record::Blocked::What::recv);
    CHECK(blocked[1].peer == Rank{0});
}

TEST_CASE("rendezvous sends towards each other block; eager ones pass") {
    const auto head_on = [](std::int64_t bytes) {
        return program_of({2, 1}, {does().send(1, bytes).recv(1), does().send(-1, bytes).recv(-1)});
    };
    CHECK_NOTHROW(engine::run(head_on(500), simple_machine({2, 1}), {}));
    const auto blocked = blocked_in(head_on(2000));
    REQUIRE(blocked.size() == 2);
    CHECK(blocked[0].what == record::Blocked::What::send);
}

TEST_CASE("a rank that needs a message of its neighbour's next iteration is not taken for a deadlock") {
    // Rank 0 receives in iteration k what rank 1 sends in iteration k + 1: ranks that are paused at their marks must be
    // released.
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
