// Messages that a rank takes in the order of arrival: from any source, of several posted receives, and replies to their
// senders. The arithmetic is by hand. The machine (fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to 1000
// bytes, rendezvous above.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "simulator/program/mismatches.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/validation/validate.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

const std::vector<Channel> kBoth{{1, 0}, {2, 0}};

/// Rank 0 executes `first`; ranks 1 and 2 send after working for the given times.
program::Program from_two(const ClassBuilder& first, std::int64_t bytes, std::int64_t work_1 = 50 * us,
                          std::int64_t work_2 = 20 * us) {
    return program_of({3, 1}, {first, does().work(work_1).send(-1, bytes), does().work(work_2).send(-2, bytes)});
}

/// Rank 0 takes both messages in the order of arrival.
program::Program two_taken(std::int64_t bytes, std::int64_t work_1, std::int64_t work_2, std::int64_t late = 0) {
    return from_two(does().work(late).recv_any(kBoth).recv_any(kBoth), bytes, work_1, work_2);
}

}  // namespace

TEST_CASE("the first message to arrive from any source is taken") {
    // Rank 2 sends 20-24, there 25.5, received to 29.5. Rank 1 sends 50-54, there 55.5, received to 59.5.
    CHECK(finishes(two_taken(500, 50 * us, 20 * us)) == at({59'500'000, 54 * us, 24 * us}));
}

TEST_CASE("the first of the messages that arrived before the receive is taken") {
    // Both are there by 25.5; taken from 100 on, one after the other.
    const auto program = two_taken(500, 0, 20 * us, 100 * us);
    CHECK(finishes(program) == at({108 * us, 4 * us, 24 * us}));
}

TEST_CASE("the message of the lower source is taken if two arrive at once") {
    // Both arrive at 5.5; then the master answers rank 1 at once and rank 2 after that: work of 100 us shows it.
    const auto program =
        program_of({3, 1}, {does().loop(2).recv_any(kBoth).work(100 * us).reply({{1, 1}, {2, 1}}, 8).end(),
                            does().send(-1, 500).recv(-1, 1), does().send(-2, 500).recv(-2, 1)});
    // Taken 5.5-9.5, worked to 109.5, answered to 113.5, there 114.508, received to 118.508; the other 4 + 100 + 4
    // later.
    CHECK(finishes(program) == at({221'500'000, 118'508'000, 226'508'000}));
}

TEST_CASE("a rendezvous from any source is taken by its request, and then sends its data") {
    // Rank 2: busy 0-4, request there 5, back 6, data there 6 + 2 + 1 = 9, received to 13.
    // Rank 1: busy 50-54, request there 55, back 56, data there 59, received to 63.
    CHECK(finishes(two_taken(2000, 50 * us, 0)) == at({63 * us, 56 * us, 6 * us}));
}

TEST_CASE("a rendezvous that has not been taken waits, whatever else is received") {
    // Both requests are there at 5. The first is taken: back 6, data there 9, received to 13. The second: taken 13,
    // back 14, data there 17, received to 21.
    CHECK(finishes(two_taken(2000, 0, 0)) == at({21 * us, 6 * us, 14 * us}));
}

TEST_CASE("messages of one channel are taken in their order, whichever comes first") {
    // Rank 1 sends 500 B (eager, there 4 + 1 + 0.5 = 5.5), then 2,000 B (request there 9); rank 0 takes both from
    // "any".
    const auto program =
        program_of({2, 1}, {does().recv_any({{1, 0}}).recv_any({{1, 0}}), does().send(-1, 500).send(-1, 2000)});
    // Received 5.5-9.5; the request is taken then, back 10.5, data there 13.5, received to 17.5.
    CHECK(finishes(program) == at({17'500'000, 10'500'000}));
}

TEST_CASE("a wait for any of several posted receives ends with the one whose message arrives first") {
    // Posted at 0. The data of rank 2 arrives at 20 + 4 + 1.5 = 25.5 and is received to 29.5, that of rank 1 at 55.5
    // and to 59.5.
    const auto program = from_two(does().post(1).post(2).await_any(kBoth).work(1 * us).await_any(kBoth), 500);
    CHECK(finishes(program) == at({59'500'000, 54 * us, 24 * us}));
}

TEST_CASE("a rendezvous whose receive is posted progresses before its rank waits") {
    // Posted at 0. The request arrives at 5, is back at 6, the data arrives at 9. Rank 0 works to 100 and receives to
    // 104.
    const auto program = program_of({2, 1}, {does().post(1).work(100 * us).await_any({{1, 0}}), does().send(-1, 2000)});
    CHECK(finishes(program) == at({104 * us, 6 * us}));
}

