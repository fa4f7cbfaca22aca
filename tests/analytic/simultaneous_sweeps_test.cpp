// Eight sweeps at once on 3 x 2 ranks of the round machine, by hand in microseconds. A tile works 100, before its
// receives 7. The messages of two sweeps together: 2 bytes in x, Total 15, and 40 in y, Total 53; Send 1, Recv 12.
#include <doctest/doctest.h>

#include "simulator/analytic/simultaneous_sweeps.hpp"
#include "simulator/input/diagnostic.hpp"
#include "tests/analytic/forms.hpp"
#include "tests/analytic/machines.hpp"

using namespace warpfront;
using namespace warpfront::analytic;
using program::WavefrontPhase;
using test::time_by;
using test::us;
using enum program::Corner;

namespace {

WavefrontPhase eight_sweeps(std::int64_t tiles) {
    WavefrontPhase phase;
    phase.pre_work = us(7);
    phase.work = us(100);
    phase.tiles = tiles;
    phase.east_west = Bytes{1};
    phase.north_south = Bytes{20};
    phase.corners = {southeast, southeast, northeast, southwest, northeast, southwest, northwest, northwest};
    return phase;
}

}  // namespace

TEST_SUITE("eight sweeps at once") {
    TEST_CASE("a rank works on two sweeps, then four, then eight, by its distance from the corner") {
        CHECK(eta({4, 4}, 1, 1) == 2);  // i + j = 2 = m/2
        CHECK(eta({4, 4}, 2, 1) == 4);  // 3 > 2
        CHECK(eta({4, 4}, 2, 2) == 8);  // 4 = (4 + 4) / 2
        CHECK(eta({8, 4}, 1, 1) == 2);
        CHECK(eta({8, 4}, 1, 2) == 4);  // 3 > 4/2
        CHECK(eta({8, 4}, 2, 4) == 8);  // 6 = (8 + 4) / 2
        CHECK(eta({3, 2}, 1, 1) == 4);  // 2 > 2/2, 2 < 5/2
    }

    TEST_CASE("on every core, by hand") {
        // Start(1,1) = 4 * 7 = 28, everywhere else eta = 8
        // Start(2,1) = 28 + 800 + 4 * 15 = 888, Start(3,1) = 1748, Start(1,2) = 28 + 800 + 4 (1 + 53) = 1044
        // Start(2,2) = max(1044 + 800 + 4 (15 + 12), 888 + 800 + 4 (1 + 53)) = 1952
        // Start(3,2) = max(1952 + 908, 1748 + 800 + 4 * 53) = 2860
        // T_stack = (4 (12 + 12) + 800 + 4 (1 + 1) + 8 * 7) (10 - 4) - 7 = 960 * 6 - 7
        CHECK(time_by("simultaneous-sweeps", eight_sweeps(10), test::round_machine({3, 2})) == us(2 * 2860 + 5753));
    }

    TEST_CASE("a stack no higher than the array is long is over with the fill") {
        for (const std::int64_t tiles : {1, 4}) {
            CHECK(time_by("simultaneous-sweeps", eight_sweeps(tiles), test::round_machine({3, 2})) == us(2 * 2860));
        }
    }

    TEST_CASE("on separate cores it is one sweep with doubled work and messages, by hand") {
        // Start(1,1) = 14, Start(2,1) = 229, Start(3,1) = 444, Start(1,2) = 14 + 200 + 1 + 53 = 268
        // Start(2,2) = max(268 + 200 + 15 + 12, 229 + 254) = 495, Start(3,2) = max(495 + 227, 444 + 253) = 722
        // T_stack = (12 + 12 + 200 + 1 + 1 + 14) * 10 - 14 = 2386
        CHECK(time_by("separate-cores-sweeps", eight_sweeps(10), test::round_machine({3, 2})) == us(722 + 2386));
    }

    TEST_CASE("what lies between sweeps counts once") {
        WavefrontPhase phase = eight_sweeps(10);
        phase.other = us(1000);
        for (const std::string_view name : {"simultaneous-sweeps", "separate-cores-sweeps"}) {
            CAPTURE(name);
            const WideTime without = time_by(name, eight_sweeps(10), test::round_machine({4, 2}));
            CHECK(time_by(name, phase, test::round_machine({4, 2})) == without + us(1000));
        }
    }

    TEST_CASE("on every core nodes do not matter") {
        CHECK(time_by("simultaneous-sweeps", eight_sweeps(10), test::round_machine({4, 2}, {2, 2})) ==
              time_by("simultaneous-sweeps", eight_sweeps(10), test::round_machine({4, 2})));
    }

    TEST_CASE("on separate cores a node of 2 x 3 ranks has their cells, and the array is that of nodes") {
        WavefrontPhase of_node = eight_sweeps(10);
        of_node.pre_work = us(6 * 7);
        of_node.work = us(6 * 100);
        of_node.east_west = Bytes{3 * 1};
        of_node.north_south = Bytes{2 * 20};
        CHECK(time_by("separate-cores-sweeps", eight_sweeps(10), test::round_machine({6, 6}, {2, 3})) ==
              time_by("separate-cores-sweeps", of_node, test::round_machine({3, 2})));
    }

    TEST_CASE("a node larger than the array has the array's cells") {
        CHECK(time_by("separate-cores-sweeps", eight_sweeps(10), test::round_machine({2, 2}, {4, 4})) ==
              time_by("separate-cores-sweeps", eight_sweeps(10), test::round_machine({2, 2}, {2, 2})));
    }

    TEST_CASE("they need two sweeps from each corner") {
        WavefrontPhase phase = eight_sweeps(10);
        phase.corners.back() = southeast;
        for (const std::string_view name : {"simultaneous-sweeps", "separate-cores-sweeps"}) {
            CHECK_THROWS_AS(time_by(name, phase, test::round_machine({3, 2})), input::BadInput);
        }
    }

    TEST_CASE("a message that cannot be doubled is refused") {
        WavefrontPhase phase = eight_sweeps(10);
        phase.east_west = Bytes{std::int64_t{1} << 62};
        CHECK_THROWS_AS(time_by("separate-cores-sweeps", phase, test::round_machine({3, 2})), input::BadInput);
    }
}
