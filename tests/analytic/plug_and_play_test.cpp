// Iterations on the round machine, added up by hand in microseconds: a tile works 100, messages are 1 byte in x and 20
// in y; off-node Send 1, Recv 12, Total_E 14, Total_S 33. On 2 x 2 ranks without pre-work (fill_test.cpp, less 7) a
// fill takes 114 along the row, 134 down the column and 260 to the far corner.
#include <doctest/doctest.h>

#include "simulator/analytic/plug_and_play.hpp"
#include "tests/analytic/machines.hpp"

using namespace warpfront;
using namespace warpfront::analytic;
using program::WavefrontPhase;
using test::us;
using enum program::Corner;

namespace {

WavefrontPhase sweeping(std::vector<program::Corner> corners) {
    WavefrontPhase phase;
    phase.work = us(100);
    phase.tiles = 10;
    phase.east_west = Bytes{1};
    phase.north_south = Bytes{20};
    phase.corners = std::move(corners);
    return phase;
}

Iteration iteration(const WavefrontPhase& phase, const machine::Machine& machine) {
    return iteration_of(phase, machine, NeighbourLocalities(machine));
}

WideTime fill(std::vector<program::Corner> corners) {
    return iteration(sweeping(std::move(corners)), test::round_machine({2, 2})).fill;
}

/// The bus of a round machine is held 2 + 1 per byte: 3 for a message in x, 22 for one in y.
WideTime contention(machine::Patch patch) {
    machine::Machine machine = test::round_machine({8, 8}, patch);
    machine.bus = machine::Bus{.o_dma = us(2), .G_dma = test::us_per_byte(1)};
    test::profile(machine, machine.network()).front().holds_bus = true;
    const WavefrontPhase phase = sweeping({northwest});
    return steady_tile(phase, tile_costs(phase, machine), machine).contention;
}

}  // namespace

TEST_SUITE("the plug-and-play model") {
    TEST_CASE("LU's two sweeps each fill the whole array: n_full 2") {
        CHECK(fill({northwest, southeast}) == us(2 * 260));
    }

    TEST_CASE("Sweep3D's order has n_diag 2 and n_full 2") {
        CHECK(fill({southeast, southeast, northeast, northeast, southwest, southwest, northwest, northwest}) ==
              us(2 * 134 + 2 * 260));
    }

    TEST_CASE("Chimaera's order has n_diag 2 and n_full 4") {
        CHECK(fill({southeast, southeast, northeast, southwest, northeast, southwest, northwest, northwest}) ==
              us(2 * 134 + 4 * 260));
    }

    TEST_CASE("a change of corner along a row waits for Start(n,1)") {
        CHECK(fill({northwest, northeast}) == us(114 + 260));
        CHECK(fill({southeast, southwest}) == us(114 + 260));
    }

    TEST_CASE("a rank alone does every tile of every sweep, pre-work included") {
        WavefrontPhase phase = sweeping({northwest, northwest, southeast});
        phase.pre_work = us(7);
        CHECK(iteration(phase, test::round_machine({1, 1})).total() == us(3 * 10 * (7 + 100)));
    }

    TEST_CASE("T_stack: two receives, work, two sends and pre-work per tile, the first pre-work being in the fill") {
        WavefrontPhase phase = sweeping({northwest, southeast});
        phase.pre_work = us(7);
        // (12 + 12 + 100 + 1 + 1 + 7) * 10 - 7 = 1323, for two sweeps
        CHECK(iteration(phase, test::round_machine({2, 2})).stack == us(2 * 1323));
    }

    TEST_CASE("T_stack is charged off-node whatever the patch") {
        const WavefrontPhase phase = sweeping({northwest});
        CHECK(iteration(phase, test::round_machine({2, 2}, {2, 2})).stack == us((12 + 12 + 100 + 1 + 1) * 10));
    }

    TEST_CASE("an array of one row drops the messages in y, one of one column those in x") {
        const WavefrontPhase phase = sweeping({northwest});
        CHECK(iteration(phase, test::round_machine({4, 1})).stack == us((12 + 100 + 1) * 10));
        CHECK(iteration(phase, test::round_machine({1, 4})).stack == us((12 + 100 + 1) * 10));
    }

    TEST_CASE("bus contention per tile is I on the messages that collide") {
        CHECK(contention({1, 1}) == us(0));
        CHECK(contention({2, 1}) == us(2 * 22));
        CHECK(contention({2, 2}) == us(2 * 3 + 2 * 22));
        CHECK(contention({2, 4}) == us(5 * 3 + 4 * 22));
        CHECK(contention({4, 4}) == us(9 * 3 + 9 * 22));
    }

    TEST_CASE("a message that does not hold the bus waits for none") {
        machine::Machine machine = test::round_machine({8, 8}, {2, 2});
        machine.bus = machine::Bus{.o_dma = us(2), .G_dma = {}};
        CHECK(iteration(sweeping({northwest}), machine).contention == us(0));
    }

    TEST_CASE("contention is paid for every tile of every sweep") {
        machine::Machine machine = test::round_machine({8, 8}, {2, 1});
        machine.bus = machine::Bus{.o_dma = us(2), .G_dma = {}};
        test::profile(machine, machine.network()).front().holds_bus = true;
        CHECK(iteration(sweeping({northwest, southeast}), machine).contention == us(2 * 10 * (2 * 2)));
    }

    TEST_CASE("the rest is allreduces, exchanges off-node and other compute") {
        WavefrontPhase phase = sweeping({});
        phase.allreduces = 2;
        phase.allreduce_bytes = Bytes{8};
        phase.exchanges = {{.count = 3, .bytes = Bytes{5}}, {.count = 1, .bytes = Bytes{40}}};
        phase.other = us(1000);
        // 2 * (2 stages * 21) + 3 * (13 + 5) + 1 * (13 + 40) + 1000
        CHECK(iteration(phase, test::round_machine({2, 2})).nonwavefront == us(84 + 54 + 53 + 1000));
    }

    TEST_CASE("without sweeps nothing is filled or stacked") {
        CHECK(iteration(sweeping({}), test::round_machine({2, 2})).total() == us(0));
    }
}
