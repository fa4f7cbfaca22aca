// Messages of one source that a receive of any tag may take: it takes them in the order in which they were sent, as in
// MPI, even if a later one arrives earlier. The arithmetic is by hand. The machine (fixtures.hpp): o = 4 us, L = 1 us,
// G = 1 ns/B, eager up to 1000 bytes, here up to 2 MB.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/validation/validate.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

constexpr std::int64_t kLargeBytes = 1'000'000;
constexpr std::int64_t kRendezvousBytes = 3'000'000;
const std::vector<Channel> kTags1And2{{1, 1}, {1, 2}};

machine::Machine large_eager(RankGrid grid, machine::Patch patch = {}, bool bus = false) {
    machine::Machine machine = simple_machine(grid, patch, bus);
    machine.profiles[2].front().up_to = Bytes{2'000'000};
    return machine;
}

/// Rank 1 sends 1 MB with tag 1: busy 0-4, arrival at 4 + 1 + 1000 = 1005 us. Then it sends 8 B with tag 2: busy 4-8,
/// arrival at 9.008.
ClassBuilder sends_large_then_small() { return does().send(-1, kLargeBytes, 1).send(-1, 8, 2); }

std::vector<WideTime> finish_of(const ClassBuilder& receiver, const ClassBuilder& sender) {
    const auto program = program_of({2, 1}, {receiver, sender});
    CHECK(program::validate(program) == "");
    return finishes(program, large_eager({2, 1}));
}

}  // namespace

TEST_CASE("of two messages of one source a receive of any tag takes the one that was sent first") {
    // The small message waits for the large one: received 1005-1009, then to 1013. In the order of arrival it would be
    // received 9.008-13.008, and the large one to 1009.
    CHECK(finish_of(does().recv_any(kTags1And2).recv_any(kTags1And2), sends_large_then_small()) ==
          at({1013 * us, 8 * us}));
}