TEST_CASE("a synchronous send of few bytes waits for its receive") {
    // Busy to 4; posted at 50, known 51, data there 51 + 0.5 + 1 = 52.5, received to 56.5. A plain send is over at 4.
    const auto program = [](const ClassBuilder& sends) {
        return program_of({2, 1}, {sends, does().work(50 * us).recv(-1)});
    };
    CHECK(finishes(program(does().ssend(1, 500))) == at({51 * us, 56'500'000}));
    CHECK(finishes(program(does().send(1, 500))) == at({4 * us, 54 * us}));
}

TEST_CASE("the parts of a rank that takes messages as they come add up") {
    const auto program = two_taken(500, 50 * us, 20 * us);
    const record::Record run = engine::run(program, simple_machine({3, 1}), {});
    CHECK(in_us(run.rank_breakdown[0]) == "recv 8, wait 51.5");  // twice o_recv, 59.5 - 8
    CHECK(in_us(run.rank_breakdown[1]) == "compute 50, send 4");
}

TEST_CASE("ranks that wait for any message in vain are reported with one that they wait for") {
    const auto program =
        program_of({3, 1}, {does().recv_any({{1, 5}, {2, 5}}).send(1, 8), does().recv(-1).send(-1, 8, 5)});
    auto with_endpoint = program;
    with_endpoint.classes[2].send_endpoints.push_back({-2, 5});  // on which nothing is sent
    const auto blocked = blocked_in(with_endpoint);
    REQUIRE(blocked.size() == 2);
    CHECK(blocked[0].partners == 2);
    CHECK(blocked[0].peer == Rank{1});  // rank 2 has finished
    CHECK(blocked[0].tag == 5);
}

TEST_CASE("messages of any source that do not add up are a mismatch") {
    const auto with = [](std::int64_t taken) { return from_two(does().loop(taken).recv_any(kBoth).end(), 8); };
    CHECK(program::mismatches(with(2), 3).empty());
    const auto found = program::mismatches(with(3), 3);
    REQUIRE(found.size() == 1);
    CHECK(found[0].any);
    CHECK(found[0].count == 3);
    CHECK(found[0].peer_count == 2);
}

// Receives that a rank posts for the first message to arrive, and waits for later. The arithmetic is by hand. The
// machine (fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to 1000 bytes, rendezvous above.

namespace {

/// Rank 1 sends two messages on one channel; rank 0 has two receives open and waits for the second first.
program::Program second_waited_for_first(std::int64_t first, std::int64_t second) {
    return program_of({2, 1}, {does().post_any({{1, 0}}).post_any({{1, 0}}).await_open(1).await_open(0),
                               does().send(-1, first).send(-1, second)});
}

}  // namespace

TEST_CASE("an open receive is matched while its rank computes: a rendezvous does not wait for the rank") {
    const auto program =
        from_two(does().post_any(kBoth).post_any(kBoth).work(100 * us).await_open(0).await_open(1), 2000);
    CHECK(program::validate(program).empty());
    // Rank 2: busy 20-24, request there 25, back 26. Rank 1: busy 50-54, request there 55, back 56. Their data is there
    // by 59; rank 0 receives from 100 to 104 and to 108.
    CHECK(finishes(program) == at({108 * us, 56 * us, 26 * us}));
}

TEST_CASE("the receive that is posted first takes the message that is there first, whichever is waited for first") {
    const auto waiting_for = [](std::uint32_t first, std::uint32_t second) {
        return from_two(does().post_any(kBoth).post_any(kBoth).await_open(first).work(10 * us).await_open(second), 500);
    };
    // Rank 2's message is there 24 + 0.5 + 1 = 25.5, rank 1's 55.5. In the order of posting: received 25.5-29.5, work
    // to 39.5, received 55.5-59.5. The other way: received 55.5-59.5, work to 69.5, received to 73.5.
    CHECK(finishes(waiting_for(0, 1)) == at({59'500'000, 54 * us, 24 * us}));
    CHECK(finishes(waiting_for(1, 0)) == at({73'500'000, 54 * us, 24 * us}));
}

TEST_CASE("a receive that is posted after its message has come takes it at once") {
    const auto program =
        from_two(does().work(100 * us).post_any(kBoth).await_open(0).post_any(kBoth).await_open(1), 500);
    CHECK(finishes(program) == at({108 * us, 54 * us, 24 * us}));
}

TEST_CASE("two messages of one channel go to two open receives in their order") {
    // Rank 1 sends 500 B (there 4 + 1.5 = 5.5) and 900 B (there 8 + 1.9 = 9.9); the second is waited for first.
    const auto program = second_waited_for_first(500, 900);
    CHECK(finishes(program) == at({17'900'000, 8 * us}));
}

