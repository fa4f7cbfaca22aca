// Heterogeneous ranks and cells, on 2 x 2 ranks of the round machine, by hand in microseconds: a tile works 100, the
// messages of an interior tile take 26 (two receives of 12, two sends of 1), the fill two tiles and 60
// (plug_and_play_test.cpp).
#include "simulator/analytic/unequal_work.hpp"
#include "simulator/analytic/simultaneous_sweeps.hpp"
#include "simulator/analytic/sp2_loggp.hpp"
#include "simulator/input/diagnostic.hpp"
#include "tests/analytic/forms.hpp"

using namespace warpfront::analytic;
using program::WavefrontPhase;
using test::time_by;
using test::us;
using enum program::Corner;

namespace {

WavefrontPhase stack_of(std::int64_t tiles) { return test::sweeping({northwest}, tiles); }

const UnequalWork kClasses{.classes = {{.share = 0.5, .speed = 2.0}, {.share = 0.5, .speed = 0.5}}};

/// Rank 3 takes twice as long, and rank 0 five times as long on tile 1.
const UnequalWork kMap{.map = {{.rank = {3}, .factor = 2.0}, {.rank = {0}, .wave = 1, .factor = 5.0}}};

std::string unequal_misfit(std::string_view name, const UnequalWork& unequal) {
    return test::misfit(name, stack_of(3), test::round_machine({2, 2}), unequal);
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
              "a cost map sets the work of ranks");
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
        const WavefrontPhase phase = test::sweeping({northwest, northwest}, 1);
        CHECK(time_by("unequal-cells", phase, test::round_machine({2, 2}), kMap) ==
              us((2 * 225 + 60) + (26 + 200) + (26 + 500)));
    }

    TEST_CASE("factors of one are the model of equal cells") {
        const UnequalWork equal{.map = {{.rank = {2}, .factor = 1.0}, {.rank = {1}, .wave = 4, .factor = 1.0}}};
        WavefrontPhase phase = test::sweeping({northwest, southeast}, 5);
        phase.pre_work = us(8);
        const machine::Machine machine = test::with_bus(test::round_machine({4, 4}, {2, 2}), us(2));
        CHECK(time_by("unequal-cells", phase, machine, equal) == time_by("cmp", phase, machine));
    }

    TEST_CASE("it needs a cost map and no classes") {
        CHECK(unequal_misfit("unequal-cells", kMap) == "none");
        CHECK(unequal_misfit("unequal-cells", {}) == "all cells cost the same");
        CHECK(unequal_misfit("unequal-cells", {.classes = kClasses.classes, .map = kMap.map}) ==
              "ranks have different speeds");
    }
}

// Eight sweeps at once on 3 x 2 ranks of the round machine, by hand in microseconds. A tile works 100, before its
// receives 7. The messages of two sweeps together: 2 bytes in x, Total 15, and 40 in y, Total 53; Send 1, Recv 12.