TEST_CASE("of two messages that arrive at once a receive takes the one that was sent first, in any order of tags") {
    // No o_send: 8 B with tag 2 and 8 B with tag 1 both arrive at 1.008. Tag 2 is received 2000-2004, worked to 2104
    // and answered with tag 4, which arrives at 2105.008 and is received to 2109.008. Tag 1 follows: received to 2108,
    // worked to 2208, answered with tag 3, which arrives at 2209.008 and is received to 2213.008.
    machine::Machine machine = large_eager({2, 1});
    machine.profiles[2].front().o_send = {};
    const auto program = program_of(
        {2, 1}, {does().work(2000 * us).loop(2).recv_any(kTags1And2).work(100 * us).reply({{1, 3}, {1, 4}}, 8).end(),
                 does().send(-1, 8, 2).send(-1, 8, 1).recv(-1, 4).recv(-1, 3)});
    CHECK(finishes(program, machine) == at({2208 * us, 2'213'008'000}));
}

TEST_CASE("an open receive of any tag takes the message that was sent first") {
    // The first receive matches at 1005, so does the second; waited for 1009-1013 in either order.
    const auto posts = [] { return does().post_any(kTags1And2).post_any(kTags1And2); };
    CHECK(finish_of(posts().await_open(0).work(10 * us).await_open(1), sends_large_then_small()) ==
          at({1023 * us, 8 * us}));
    CHECK(finish_of(posts().await_open(1).work(10 * us).await_open(0), sends_large_then_small()) ==
          at({1023 * us, 8 * us}));
    // With one receive open, the rank that waits for it continues at 1009.
    CHECK(finish_of(does().post_any(kTags1And2).await_open(0).recv(1, 2), sends_large_then_small()) ==
          at({1013 * us, 8 * us}));
}

TEST_CASE("a rendezvous waits for an eager message that was sent before it, and the other way round") {
    // Eager first: it arrives at 1005. The request of the rendezvous arrives at 8 + 1 = 9 and is taken at 1009: it is
    // acknowledged at 1010, its data arrives at 1010 + 3000 + 1 = 4011 and is received to 4015.
    CHECK(finish_of(does().recv_any(kTags1And2).recv_any(kTags1And2),
                    does().send(-1, kLargeBytes, 1).send(-1, kRendezvousBytes, 2)) == at({4015 * us, 1010 * us}));
    // Rendezvous first: busy 0-4, its request arrives at 5 and is taken, is acknowledged at 6, its data arrives at 6 +
    // 3001 = 3007. The 8 B, which arrive at 9.008, are received after it, 3011-3015.
    CHECK(finish_of(does().recv_any(kTags1And2).recv_any(kTags1And2),
                    does().isend(-1, kRendezvousBytes, 1).send(-1, 8, 2).await_sent(-1, 1)) == at({3015 * us, 8 * us}));
}

TEST_CASE("a message that the receive cannot take holds up no other") {
    // Tag 2 alone: received 9.008-13.008, then the large one to 1009.
    CHECK(finish_of(does().recv_any({{1, 2}}).recv_any(kTags1And2), sends_large_then_small()) ==
          at({1009 * us, 8 * us}));
    CHECK(finish_of(does().recv(1, 2).recv_any(kTags1And2), sends_large_then_small()) == at({1009 * us, 8 * us}));
    // The large one by name: received to 1009, then the small one to 1013.
    CHECK(finish_of(does().recv(1, 1).recv_any(kTags1And2), sends_large_then_small()) == at({1013 * us, 8 * us}));
}

TEST_CASE("messages of other sources are taken as they arrive") {
    // Rank 2 works to 100 and sends 8 B, which arrive at 105.008 and are received to 109.008. The messages of rank 1
    // are received 1005-1013.
    const std::vector<Channel> all{{1, 1}, {1, 2}, {2, 1}};
    const auto program = program_of({3, 1}, {does().recv_any(all).work(100 * us).recv_any(all).recv_any(all),
                                             sends_large_then_small(), does().work(100 * us).send(-2, 8, 1)});
    CHECK(finishes(program, large_eager({3, 1})) == at({1013 * us, 8 * us, 104 * us}));
}

TEST_CASE("a wait for any of several posted receives takes the message that arrives first") {
    // Each posted receive has its own message (MPI_Waitany), so the small one is received 9.008-13.008.
    CHECK(finish_of(does().post(1, 1).post(1, 2).await_any(kTags1And2).await_any(kTags1And2),
                    sends_large_then_small()) == at({1009 * us, 8 * us}));
}

TEST_CASE("a receive that is posted by name keeps the first message of its channel from a receive of any tag") {
    // Tag 1 arrives at 4 + 1.008 = 5.008, tag 2 at 9.008: received 9.008-13.008. Then tag 1, to 17.008.
    CHECK(finish_of(does().post(1, 1).recv_any(kTags1And2).await(1, 1), does().send(-1, 8, 1).send(-1, 8, 2)) ==
          at({17'008'000, 8 * us}));
    CHECK(finish_of(does().post(1, 1).post_any(kTags1And2).await_open(0).await(1, 1),
                    does().send(-1, 8, 1).send(-1, 8, 2)) == at({17'008'000, 8 * us}));
    // A second message with tag 1 arrives at 8 + 0.5 + 1 = 9.5: received 9.5-13.5. Then the first one, to 17.5.
    for (const ClassBuilder& any :
         {does().post(1, 1).recv_any(kTags1And2), does().post(1, 1).post_any(kTags1And2).await_open(0)}) {
        ClassBuilder receiver = any;
        CHECK(finish_of(receiver.await(1, 1), does().send(-1, 8, 1).send(-1, 500, 1)) == at({17'500'000, 8 * us}));
    }
    // Both have arrived when the receives are posted at 50: received 50-54 and 54-58.
    CHECK(finish_of(does().work(50 * us).post(1, 1).recv_any(kTags1And2).await(1, 1),
                    does().send(-1, 8, 1).send(-1, 500, 1)) == at({58 * us, 8 * us}));
}

TEST_CASE("a receive of any tag takes the data of the message that it matches, even if the one before comes later") {
    // Tag 1 twice. 8 B arrive at 5.008 for the receive by name. The request of 3 MB arrives at 9 and is matched, its
    // data at 9 + 1 + 1 + 3000 = 3011. Received 3011-3015, and then the 8 B, to 3019.
    for (const ClassBuilder& any :
         {does().post(1, 1).recv_any(kTags1And2), does().post(1, 1).post_any(kTags1And2).await_open(0)}) {
        ClassBuilder receiver = any;
        CHECK(finish_of(receiver.await(1, 1), does().send(-1, 8, 1).send(-1, kRendezvousBytes, 1)) ==
              at({3019 * us, 10 * us}));
    }
    // In the other order the request of 3 MB is there at 5, its data at 5 + 1 + 1 + 3000 = 3007, sent until 6. The 8 B
    // are sent 6-10 and there at 11.008: received to 15.008. Then 3 MB, 3007-3011.
    CHECK(finish_of(does().post(1, 1).recv_any(kTags1And2).await(1, 1),
                    does().send(-1, kRendezvousBytes, 1).send(-1, 8, 1)) == at({3011 * us, 10 * us}));
}

TEST_CASE("a wait for any of several receives finds the message that a receive of any tag has passed by") {
    // 8 B with tag 1 arrive at 5.008, 500 B with tag 1 at 9.5 and are received to 13.5. Then the wait takes the 8 B, to
    // 17.5, and waits for tag 2, which arrives at 100 + 12 + 1.008 and is received to 117.008.
    CHECK(finish_of(does().post(1, 1).post(1, 2).recv_any({{1, 1}}).await_any(kTags1And2).await_any(kTags1And2),
                    does().send(-1, 8, 1).send(-1, 500, 1).work(100 * us).send(-1, 8, 2)) ==
          at({117'008'000, 112 * us}));
}

TEST_CASE("a receive that is posted by name keeps its message from a receive of any source") {
    // The message of rank 1 arrives at 5.008, that of rank 2 at 20 + 5.008 and is received to 29.008. Then the message
    // of rank 1 is received, to 33.008.
    const auto program = program_of({3, 1}, {does().post(1).recv_any({{1, 0}, {2, 0}}).await(1), does().send(-1, 8),
                                             does().work(20 * us).send(-2, 8)});
    CHECK(finishes(program) == at({33'008'000, 4 * us, 24 * us}));
}