TEST_CASE("a rendezvous is matched behind one whose data is still to come") {
    // Rank 1: busy 0-4, request there 5, matched, back 6, data of 5,000 B there 6 + 5 + 1 = 12. Its next is busy 6-10,
    // request there 11 and matched then, back 12, data there 18. Rank 0 receives the second 18-22, then the first to
    // 26.
    const auto program = second_waited_for_first(5000, 5000);
    CHECK(finishes(program) == at({26 * us, 12 * us}));
}

TEST_CASE("an open receive ends no earlier than its match, even if its message has arrived before") {
    // Eager up to 2 MB. Rank 1: 1 MB is there 4 + 1001 = 1005, and 8 B behind it 8 + 1.008 = 9.008. The second receive
    // is matched after the first, at 1005, and is waited for first: received to 1009, the first to 1013.
    machine::Machine machine = simple_machine({2, 1});
    machine.profiles[2].front().up_to = Bytes{2'000'000};
    CHECK(finishes(second_waited_for_first(1'000'000, 8), machine) == at({1013 * us, 8 * us}));
}

TEST_CASE("an open receive takes from its own choice alone") {
    // The first takes rank 1's message alone, though rank 2's comes before it.
    const auto program = from_two(does().post_any({{1, 0}}).post_any(kBoth).await_open(1).await_open(0), 500);
    CHECK(finishes(program) == at({59'500'000, 54 * us, 24 * us}));
    const record::Record run = engine::run(program, simple_machine({3, 1}), {});
    CHECK(run.rank_breakdown[0].wait == WideTime{Time{51'500'000}});  // 59.5 less twice o_recv
}

TEST_CASE("the source of an open receive is answered once it is waited for") {
    // Rank 2 sends 20-24, there 25.5, received to 29.5 and answered to 33.5; there 34.508, received to 38.508.
    const std::vector<Channel> answers{{1, 1}, {2, 1}};
    const auto program = program_of(
        {3, 1}, {does().post_any(kBoth).await_open(0).reply(answers, 8).post_any(kBoth).await_open(1).reply(answers, 8),
                 does().work(50 * us).send(-1, 500).recv(-1, 1), does().work(20 * us).send(-2, 500).recv(-2, 1)});
    CHECK(finishes(program) == at({63'500'000, 68'508'000, 38'508'000}));
}

TEST_CASE("in a timeline each message is taken when its own receive is waited for") {
    // Two messages of one channel leave at 4 and 8; the second is waited for first: taken at 9.9 and, when that is
    // received, at 13.9 the first.
    const auto program = second_waited_for_first(500, 900);
    engine::Options options;
    options.timeline = record::TimelineWindow{.first = {0}, .last = {1}};
    const record::Record run = engine::run(program, simple_machine({2, 1}), options);
    REQUIRE(run.timeline->messages.size() == 2);
    CHECK(run.timeline->messages[0].left == Time{4 * us});
    CHECK(run.timeline->messages[0].received == Time{13'900'000});
    CHECK(run.timeline->messages[1].left == Time{8 * us});
    CHECK(run.timeline->messages[1].received == Time{9'900'000});
}

TEST_CASE("an answer is a nonblocking send, and its rank continues before it has left") {
    // Rank 1's request of 8 B is there 4 + 1.008 = 5.008, received to 9.008; the answer, a rendezvous, is busy to
    // 13.008, its request there 14.008. Rank 1 posts at 104: back at 105, data there 105 + 2 + 1 = 108, received to
    // 112. Rank 0 has worked to 23.008 meanwhile, and waits for the answer to leave at 105.
    const auto program =
        program_of({2, 1}, {does().recv_any({{1, 0}}).begin_reply({{1, 1}}, 2000).work(10 * us).await_reply(0),
                            does().send(-1, 8).work(100 * us).recv(-1, 1)});
    CHECK(program::validate(program).empty());
    CHECK(finishes(program) == at({105 * us, 112 * us}));
    const record::Record run = engine::run(program, simple_machine({2, 1}), {});
    CHECK(run.rank_breakdown[0].compute == WideTime{Time{10 * us}});
}

TEST_CASE("a request is not matched before the message ahead of it on its channel") {
    // A NIC takes in 900 B in 18 us. Rank 2's message arrives at 4 + 18 + 1 = 23 and occupies it to 41; rank 1's, at
    // 24, is there at 41. The request of rank 1's next is there at 10, but matched with what is ahead of it: 41, back
    // 42.
    machine::Machine machine = simple_machine({3, 1});
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_nic = true;
    machine.nic = machine::Nic{{0.0}, {20e-9}};
    const auto program =
        program_of({3, 1}, {does().post_any({{1, 0}}).post_any({{1, 0}}).await_open(0).await_open(1).recv(2),
                            does().work(1 * us).send(-1, 900).ssend(-1, 900), does().send(-2, 900)});
    CHECK(finishes(program, machine)[1] == WideTime{Time{42'000'000}});
}
