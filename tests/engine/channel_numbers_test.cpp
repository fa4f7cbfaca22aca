// Every channel end has a number, few are unused, and the number names rank and place.
#include "simulator/engine/state/channel_numbers.hpp"

#include <set>

#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"

using namespace warpfront;

namespace {

/// By rank, its endpoints.
using Counts = engine::IndexedVector<Rank, std::uint32_t>;
using Numbers = engine::ChannelNumbers<engine::ReceiveEndpointId>;

}  // namespace

TEST_CASE("each place of each rank has a number of its own, which names both") {
    const Counts counts{0, 4, 4, 9, 1, 4, 70, 4, 3, 4};
    const Numbers numbers(counts);
    std::set<engine::ReceiveEndpointId> given;
    for (const Rank rank : counts.ids()) {
        CHECK(numbers.room(rank) >= counts[rank]);
        for (std::uint32_t place = 0; place < counts[rank]; ++place) {
            const engine::ReceiveEndpointId number = numbers.at(rank, place);
            CHECK(number.index < numbers.size());
            CHECK(given.insert(number).second);
            CHECK(numbers.rank_of(number) == rank);
            CHECK(numbers.place_of(number) == place);
        }
    }
}

TEST_CASE("ranks with four channels each take no more than four numbers each") {
    CHECK(Numbers(Counts(1000, 4)).size() == 4000);
}

TEST_CASE("ranks at the edges, with a channel less, have room for as many as the others") {
    Counts counts(22, 3);
    counts.front() = counts.back() = 2;
    CHECK(Numbers(counts).size() == 22 * 4);
}

TEST_CASE("a rank that receives from all others does not make room on each of them") {
    Counts counts(1000, 1);
    counts[Rank{0}] = 999;
    CHECK(Numbers(counts).size() == 1000 + 998);  // one each, and what rank 0 has beyond
}

// Ranks 0 and 1 share a node whose NIC takes 500 B in 1 us. Messages for rank 0 from ranks 2 and 4 and for rank 1 from
// rank 6 all arrive at 4 + 1 = 5 us: they are taken in at 5, 6 and 7 us, those of rank 0 first, whatever their numbers.
TEST_CASE("messages that arrive at the same time are taken in by receiving rank, then by channel") {
    const RankGrid grid{20, 1};
    machine::Machine machine = test::simple_machine(grid, {2, 1});
    machine.nic = machine::Nic{.injection = {}, .ejection = {2e-9}};
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.G = {};
        row.holds_nic = true;
    }
    const auto program = test::spmd(grid, 1, [](Rank rank) {
        test::ClassBuilder builder;
        switch (rank.index) {
            case 0: builder.recv(2).recv(4); break;
            case 1: builder.recv(5); break;
            case 2: builder.send(-2, 500); break;
            case 4: builder.send(-4, 500); break;
            case 6: builder.send(-5, 500); break;
            default: break;
        }
        return builder.iteration().build();
    });
    REQUIRE(engine::receive_endpoint_numbers(program).size() ==
            20 + 1);  // the second channel of rank 0 is numbered beyond the rest
    CHECK(engine::run(program, machine, {}).rank_finish[1] == WideTime{Wide{(7 + 4) * test::us}});
}
