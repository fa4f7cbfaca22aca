// Rendezvous that make progress only in MPI calls, and senders that wait for their bytes; the arithmetic is by hand.
// The machine (fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to 1000 bytes, rendezvous above.
//
// Not pinned here: that random experiments with them give the same results in all ways (tests/campaign,
// tests/properties).
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

using machine::SenderGoesOn;

namespace {

machine::Machine in_calls(machine::Machine machine) {
    for (machine::Profile& profile : machine.profiles) {
        for (machine::ProfileRow& row : profile) row.progress = machine::MessageProgress::in_calls;
    }
    return machine;
}

machine::Machine until(SenderGoesOn when, machine::Machine machine) {
    for (machine::Profile& profile : machine.profiles) {
        for (machine::ProfileRow& row : profile) row.sender_goes_on = when;
    }
    return machine;
}

/// Returns the finish times of the ranks with progress in calls, which are the same in all ways.
std::vector<WideTime> finishes_in_calls(const program::Program& program, bool bus = false) {
    const machine::Machine machine = in_calls(simple_machine(program.grid, {}, bus));
    return check_all_ways(program, machine).full.rank_finish;
}

std::vector<WideTime> two_finish(const ClassBuilder& first, const ClassBuilder& second) {
    return finishes_in_calls(program_of({2, 1}, {first, second}));
}

}  // namespace

// --- progress: the sender --------------------------------------------------------------------------------------------

TEST_CASE("an isend that is acknowledged while its rank computes leaves at the rank's next call") {
    // Busy to 4, request there 5, back 6; the block lasts from 4 to 104. There 107, received to 111.
    CHECK(two_finish(does().isend(1, 2000).work(100 * us).await_sent(1), does().recv(-1)) == at({104 * us, 111 * us}));
}

TEST_CASE("an isend that is acknowledged while its rank waits leaves at once") {
    // Posted at 200, acknowledged at 201, there 204.
    CHECK(two_finish(does().isend(1, 2000).work(100 * us).await_sent(1), does().work(200 * us).recv(-1)) ==
          at({201 * us, 208 * us}));
}

TEST_CASE("a message that uses a bus requests it when it leaves") {
    const auto program = program_of({2, 1}, {does().isend(1, 2000).work(100 * us).await_sent(1), does().recv(-1)});
    CHECK(finishes_in_calls(program, true) == at({104 * us, 111 * us}));
}

TEST_CASE("waiting in a collective is being in a call") {
    const auto program = program_of({2, 1}, {does().isend(1, 2000).allreduce(8).await_sent(1),
                                             does().work(50 * us).recv(-1).work(7 * us).allreduce(8)});
    CHECK(finishes_in_calls(program) == finishes(program));
}

// --- progress: the receiver ------------------------------------------------------------------------------------------

TEST_CASE("a posted receive whose request arrives while its rank computes is acknowledged at the rank's next call") {
    // Request there 5, acknowledged at 100, back 101, there 104, received to 108.
    CHECK(two_finish(does().send(1, 2000), does().post(-1).work(100 * us).await(-1)) == at({101 * us, 108 * us}));
}

TEST_CASE("a receive that is posted when its request is there is acknowledged at once") {
    // Request there 5, posted and acknowledged at 50, back 51, there 54, received 150-154.
    CHECK(two_finish(does().send(1, 2000), does().work(50 * us).post(-1).work(100 * us).await(-1)) ==
          at({51 * us, 154 * us}));
}

TEST_CASE("a receive that its rank waits for is acknowledged when its request arrives") {
    // Posted at 0, waited for from 2 on; the sender's request is there at 3 + 4 + 1 = 8, acknowledged 9, there 12.
    CHECK(two_finish(does().work(3 * us).send(1, 2000), does().post(-1).work(2 * us).await(-1)) ==
          at({9 * us, 16 * us}));
}

TEST_CASE("any call between two blocks acknowledges; blocks without one are one block") {
    // Acknowledged at the second post, 10: back 11; the eager message is busy 11-15. Received 30-34, 34-38.
    CHECK(two_finish(does().send(1, 2000).send(1, 500, 9),
                     does().post(-1).work(10 * us).post(-1, 9).work(20 * us).await(-1).await(-1, 9)) ==
          at({15 * us, 38 * us}));
    // Acknowledged at 30, back 31, there 34, received to 38. Ends of loops are no calls, nor are phases.
    CHECK(two_finish(does().send(1, 2000), does().post(-1).work(10 * us).delay(10 * us).work(10 * us).await(-1)) ==
          at({31 * us, 38 * us}));
    CHECK(two_finish(does().send(1, 2000), does().post(-1).loop(3).work(10 * us).end().await(-1)) ==
          at({31 * us, 38 * us}));
}

