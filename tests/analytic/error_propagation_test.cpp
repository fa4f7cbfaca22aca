// sigma of a run on 3 x 2 ranks of the round machine: the larger message, 20 bytes in y, has Total 33 us, Send 1, Recv
// 12, so alpha = 1/33 and beta = 12/33. Sweep3D's order has n_diag 2 and n_full 2; ten tiles, three iterations.
#include <doctest/doctest.h>

#include <cmath>

#include "simulator/analytic/error_propagation.hpp"
#include "simulator/input/diagnostic.hpp"
#include "tests/analytic/machines.hpp"

using namespace warpfront;
using namespace warpfront::analytic;
using program::WavefrontPhase;
using test::us;
using enum program::Corner;

namespace {

WavefrontPhase sweep3d() {
    WavefrontPhase phase;
    phase.iterations = 3;
    phase.work = us(100);
    phase.tiles = 10;
    phase.east_west = Bytes{1};
    phase.north_south = Bytes{20};
    phase.corners = {southeast, southeast, northeast, northeast, southwest, southwest, northwest, northwest};
    return phase;
}

ErrorWeights weights(const std::vector<WavefrontPhase>& phases, const machine::Machine& machine) {
    const UnequalWork unequal;
    return error_weights({test::declaring(machine.placement.grid, phases), machine, unequal});
}

}  // namespace

TEST_SUITE("error propagation") {
    TEST_CASE("the weights of W and Total, by hand") {
        const ErrorWeights sum = weights({sweep3d()}, test::round_machine({3, 2}));
        // 3 [2 * 1 + 2 * 3 + 8 * 10]
        CHECK(sum.work == 264.0);
        // 3 [2 * 1 * 34/33 + 2 * 2 * 45/33 + 2 * 1 * 34/33 + 2 * 8 * 13/33 * 10] = 3 (68 + 180 + 68 + 2080) / 33
        CHECK(sum.total == doctest::Approx(3 * 2396.0 / 33).epsilon(1e-12));
    }

    TEST_CASE("phases add up, each with its iterations") {
        WavefrontPhase once = sweep3d();
        once.iterations = 1;
        const ErrorWeights sum = weights({sweep3d(), once}, test::round_machine({3, 2}));
        CHECK(sum.work == 264.0 + 88.0);
        CHECK(sum.total == doctest::Approx(4 * 2396.0 / 33).epsilon(1e-12));
    }

    TEST_CASE("a fill along a row weighs like the row of a full one") {
        WavefrontPhase phase = sweep3d();
        phase.iterations = 1;
        phase.corners = {northwest, northeast};  // along the row, then across
        const ErrorWeights sum = weights({phase}, test::round_machine({3, 2}));
        CHECK(sum.work == 2 + (2 + 1) + 2 * 10);
        CHECK(sum.total == doctest::Approx((2 * 45 + 2 * 45 + 34 + 2 * 2 * 13 * 10) / 33.0).epsilon(1e-12));
    }

    TEST_CASE("one input alone propagates linearly, both as the root of their squares") {
        const ErrorWeights both{.work = 300.0, .total = 40.0};
        CHECK(propagated_deviation(both, {.work = us(2), .total = us(0)}) == us(600));
        CHECK(propagated_deviation(both, {.work = us(0), .total = us(20)}) == us(800));
        CHECK(propagated_deviation(both, {.work = us(2), .total = us(20)}) == us(1000));
    }

    TEST_CASE("the bounds lie one deviation below and above, and not below zero") {
        CHECK(one_sigma_bounds(us(100), us(30)).low == us(70));
        CHECK(one_sigma_bounds(us(100), us(30)).high == us(130));
        CHECK(one_sigma_bounds(us(100), us(300)).low == us(0));
    }

    TEST_CASE("messages that take no time have no spread to pass on") {
        const ErrorWeights sum = weights({sweep3d()}, test::free_messages({3, 2}));
        CHECK(sum.total == 3.0 * (2 * 1 + 2 * 3));  // alpha = beta = 0
    }

    TEST_CASE("a deviation beyond 39 million years is refused, and so is a model without a closed form") {
        CHECK_THROWS_AS(propagated_deviation({.work = 1e300, .total = 0}, {.work = us(1), .total = us(1)}),
                        input::BadInput);
        CHECK_THROWS_AS(weights({}, test::round_machine({3, 2})), input::BadInput);
    }
}
