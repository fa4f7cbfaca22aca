#include <doctest/doctest.h>

#include "simulator/analytic/patch.hpp"
#include "tests/analytic/machines.hpp"

using namespace warpfront;
using namespace warpfront::analytic;

namespace {

constexpr RankGrid kLarge{64, 64};

BusHolds holds(machine::Patch patch, RankGrid grid = kLarge, std::uint32_t buses = 1) {
    machine::Machine machine;
    machine.cores = patch.ranks();
    machine.placement = test::placed(grid, patch);
    machine.bus = machine::Bus{.o_dma = {}, .G_dma = {}, .count = buses};
    return bus_holds(machine);
}

}  // namespace

TEST_SUITE("extra holds of a node's bus per tile") {
    TEST_CASE("a rank alone on its node never waits") { CHECK(holds({1, 1}) == BusHolds{0, 0}); }

    TEST_CASE("two ranks side by side: one on Recv_N and one on Send_S") { CHECK(holds({2, 1}) == BusHolds{0, 2}); }

    TEST_CASE("two ranks one above the other: one on Recv_W and one on Send_E") {
        CHECK(holds({1, 2}) == BusHolds{2, 0});
    }

    TEST_CASE("2 x 2 ranks: one on each of the four messages") { CHECK(holds({2, 2}) == BusHolds{2, 2}); }

    TEST_CASE("2 x 4 ranks: nine in all") {
        CHECK(holds({2, 4}) == BusHolds{5, 4});  // (3 * 4 - 2) / 2 and (2 * 5 - 2) / 2
        CHECK(holds({4, 2}) == BusHolds{4, 5});
    }

    TEST_CASE("4 x 4 ranks: eighteen in all") { CHECK(holds({4, 4}) == BusHolds{9, 9}); }  // (5 * 4 - 2) / 2

    TEST_CASE("other patches are counted alike") {
        CHECK(holds({3, 1}) == BusHolds{1, 2});    // (4 * 1 - 2) / 2, (3 * 2 - 2) / 2
        CHECK(holds({4, 1}) == BusHolds{1, 4});    // 1.5 down to 1, (4 * 2 - 2) / 2 = 3 and the half up to 4
        CHECK(holds({8, 8}) == BusHolds{35, 35});  // (9 * 8 - 2) / 2
    }

    TEST_CASE("an array of one row has no messages in y, and keeps its half in x") {
        CHECK(holds({2, 1}, {64, 1}) == BusHolds{1, 0});  // (3 * 1 - 2) / 2 = 0.5, rounded up
        CHECK(holds({1, 2}, {1, 64}) == BusHolds{0, 1});
    }

    TEST_CASE("of several buses each has the patch of its own cores") {
        CHECK(holds({4, 4}, kLarge, 2) == holds({4, 2}));
        CHECK(holds({4, 4}, kLarge, 4) == holds({4, 1}));
        CHECK(holds({4, 4}, kLarge, 8) == holds({2, 1}));
        CHECK(holds({4, 4}, kLarge, 16) == BusHolds{0, 0});
    }

    TEST_CASE("cores of a bus that are no rectangle are counted by their messages") {
        // 4 x 3 cores on two buses: the first has a row of four and two below them, so 5 + 3 messages in x and
        // 3 + 3 + 2 + 2 in y; (8 - 2) / 2 and (10 - 2) / 2
        CHECK(holds({4, 3}, kLarge, 2) == BusHolds{3, 4});
    }

    TEST_CASE("a patch larger than the array counts the ranks that are there") {
        CHECK(holds({4, 4}, {2, 2}) == BusHolds{2, 2});
    }
}