TEST_CASE("a rank is in a call when its block begins, and out of it a picosecond later") {
    const auto finishes_late = [](std::int64_t late) {
        return finishes_in_calls(program_of(
            {3, 1}, {does().work(3 * us + late).send(1, 2000),
                     does().post(-1).send(1, 500).send(1, 500).work(100 * us).await(-1), does().recv(-1).recv(-1)}));
    };
    // The request is there at 3 + 4 + 1 = 8, when the receiver has sent twice 4 us: acknowledged at 8, else at 108.
    CHECK(finishes_late(0) == at({9 * us, 112 * us, 13'500'000}));
    CHECK(finishes_late(1) == at({109 * us, 116 * us, 13'500'000}));
}

TEST_CASE("both sides compute: the data leaves at the sender's first call after the acknowledgement") {
    const auto receiver = does().post(-1).work(100 * us).await(-1);
    // Acknowledged at 100, back 101, when the sender waits; or it computes from 4 to 204: there 207, received to 211.
    CHECK(two_finish(does().isend(1, 2000).work(30 * us).await_sent(1), receiver) == at({101 * us, 108 * us}));
    CHECK(two_finish(does().isend(1, 2000).work(200 * us).await_sent(1), receiver) == at({204 * us, 211 * us}));
}

TEST_CASE("an eager message needs no progress") {
    const auto program = program_of(
        {2, 1}, {does().isend(1, 500).work(100 * us).await_sent(1), does().post(-1).work(50 * us).await(-1)});
    CHECK(finishes_in_calls(program) == at({104 * us, 54 * us}));
}

TEST_CASE("a receive is of the message whose turn it is, where eager ones precede the rendezvous") {
    // Eager: busy to 4, there 5.5, received to 9.5, when the second is posted. Rendezvous: busy to 8, request there 9,
    // acknowledged at 9.5, back 10.5, there 13.5, received 109.5-113.5.
    CHECK(two_finish(does().send(1, 500).send(1, 2000), does().post(-1).await(-1).post(-1).work(100 * us).await(-1)) ==
          at({10'500'000, 113'500'000}));
    // The first is posted at 0 and taken at 100 to 104; the second posted then: the request has been there since 9.
    CHECK(two_finish(does().send(1, 500).send(1, 2000), does().post(-1).work(100 * us).await(-1).recv(-1)) ==
          at({105 * us, 112 * us}));
}

TEST_CASE("on one channel each rendezvous makes progress by the row of its size") {
    machine::Machine machine = in_calls(simple_machine({2, 1}));
    machine::Profile& rows = machine.profiles[2];
    rows.insert(rows.begin() + 1, rows[1]);
    rows[1].up_to = Bytes{2000};
    rows[1].progress = machine::MessageProgress::asynchronous;
    const auto program =
        program_of({2, 1}, {does().send(1, 3000).work(20 * us).send(1, 2000),
                            does().post(-1).work(100 * us).await(-1).post(-1).work(100 * us).await(-1)});
    // In calls: acknowledged at 100, back 101, there 105, received to 109, when the second is posted. Asynchronous:
    // busy 121-125, request there and acknowledged at 126, back 127, there 130, received 209-213.
    CHECK(check_all_ways(program, machine).full.rank_finish == at({127 * us, 213 * us}));
}

TEST_CASE("a receive from any source is matched while its rank computes, and acknowledged at its next call") {
    const std::vector<Channel> any{{-1, 0}};
    CHECK(two_finish(does().send(1, 2000), does().post_any(any).work(100 * us).await_open(0)) ==
          at({101 * us, 108 * us}));
}

TEST_CASE("synchronous messages of few bytes make progress by the row of their size") {
    CHECK(two_finish(does().ssend(1, 8), does().post(-1).work(100 * us).await(-1)) ==
          at({101 * us, 102'008'000 + 4 * us}));
}

