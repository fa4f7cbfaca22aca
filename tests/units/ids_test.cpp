#include <doctest/doctest.h>

#include "simulator/units/ids.hpp"

using namespace warpfront;

TEST_CASE("ranks are numbered along a row first, from the north west") {
    const RankGrid grid{4, 3};
    CHECK(grid.at(1, 1) == Rank{0});
    CHECK(grid.at(4, 1) == Rank{3});
    CHECK(grid.at(1, 2) == Rank{4});
    CHECK(grid.at(4, 3) == Rank{11});
}

TEST_CASE("column and row lead back to the rank") {
    const RankGrid grid{5, 3};
    for (std::uint32_t index = 0; index < 15; ++index) {
        CHECK(grid.at(grid.column({index}), grid.row({index})) == Rank{index});
    }
}

TEST_CASE("a grid of 65536 by 65536 ranks is counted without wrapping") {
    CHECK(RankGrid{65536, 65536}.ranks() == std::uint64_t{1} << 32);
}