namespace {

WavefrontPhase eight_sweeps(std::int64_t tiles) {
    WavefrontPhase phase = test::sweeping(test::kChimaera, tiles);
    phase.pre_work = us(7);
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

    TEST_CASE("operations between sweeps count once") {
        WavefrontPhase phase = eight_sweeps(10);
        phase.other = us(1000);
        for (const std::string_view name : {"simultaneous-sweeps", "separate-cores-sweeps"}) {
            CAPTURE(name);
            const WideTime without = time_by(name, eight_sweeps(10), test::round_machine({4, 2}));
            CHECK(time_by(name, phase, test::round_machine({4, 2})) == without + us(1000));
        }
    }

    TEST_CASE(
        "a node of 2 x 3 ranks has their cells on separate cores, at most the array's; on every core none matters") {
        WavefrontPhase of_node = eight_sweeps(10);
        of_node.pre_work = us(6 * 7);
        of_node.work = us(6 * 100);
        of_node.east_west = Bytes{3 * 1};
        of_node.north_south = Bytes{2 * 20};
        CHECK(time_by("separate-cores-sweeps", eight_sweeps(10), test::round_machine({6, 6}, {2, 3})) ==
              time_by("separate-cores-sweeps", of_node, test::round_machine({3, 2})));
        CHECK(time_by("separate-cores-sweeps", eight_sweeps(10), test::round_machine({2, 2}, {4, 4})) ==
              time_by("separate-cores-sweeps", eight_sweeps(10), test::round_machine({2, 2}, {2, 2})));
        CHECK(time_by("simultaneous-sweeps", eight_sweeps(10), test::round_machine({4, 2}, {2, 2})) ==
              time_by("simultaneous-sweeps", eight_sweeps(10), test::round_machine({4, 2})));
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

// The SP/2 model by hand, in microseconds. Up to 10 bytes eager: o 2, L 10, G 1 per byte; above rendezvous: o 2, o_l 3.
// A tile works 100; two tiles per octant.
//   1 byte     Send 2, Recv 2, Total 2 + 1 + 10 + 2 = 15
//   20 bytes   Send 2 + 10 + 2 + 2 + 10 + 3 = 29, Recv 2 + 10 + 3 + 20 + 10 + 3 = 48, Total 29 + 20 + 10 + 3 = 62
// Of the paper only its constants are available, which are in platforms/sp2.yaml.

namespace {

machine::Profile sp2_profile(double L) {
    const machine::ProfileRow eager{
        .up_to = Bytes{10}, .o_send = us(2), .o_recv = us(2), .L = us(L), .G = test::us_per_byte(1), .G_recv = {}};
    machine::ProfileRow large = eager;
    large.up_to = std::nullopt;
    large.protocol = machine::Protocol::rendezvous;
    large.o_request = us(2);
    large.o_ack = us(2 + 3);
    large.o_recv = us(3);
    return {eager, large};
}

machine::Machine sp2(RankGrid grid, machine::Patch patch = {1, 1}) {
    machine::Machine machine = test::uniform(grid, patch, {});
    machine.profiles = {sp2_profile(0), sp2_profile(0), sp2_profile(10)};
    return machine;
}

WavefrontPhase octants(std::int64_t east_west, std::int64_t north_south) {
    WavefrontPhase phase = test::sweeping(test::kSweep3d, 2);
    phase.east_west = Bytes{east_west};
    phase.north_south = Bytes{north_south};
    return phase;
}

}  // namespace

TEST_SUITE("Sweep3D on the SP/2 by LogGP") {
    TEST_CASE("messages: eager as LogGP has it, rendezvous with request and acknowledgement") {
        const machine::Profile profile = sp2_profile(10);
        CHECK(sp2_message_parts(profile[0], Bytes{1}).time() ==
              MessageTime{.send = us(2), .recv = us(2), .total = us(15)});
        CHECK(sp2_message_parts(profile[1], Bytes{20}).time() ==
              MessageTime{.send = us(29), .recv = us(48), .total = us(62)});
    }

    TEST_CASE("two ranks east-west and two north-south, each direction by its own protocol: 3 x 2 ranks") {
        // Eager both, without synchronisation terms: Start(1,2) = 100 + 2 + 15 = 117; Start(2,1) = 115
        // Start(2,2) = max(117 + 100 + 15 + 2, 115 + 100 + 2 + 15) = 234
        // T56 = 117 + 2 (100 + 2 + 2) * 2 = 533; T78 = 234 + 2 (100 + 2 + 2 + 2) * 2 + 2 + 100 = 760
        CHECK(time_by("sp2-loggp", octants(1, 1), sp2({3, 2})) == us(2 * (533 + 760)));
        // Rendezvous both, which delay the ranks behind by (m-1) L and (n-2) L:
        // Start(1,2) = 100 + 29 + 62 = 191; Start(2,1) = 162; Start(2,2) = max(191 + 100 + 62 + 48, 162 + 191) = 401
        // T56 = 191 + 2 (100 + 29 + 48 + 10) * 2 = 939
        // T78 = 401 + 2 (100 + 29 + 48 + 48 + 10 + 10) * 2 + 48 + 100 = 1529
        CHECK(time_by("sp2-loggp", octants(20, 20), sp2({3, 2})) == us(2 * (939 + 1529)));
        // Eager east-west, rendezvous north-south:
        // Start(1,2) = 100 + 2 + 62 = 164; Start(2,1) = 115; Start(2,2) = max(164 + 100 + 15 + 48, 115 + 164) = 327
        // T56 = 164 + 2 (100 + 2 + 48 + 10) * 2 = 804; T78 = 327 + 2 (100 + 2 + 2 + 48 + 10) * 2 + 2 + 100 = 1077
        CHECK(time_by("sp2-loggp", octants(1, 20), sp2({3, 2})) == us(2 * (804 + 1077)));
    }

    TEST_CASE("a node for each rank whatever the machine's patch") {
        CHECK(time_by("sp2-loggp", octants(20, 20), sp2({4, 2}, {2, 2})) ==
              time_by("sp2-loggp", octants(20, 20), sp2({4, 2})));
    }

    TEST_CASE("2 x 2 ranks per node: L is local or remote, and their mean in the synchronisation terms: 4 x 2 ranks") {
        // Local, L = 0: Send 9, Recv 28, Total 32. Columns 1-2 and 3-4 are local, 2-3 remote, the rows local.
        // Start(2,1) = 132, Start(3,1) = 132 + 162 = 294, Start(1,2) = 100 + 9 + 32 = 141
        // Start(2,2) = max(141 + 100 + 32 + 28, 132 + 100 + 29 + 32) = 301
        // Start(3,2) = max(301 + 100 + 62 + 28, 294 + 100 + 9 + 32) = 491
        // T56 = 141 + 2 (100 + 9 + 28 + 5) * 2 = 709                      Send_E 1-2 local, L_avg = 5
        // T78 = 491 + 2 (100 + 9 + 28 + 28 + 5 + 2 * 5) * 2 + 28 + 100 = 1339        Send_E 3-4 and both Recv_W local
        CHECK(time_by("sp2-loggp-smp", octants(20, 20), sp2({4, 2}, {2, 2})) == us(2 * (709 + 1339)));
    }

    TEST_CASE("2 x 2 ranks per node: the Recv_W of the last octants are local too where n is odd") {
        // 3 x 2 ranks. Start(2,2) = 301 as above. T56 = 709; T78 = 301 + 2 (100 + 29 + 28 + 28 + 5 + 5) * 2 + 28 + 100
        //                                                                             = 1209      Send_E 2-3 remote
        CHECK(time_by("sp2-loggp-smp", octants(20, 20), sp2({3, 2}, {2, 2})) == us(2 * (709 + 1209)));
    }

    TEST_CASE("its needs: Sweep3D's order, no work before the receives, two ranks each way, nodes of 2 x 2") {
        CHECK(test::misfit("sp2-loggp", octants(1, 1), sp2({2, 2})) == "none");
        CHECK(test::misfit("sp2-loggp", octants(1, 1), sp2({1, 2})) == "the process grid has 1 x 2 ranks");
        WavefrontPhase other = octants(1, 1);
        std::swap(other.corners.front(), other.corners.back());
        CHECK(test::misfit("sp2-loggp", other, sp2({2, 2})) == "the sweeps of `example` have another order");
        WavefrontPhase working = octants(1, 1);
        working.pre_work = us(1);
        CHECK(test::misfit("sp2-loggp", working, sp2({2, 2})) == "`example` has work before its receives");
        CHECK(test::misfit("sp2-loggp-smp", octants(1, 1), sp2({4, 4}, {2, 1})) == "nodes have 2 x 1 ranks");
        CHECK(test::misfit("sp2-loggp-smp", octants(1, 1), sp2({4, 4}, {2, 2})) == "none");
    }
}