TEST_CASE("a rank that has ended its program is in a call") {
    // Acknowledged at 5, back 6 in the block from 4 to 14; ends without waiting.
    CHECK(two_finish(does().isend(1, 2000).work(10 * us), does().recv(-1)) == at({14 * us, 21 * us}));
}

TEST_CASE("programs that begin no message are as with asynchronous progress, and as fast") {
    const program::Program program = four_sweeps({3, 3}, 2000, 3);
    const machine::Machine machine = crowded_torus({3, 3}, {});
    const record::Record as_always = engine::run(program, machine, {});
    const record::Record calls = engine::run(program, in_calls(machine), {});
    check_same_run(calls, as_always);
    CHECK(calls.work->events == as_always.work->events);
}

namespace {

/// 1,000 iterations of a row of four ranks, whose sends and receives progress beside blocks of different length.
program::Program overlapping_row(bool posts) {
    return spmd({4, 1}, 1000, [&](Rank rank) {
        ClassBuilder builder;
        builder.loop(1000);
        if (rank.index > 0 && posts) builder.post(-1);
        if (rank.index < 3) builder.isend(1, 2000);
        builder.work((7 + 5 * rank.index) * us);
        if (rank.index > 0) posts ? builder.await(-1) : builder.recv(-1);
        builder.work((11 - 3 * rank.index) * us);
        if (rank.index < 3) builder.await_sent(1);
        return builder.iteration().end().build();
    });
}

}  // namespace

TEST_CASE("iterations with progress in calls, or with senders that wait, recur and are skipped exactly") {
    for (const bool posts : {false, true}) {
        for (const bool bus : {false, true}) {
            for (const SenderGoesOn when : {SenderGoesOn::acknowledged, SenderGoesOn::sent, SenderGoesOn::received}) {
                for (const bool calls : {false, true}) {
                    CAPTURE(posts);
                    CAPTURE(bus);
                    CAPTURE(calls);
                    machine::Machine machine = until(when, simple_machine({4, 1}, {}, bus));
                    if (calls) machine = in_calls(machine);
                    const auto [full, skipped] = check_all_ways(overlapping_row(posts), machine);
                    CHECK(full.work->messages_replayed == 3 * 1000);
                    CHECK(skipped.work->messages_replayed < 3 * 50);
                }
            }
        }
    }
}

TEST_CASE("cores that share memory bandwidth make progress in calls all the same") {
    // Two nodes of two; on each node both compute, at half speed while both do.
    const auto program = program_of(
        {4, 1}, {does().isend(2, 2000).work(100 * us).await_sent(2), does().work(100 * us), does().recv(-2), does()});
    machine::Machine machine = in_calls(simple_machine({4, 1}, {2, 1}));
    machine.memory = machine::Memory{{1e9}, {1e9}, 1};
    // Rank 1 computes alone to 4, then both at half speed: 96 us are left of its block, and end at 4 + 192 = 196. Rank
    // 0 has 4 us left then, alone: its block ends at 200, the data is there at 203, received to 207.
    CHECK(check_all_ways(program, machine).full.rank_finish == at({200 * us, 196 * us, 207 * us, 0}));
}

// --- when the sender resumes -----------------------------------------------------------------------------------------

TEST_CASE("a send ends when it is acknowledged, when its bytes have left, or when all have arrived") {
    const auto program = program_of({2, 1}, {does().send(1, 2000), does().recv(-1)});
    const machine::Machine machine = simple_machine({2, 1});
    // Busy to 4, request there 5, back 6, bytes away at 8, there at 9, received to 13.
    CHECK(finishes(program, machine) == at({6 * us, 13 * us}));
    CHECK(finishes(program, until(SenderGoesOn::sent, machine)) == at({8 * us, 13 * us}));
    CHECK(finishes(program, until(SenderGoesOn::received, machine)) == at({9 * us, 13 * us}));
}

