// Every channel end has a number, few are unused, and the number names rank and place.
#include "simulator/engine/channel_numbers.hpp"

#include <set>

#include <doctest/doctest.h>

using namespace warpfront;

TEST_CASE("each place of each rank has a number of its own, which names both") {
    const std::vector<std::uint32_t> counts{0, 4, 4, 9, 1, 4, 70, 4, 3, 4};
    const engine::ChannelNumbers numbers(counts);
    std::set<std::uint32_t> given;
    for (std::uint32_t rank = 0; rank < counts.size(); ++rank) {
        CHECK(numbers.room(rank) >= counts[rank]);
        for (std::uint32_t place = 0; place < counts[rank]; ++place) {
            const std::uint32_t number = numbers.at(rank, place);
            CHECK(number < numbers.size());
            CHECK(given.insert(number).second);
            CHECK(numbers.rank_of(number) == rank);
            CHECK(numbers.place_of(number) == place);
        }
    }
}

TEST_CASE("ranks with four channels each take no more than four numbers each") {
    CHECK(engine::ChannelNumbers(std::vector<std::uint32_t>(1000, 4)).size() == 4000);
}

TEST_CASE("a rank that receives from all others does not make room on each of them") {
    std::vector<std::uint32_t> counts(1000, 1);
    counts[0] = 999;
    CHECK(engine::ChannelNumbers(counts).size() == 1000 + 998);  // one each, and what rank 0 has beyond
}
