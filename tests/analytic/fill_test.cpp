// Start on arrays of a few ranks, added up by hand in microseconds. The tile works 100 after 7 of pre-work; messages
// are 1 byte in x and 20 in y, so on the round machine
//   off-node  Send 1   Recv 12   Total_E 13 + 1 = 14   Total_S 13 + 20 = 33
//   on-chip   Send 3   Recv 5    Total 8
#include <doctest/doctest.h>

#include "simulator/analytic/fill.hpp"
#include "tests/analytic/machines.hpp"

using namespace warpfront;
using namespace warpfront::analytic;
using machine::Locality;
using program::Corner;
using test::us;

namespace {

CornerStarts starts(const machine::Machine& machine, Corner from = Corner::northwest) {
    program::WavefrontPhase phase;
    phase.pre_work = us(7);
    phase.work = us(100);
    phase.east_west = Bytes{1};
    phase.north_south = Bytes{20};
    return corner_starts(NeighbourLocalities(machine), from, tile_costs(phase, machine));
}

WideTime at(const CornerStarts& all, Corner corner) { return all[static_cast<std::size_t>(corner)]; }

}  // namespace

TEST_SUITE("Start, the filling of the pipeline") {
    TEST_CASE("a single rank starts after its pre-work") {
        CHECK(at(starts(test::round_machine({1, 1})), Corner::southeast) == us(7));
    }

    TEST_CASE("along a row there is no Recv_N") {
        CHECK(at(starts(test::round_machine({2, 1})), Corner::northeast) == us(7 + 100 + 14));
    }

    TEST_CASE("down a single column there is no Send_E") {
        CHECK(at(starts(test::round_machine({1, 2})), Corner::southwest) == us(7 + 100 + 33));
    }

    TEST_CASE("down the first column of an array each rank sends east first") {
        CHECK(at(starts(test::round_machine({2, 2})), Corner::southwest) == us(7 + 100 + 1 + 33));
    }

    TEST_CASE("the far corner waits for the later of west and north") {
        // by west: 141 + 100 + 14 + 12 = 267; by north: 121 + 100 + 33 = 254
        CHECK(at(starts(test::round_machine({2, 2})), Corner::southeast) == us(267));
    }

    TEST_CASE("a sweep from another corner is the mirror image") {
        const CornerStarts from_southeast = starts(test::round_machine({2, 2}), Corner::southeast);
        CHECK(at(from_southeast, Corner::southeast) == us(7));
        CHECK(at(from_southeast, Corner::southwest) == us(121));
        CHECK(at(from_southeast, Corner::northeast) == us(141));
        CHECK(at(from_southeast, Corner::northwest) == us(267));
        const CornerStarts from_northeast = starts(test::round_machine({2, 2}), Corner::northeast);
        CHECK(at(from_northeast, Corner::northwest) == us(121));
        CHECK(at(from_northeast, Corner::southeast) == us(141));
        CHECK(at(from_northeast, Corner::southwest) == us(267));
        const CornerStarts from_southwest = starts(test::round_machine({2, 2}), Corner::southwest);
        CHECK(at(from_southwest, Corner::southeast) == us(121));
        CHECK(at(from_southwest, Corner::northwest) == us(141));
        CHECK(at(from_southwest, Corner::northeast) == us(267));
    }

    TEST_CASE("2 x 1 ranks per node: every other message in x stays on the chip") {
        // row 1: 7, +108 = 115, +114 = 229, +108 = 337
        // row 2: 7 + 100 + 3 + 33 = 143
        //        max(143 + 100 + 8 + 12, 115 + 100 + 1 + 33) = 263
        //        max(263 + 100 + 14 + 12, 229 + 100 + 3 + 33) = 389
        //        max(389 + 100 + 8 + 12, 337 + 100 + 33) = 509
        const CornerStarts all = starts(test::round_machine({4, 2}, {2, 1}));
        CHECK(at(all, Corner::northeast) == us(337));
        CHECK(at(all, Corner::southwest) == us(143));
        CHECK(at(all, Corner::southeast) == us(509));
    }

    TEST_CASE("1 x 2 ranks per node: every other message in y stays on the chip") {
        // (1,2): 7 + 100 + 1 + 8 = 116; (2,2): max(116 + 100 + 14 + 5, 121 + 100 + 8) = 235
        const CornerStarts all = starts(test::round_machine({2, 2}, {1, 2}));
        CHECK(at(all, Corner::southwest) == us(116));
        CHECK(at(all, Corner::southeast) == us(235));
    }

    TEST_CASE("the path by north is later if sending east is slow") {
        // off-node Send 40, Total_E 53, Total_S 72. Row 1: 7, 115, 115 + 153 = 268
        // row 2: 7 + 100 + 3 + 72 = 182
        //        max(182 + 100 + 8 + 12 = 302, 115 + 100 + 40 + 72 = 327) = 327
        //        max(327 + 100 + 53 + 12 = 492, 268 + 100 + 72 = 440) = 492
        machine::Machine machine = test::round_machine({3, 2}, {2, 1});
        test::profile(machine, machine.network()).front().o_send = us(40);
        CHECK(at(starts(machine), Corner::southeast) == us(492));
    }

    TEST_CASE("where the last patch of a row is cut short, the mirrored sweep meets other links") {
        // from the west the links are on-chip, off-node: row 1 7, 115, 229; row 2 143, 263, 263 + 126 = 389
        // from the east off-node, on-chip: row 1 7, 121, 229; row 2 7 + 100 + 1 + 33 = 141,
        //   max(141 + 126, 121 + 136) = 267, max(267 + 100 + 8 + 12, 229 + 133) = 387
        const machine::Machine machine = test::round_machine({3, 2}, {2, 1});
        CHECK(at(starts(machine, Corner::northwest), Corner::southeast) == us(389));
        CHECK(at(starts(machine, Corner::northeast), Corner::southwest) == us(387));
    }

    TEST_CASE("where the last patch of a column is cut short, so does the sweep from the south") {
        // from the north the links in y are on-chip, off-node: column 1 7, 7 + 100 + 1 + 8 = 116, 116 + 134 = 250;
        //   column 2 121, max(116 + 114 + 5, 121 + 108) = 235, max(250 + 114 + 12, 235 + 133) = 376
        // from the south off-node, on-chip: column 1 7, 141, 141 + 109 = 250;
        //   column 2 121, max(141 + 114 + 12, 121 + 133) = 267, max(250 + 114 + 5, 267 + 108) = 375
        const machine::Machine machine = test::round_machine({2, 3}, {1, 2});
        CHECK(at(starts(machine, Corner::northwest), Corner::southeast) == us(376));
        CHECK(at(starts(machine, Corner::southwest), Corner::northeast) == us(375));
    }

    TEST_CASE("neighbours on a node of two chips share the chip, the node or the network") {
        const NeighbourLocalities localities(test::infiniband({4, 4}, {2, 2}));
        CHECK(localities.east_of(1, 1) == Locality{0});   // chip
        CHECK(localities.south_of(1, 1) == Locality{1});  // node
        CHECK(localities.east_of(2, 1) == Locality{2});   // network
        CHECK(localities.south_of(1, 2) == Locality{2});
    }

    TEST_CASE("a million ranks are filled") {
        // along the first row 1023 steps of 114; down the first column 1023 of 134
        const CornerStarts all = starts(test::round_machine({1024, 1024}));
        CHECK(at(all, Corner::northeast) == us(7 + 1023 * 114));
        CHECK(at(all, Corner::southwest) == us(7 + 1023 * 134));
    }
}