TEST_CASE("a send waits for its last packet, also if the receiver copies the first ones out meanwhile") {
    // As above, but the first of four packets is on the wire to 6.5 and there at 7.5: received to 7.5 + 4 + 2 = 13.5.
    machine::Machine machine = simple_machine({2, 1});
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.packet.size = Bytes{500};
        row.G_recv = {1e-9};
    }
    for (const auto& sends : {does().send(1, 2000), does().isend(1, 2000).await_sent(1)}) {
        const auto program = program_of({2, 1}, {sends, does().recv(-1)});
        CHECK(finishes(program, until(SenderGoesOn::sent, machine)) == at({8 * us, 13'500'000}));
        CHECK(finishes(program, until(SenderGoesOn::received, machine)) == at({9 * us, 13'500'000}));
        CHECK(check_all_ways(program, until(SenderGoesOn::received, machine)).full.rank_finish ==
              at({9 * us, 13'500'000}));
    }
}

TEST_CASE("a send waits for its last packet on shared links too") {
    // Links of 2 ns/B: packets of 500 B leave from 6 to 10, the first is there at 8, the last at 11.
    machine::Machine machine = crowded_torus({2, 1}, {});
    machine.bus.reset();
    machine.nic.reset();
    machine.links = machine::Links{};
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.holds_bus = row.holds_nic = false;
        row.packet.size = Bytes{500};
        row.G_recv = {2e-9};
    }
    const auto program = program_of({2, 1}, {does().send(1, 2000), does().recv(-1)});
    CHECK(finishes(program, until(SenderGoesOn::sent, machine)) == at({10 * us, 16 * us}));
    CHECK(finishes(program, until(SenderGoesOn::received, machine)) == at({11 * us, 16 * us}));
}

TEST_CASE("the same holds for a wait for an isend, unless it ends before") {
    const auto program = [](std::int64_t work) {
        return program_of({2, 1}, {does().isend(1, 2000).work(work).await_sent(1), does().recv(-1)});
    };
    const machine::Machine machine = simple_machine({2, 1});
    CHECK(finishes(program(1 * us), until(SenderGoesOn::sent, machine)) == at({8 * us, 13 * us}));
    CHECK(finishes(program(1 * us), until(SenderGoesOn::received, machine)) == at({9 * us, 13 * us}));
    CHECK(finishes(program(10 * us), until(SenderGoesOn::received, machine)) == at({14 * us, 13 * us}));
}

TEST_CASE("an eager send ends at once independently of the row") {
    const auto program = program_of({2, 1}, {does().send(1, 500), does().work(100 * us).recv(-1)});
    CHECK(finishes(program, until(SenderGoesOn::received, simple_machine({2, 1}))) == at({4 * us, 104 * us}));
}

TEST_CASE(
    "a sender copies in the rest of its message before it goes on, or waits for its arrival, whichever is later") {
    // G_send 4 ns/B in packets of 500 B: the first copied in at 6; 500 B take 2 us in, 0.5 us on the wire.
    machine::Machine machine = until(SenderGoesOn::received, simple_machine({2, 1}));
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.packet.size = Bytes{500};
        row.G_send = {4e-9};
    }
    const auto program = program_of({2, 1}, {does().send(1, 2000), does().recv(-1)});
    // o_send 4, copied in 6, request there 7, back 8; three more packets copied in to 14, the last on the wire to
    // 14.5, there at 15.5, received to 19.5.
    CHECK(finishes(program, machine) == at({15'500'000, 19'500'000}));
    CHECK(finishes(program, until(SenderGoesOn::sent, machine)) == at({14'500'000, 19'500'000}));
    CHECK(finishes(program, until(SenderGoesOn::acknowledged, machine)) == at({14 * us, 19'500'000}));
}

