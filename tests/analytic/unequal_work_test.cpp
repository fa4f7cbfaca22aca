// Ranks and cells that are not alike, on 2 x 2 ranks of the round machine, by hand in microseconds: a tile works 100,
// the messages of an interior tile take 26 (two receives of 12, two sends of 1), the fill two tiles and 60
// (plug_and_play_test.cpp).
#include <doctest/doctest.h>

#include <string>

#include "simulator/analytic/unequal_work.hpp"
#include "tests/analytic/forms.hpp"
#include "tests/analytic/machines.hpp"

using namespace warpfront;
using namespace warpfront::analytic;
using program::WavefrontPhase;
using test::time_by;
using test::us;
using enum program::Corner;

namespace {

WavefrontPhase stack_of(std::int64_t tiles, std::vector<program::Corner> corners = {northwest}) {
    WavefrontPhase phase;
    phase.work = us(100);
    phase.tiles = tiles;
    phase.east_west = Bytes{1};
    phase.north_south = Bytes{20};
    phase.corners = std::move(corners);
    return phase;
}

const UnequalWork kClasses{.classes = {{.share = 0.5, .speed = 2.0}, {.share = 0.5, .speed = 0.5}}};

/// Rank 3 takes twice as long, and rank 0 five times as long on tile 1.
const UnequalWork kMap{.map = {{.rank = {3}, .factor = 2.0}, {.rank = {0}, .wave = 1, .factor = 5.0}}};

std::string unequal_misfit(std::string_view name, const UnequalWork& unequal) {
    const machine::Machine machine = test::round_machine({2, 2});
    const program::Program program = test::declaring({2, 2}, {stack_of(3)});
    return test::form_named(name).misfit({program, machine, unequal}).value_or("none");
}

}  // namespace

TEST_SUITE("ranks of different speed") {
    TEST_CASE("the mean fills, the slowest sets the pace") {
        // Half work 50, half 200: mean 125. Fill 2 * 125 + 60, ten tiles of 26 + 200.
        CHECK(time_by("heterogeneous", stack_of(10), test::round_machine({2, 2}), kClasses) == us(310 + 10 * 226));
    }

    TEST_CASE("one class at nominal speed is the model of equal ranks") {
        const UnequalWork equal{.classes = {{.share = 1.0, .speed = 1.0}}};
        const machine::Machine machine = test::round_machine({4, 4}, {2, 2});
        CHECK(time_by("heterogeneous", stack_of(10), machine, equal) == time_by("cmp", stack_of(10), machine));
    }

    TEST_CASE("work before the receives and between sweeps is unequal too") {
        WavefrontPhase phase = stack_of(10);
        phase.pre_work = us(8);
        phase.other = us(50);
        // Fill 310 + 1.25 * 8, ten tiles of 26 + 200 + 16 less the first 16, then 100
        CHECK(time_by("heterogeneous", phase, test::round_machine({2, 2}), kClasses) == us(320 + 2420 - 16 + 100));
    }

    TEST_CASE("it needs classes and no cost map") {
        CHECK(unequal_misfit("heterogeneous", kClasses) == "none");
        CHECK(unequal_misfit("heterogeneous", {}) == "all ranks have one speed");
        CHECK(unequal_misfit("heterogeneous", {.classes = kClasses.classes, .map = kMap.map}) ==
              "a cost map has factors of its own");
    }
}

TEST_SUITE("cells of unequal cost") {
    TEST_CASE("mean and largest factor of a wave over all ranks") {
        const WaveFactors factors(kMap.map, 4);
        CHECK(factors.mean(0) == 1.25);  // (1 + 1 + 1 + 2) / 4
        CHECK(factors.mean(1) == 2.25);  // (5 + 1 + 1 + 2) / 4
        CHECK(factors.largest(0) == 2.0);
        CHECK(factors.largest(1) == 5.0);
        CHECK(factors.largest_of_others() == 2.0);
    }

    TEST_CASE("the slowest rank may have a cheap tile") {
        const WaveFactors factors({{.rank = {3}, .factor = 2.0}, {.rank = {3}, .wave = 2, .factor = 0.25}}, 4);
        CHECK(factors.largest(2) == 1.0);  // 2 * 0.25 on rank 3, 1 on the others
        const WaveFactors all({{.rank = {0}, .wave = 2, .factor = 0.25}, {.rank = {1}, .wave = 2, .factor = 0.5}}, 2);
        CHECK(all.largest(2) == 0.5);
    }

    TEST_CASE("every step takes as long as its slowest rank") {
        // Fill 2 * 125 + 60; tiles of factors 2, 5 and 2
        CHECK(time_by("unequal-cells", stack_of(3), test::round_machine({2, 2}), kMap) == us(310 + 3 * 26 + 900));
    }

    TEST_CASE("waves continue from sweep to sweep, and each sweep fills by its own first tile") {
        // Two sweeps of one tile: tile 0 of factors 1, 1, 1, 2, tile 1 of 5, 1, 1, 2; fills of means 1.25 and 2.25, the
        // first to the same corner, Start(1,1) = 0, the second across the array.
        const WavefrontPhase phase = stack_of(1, {northwest, northwest});
        CHECK(time_by("unequal-cells", phase, test::round_machine({2, 2}), kMap) ==
              us((2 * 225 + 60) + (26 + 200) + (26 + 500)));
    }

    TEST_CASE("factors of one are the model of equal cells") {
        const UnequalWork equal{.map = {{.rank = {2}, .factor = 1.0}, {.rank = {1}, .wave = 4, .factor = 1.0}}};
        WavefrontPhase phase = stack_of(5, {northwest, southeast});
        phase.pre_work = us(8);
        machine::Machine machine = test::round_machine({4, 4}, {2, 2});
        machine.bus = machine::Bus{.o_dma = us(2), .G_dma = {}};
        test::profile(machine, machine.network()).front().holds_bus = true;
        CHECK(time_by("unequal-cells", phase, machine, equal) == time_by("cmp", phase, machine));
    }

    TEST_CASE("it needs a cost map and no classes") {
        CHECK(unequal_misfit("unequal-cells", kMap) == "none");
        CHECK(unequal_misfit("unequal-cells", {}) == "all cells cost the same");
        CHECK(unequal_misfit("unequal-cells", {.classes = kClasses.classes, .map = kMap.map}) ==
              "ranks have speeds of their own");
    }
}
