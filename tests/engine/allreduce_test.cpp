// Allreduce as the messages of recursive doubling. 8 bytes: o = 4 us, S*G = 8 ns, L = 1 us.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

WideTime allreduce(RankGrid grid) {
    const auto program = spmd(grid, 1, [](Rank) { return ClassBuilder().allreduce(8).iteration().build(); });
    return engine::run(program, simple_machine(grid), {}).finish;
}

}  // namespace

TEST_CASE("on a power of two each of log2 P steps costs Total = 2o + S*G + L") {
    // All start together, so each exchange is: busy sending 4, there 1.008 later, busy receiving 4.
    constexpr std::int64_t total = 9'008 * ns;
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

TEST_CASE("one rank alone has nothing to reduce") { CHECK(allreduce({1, 1}) == WideTime{}); }

TEST_CASE("all the time in a collective is booked as such") {
    const auto program = spmd({4, 1}, 1, [](Rank) { return ClassBuilder().work(5).allreduce(8).iteration().build(); });
    const record::Record record = engine::run(program, simple_machine({4, 1}), {});
    CHECK(record.breakdown->collective == WideTime{Time{18'016 * ns}});
    CHECK(record.breakdown->compute == WideTime{Time{5}});
    CHECK(record.breakdown->wait == WideTime{});
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