TEST_CASE("an arrival that links delay is waited for, whether they are one node's or several nodes'") {
    // Links of 2 ns/B: 4 us for 2,000 B each. 0 sends two links up to 2, 1 one link up to 2; both are acknowledged at
    // 6 and 7: 0's request goes one link further, whose latency is 0.05 us.
    const auto program = program_of({5, 1}, {does().send(2, 2000), does().send(1, 2000), does().recv(-2).recv(-1)});
    machine::Machine machine = crowded_torus({5, 1}, {});
    machine.bus.reset();
    machine.nic.reset();
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_bus = row.holds_nic = false;
    machine.links = machine::Links{};
    const auto program_alone = program_of({5, 1}, {does().send(2, 2000), does(), does().recv(-2)});
    // Alone: request there 4 + 1.05 = 5.05, back 6.1, there 6.1 + 1.05 + 4 = 11.15.
    CHECK(finishes(program_alone, until(SenderGoesOn::received, machine)) == at({11'150'000, 0, 15'150'000, 0, 0}));
    // 2 posts for 1 when it has received from 0, at 15.15: acknowledged at 16.15, there at 21.15.
    CHECK(finishes(program, until(SenderGoesOn::received, machine)) == at({11'150'000, 21'150'000, 25'150'000, 0, 0}));
    // Both posted at 0: 1 leaves at 6 and occupies the link from 1 to 2 to 10; 0, that leaves at 6.1 and requests it
    // then,
    // is 3.9 us late. They are there at 6 + 1 + 4 = 11 and 10 + 1.05 + 4 = 15.05.
    const auto meeting =
        program_of({5, 1}, {does().send(2, 2000), does().send(1, 2000), does().post(-2).post(-1).await(-2).await(-1)});
    for (const unsigned threads : {1U, 2U}) {
        CHECK(engine::run(meeting, until(SenderGoesOn::received, machine), {.threads = threads}).rank_finish ==
              at({15'050'000, 11 * us, 23'050'000, 0, 0}));
    }
    check_all_ways(meeting, in_calls(until(SenderGoesOn::received, machine)));
}

TEST_CASE("senders that wait are the same in all ways, with all that a machine shares") {
    for (const SenderGoesOn when : {SenderGoesOn::sent, SenderGoesOn::received}) {
        const machine::Machine machine = until(when, scattered_torus({4, 4}, {2, 1}));
        const program::Program program = four_sweeps({4, 4}, 2000, 12);
        const auto [full, skipped] = check_all_ways(program, machine);
        CHECK(skipped.work->messages_replayed < full.work->messages_replayed);
        CHECK(full.finish > engine::run(program, scattered_torus({4, 4}, {2, 1}), {}).finish);
    }
}

// --- what explains it ------------------------------------------------------------------------------------------------

namespace {

std::string explained(const program::Program& program, const machine::Machine& machine) {
    const record::Record record = engine::run(program, machine, {.replay = engine::Replay::full, .path = true});
    CHECK(record.path.value().total() == record.finish);
    return in_us(*record.path);
}

}  // namespace

TEST_CASE("the critical path goes through the block that delays the progress") {
    const machine::Machine machine = in_calls(simple_machine({2, 1}));
    // The sender's block: 4 + 100 + 1 + 2 + 4; the receiver's: 100 + 1 back + 1 + 2 + 4.
    CHECK(explained(program_of({2, 1}, {does().isend(1, 2000).work(100 * us).await_sent(1), does().recv(-1)}),
                    machine) == "compute 100, overhead 8, latency 1, bandwidth 2");
    CHECK(explained(program_of({2, 1}, {does().send(1, 2000), does().post(-1).work(100 * us).await(-1)}), machine) ==
          "compute 100, overhead 4, latency 2, bandwidth 2");
}

TEST_CASE("the critical path goes through a post that its rank has made before the request is there") {
    // The receiver sends two messages, busy to 8, posts, sends a third to 12; the request is there at 5. Acknowledged
    // at 8, back 9, there 15, received to 19.
    const auto program =
        program_of({3, 1}, {does().recv(1).recv(1).recv(1),
                            does().send(-1, 500).send(-1, 500).post(1).send(-1, 500).await(1), does().send(-1, 5000)});
    CHECK(explained(program, in_calls(simple_machine({3, 1}))) == "overhead 12, latency 2, bandwidth 5");
}

TEST_CASE("the critical path goes through the bytes that a sender waits for") {
    const auto program = program_of({2, 1}, {does().send(1, 2000).work(50 * us), does().recv(-1)});
    CHECK(explained(program, until(SenderGoesOn::sent, simple_machine({2, 1}))) ==
          "compute 50, overhead 4, latency 2, bandwidth 2");
    CHECK(explained(program, until(SenderGoesOn::received, simple_machine({2, 1}))) ==
          "compute 50, overhead 4, latency 3, bandwidth 2");
}

TEST_CASE("the time that a sender waits for its bytes is waiting") {
    const auto program = program_of({2, 1}, {does().send(1, 2000).work(50 * us), does().recv(-1)});
    const record::Record record = engine::run(program, until(SenderGoesOn::received, simple_machine({2, 1})), {});
    CHECK(in_us(record.rank_breakdown[0]) == "compute 50, send 4, wait 5");
}
