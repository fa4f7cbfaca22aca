// Messages that are sent eagerly, independently of their row, and the cost for a receiver if one of them arrives before
// its receive is posted.
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

namespace {

/// Returns a machine with a node for each rank, with o = 4 us, L = 1 us, G = 1 ns/B, and a rendezvous above 1000 B.
machine::Machine eager_machine(RankGrid grid, machine::EagerSends eager) {
    machine::Machine machine = simple_machine(grid);
    for (machine::ProfileRow& row : machine.profiles[2]) row.eager = eager;
    return machine;
}

constexpr machine::EagerSends kCopies{.limit = {}, .o_unexpected = {3 * us}, .G_unexpected = {2e-9}};

WideTime end_of(const program::Program& program, const machine::Machine& machine) {
    return engine::run(program, machine, {}).finish;
}

/// Rank 0 sends 500 B at once, arriving at 4 + 1.5 = 5.5 us; rank 1 receives them after `work` picoseconds of work.
program::Program received_after(std::int64_t work) {
    return program_of({2, 1}, {does().send(1, 500), does().work(work).recv(-1)});
}

}  // namespace

TEST_CASE("a message that arrives before its receive is posted keeps the receiver busy for longer") {
    // Posted at 20 us: 3 us + 500 * 2 ns = 4 us for the copy, then o_recv = 4 us.
    CHECK(end_of(received_after(20 * us), eager_machine({2, 1}, kCopies)) == WideTime{Time{28 * us}});
}

TEST_CASE("a message that arrives as its receive is posted, or later, costs nothing more") {
    CHECK(end_of(received_after(5'500'000), eager_machine({2, 1}, kCopies)) == WideTime{Time{9'500'000}});
    CHECK(end_of(received_after(5'499'999), eager_machine({2, 1}, kCopies)) == WideTime{Time{9'500'000}});
    CHECK(end_of(received_after(5'500'001), eager_machine({2, 1}, kCopies)) == WideTime{Time{5'500'001 + 8 * us}});
}

TEST_CASE("a receive that is posted early makes no message unexpected") {
    const auto program = program_of({2, 1}, {does().send(1, 500), does().post(-1).work(20 * us).await(-1)});
    CHECK(end_of(program, eager_machine({2, 1}, kCopies)) == WideTime{Time{24 * us}});
}

TEST_CASE("a receive from any source is posted when its rank comes to it") {
    const auto program = program_of({2, 1}, {does().send(1, 500), does().work(20 * us).recv_any({{-1, 0}})});
    CHECK(end_of(program, eager_machine({2, 1}, kCopies)) == WideTime{Time{28 * us}});
    const auto early =
        program_of({2, 1}, {does().send(1, 500), does().post_any({{-1, 0}}).work(20 * us).await_open(0)});
    CHECK(end_of(early, eager_machine({2, 1}, kCopies)) == WideTime{Time{24 * us}});
}

TEST_CASE("unexpected messages are counted, and their copies are time of receiving") {
    const record::Record record = engine::run(received_after(20 * us), eager_machine({2, 1}, kCopies), {});
    REQUIRE(record.unexpected);
    CHECK(*record.unexpected == record::UnexpectedMessages{1, WideTime{Time{4 * us}}});
    CHECK(record.breakdown->recv == WideTime{Time{8 * us}});
    CHECK(record.breakdown->total() == record.finish);
    CHECK_FALSE(engine::run(received_after(20 * us), simple_machine({2, 1}), {}).unexpected);
}

TEST_CASE("up to the limit a sender does not wait for its receiver, whatever the row states") {
    // 2000 B by the rendezvous of the row: busy 0-4, the receive is posted at 20, acknowledged at 21. Sent eagerly:
    // rank 0 ends at 4.
    const auto program = program_of({2, 1}, {does().send(1, 2000), does().work(20 * us).recv(-1)});
    CHECK(finishes(program, simple_machine({2, 1}))[0] == WideTime{Time{21 * us}});
    CHECK(finishes(program, eager_machine({2, 1}, {.limit = Bytes{2000}}))[0] == WideTime{Time{4 * us}});
    CHECK(finishes(program, eager_machine({2, 1}, {.limit = Bytes{1999}}))[0] == WideTime{Time{21 * us}});
}

TEST_CASE("a limit leaves a ping-pong as its row states it") {
    // The receive is posted: o_send 4, request 1 and acknowledgement 1, L + S*G = 3, o_recv 4.
    const auto program = program_of({2, 1}, {does().send(1, 2000), does().recv(-1)});
    CHECK(end_of(program, simple_machine({2, 1})) == WideTime{Time{13 * us}});
    CHECK(end_of(program, eager_machine({2, 1}, {.limit = Bytes{2000}})) == WideTime{Time{13 * us}});
}

TEST_CASE("beyond the limit messages wait for their receives, though their row is eager") {
    const auto program = program_of({2, 1}, {does().send(1, 500), does().work(20 * us).recv(-1)});
    CHECK(finishes(program, eager_machine({2, 1}, {.limit = Bytes{499}}))[0] == WideTime{Time{21 * us}});
}
