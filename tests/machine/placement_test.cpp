#include <doctest/doctest.h>

#include "simulator/machine/placement.hpp"

namespace warpfront::machine {

TEST_CASE("patches are numbered row by row, and so are the cores within one") {
    const Placement placement = cut(RankGrid{6, 4}, Patch{2, 2});
    CHECK(placement.node_columns == 3);
    CHECK(placement.node_rows == 2);
    const Rank rank = placement.grid.at(4, 3);  // column 4 is the second of patch column 2, row 3 the first of row 2
    CHECK(placement.node_of(rank) == Node{1 * 3 + 1});
    CHECK(placement.core_of(rank) == 1);
    CHECK(placement.core_of(placement.grid.at(3, 4)) == 2);
}

TEST_CASE("the last patch of a row or column may be cut short") {
    const Placement placement = cut(RankGrid{5, 3}, Patch{2, 2});
    CHECK(placement.node_columns == 3);
    CHECK(placement.node_rows == 2);
    CHECK(placement.node_of(placement.grid.at(5, 3)) == Node{5});
}

TEST_CASE("a patch larger than the array is one node") {
    CHECK(cut(RankGrid{2, 1}, Patch{4, 4}).nodes() == 1);
}

}  // namespace warpfront::machine
