// Iterations on the round machine, added up by hand in microseconds: a tile works 100, messages are 1 byte in x and 20
// in y; off-node Send 1, Recv 12, Total_E 14, Total_S 33. On 2 x 2 ranks without pre-work (Start, below, less 7) a
// fill takes 114 along the row, 134 down the column and 260 to the far corner.
#include "simulator/analytic/plug_and_play.hpp"
#include "simulator/analytic/fill.hpp"
#include "simulator/analytic/patch.hpp"
#include "tests/analytic/machines.hpp"

using namespace warpfront::analytic;
using program::WavefrontPhase;
using test::sweeping;
using test::us;
using enum program::Corner;
using machine::Locality;
using program::Corner;

namespace {

Iteration iteration(const WavefrontPhase& phase, const machine::Machine& machine) {
    return iteration_of(phase, machine, NeighbourLocalities(machine));
}

WideTime fill(std::vector<program::Corner> corners) {
    return iteration(sweeping(std::move(corners)), test::round_machine({2, 2})).fill.total();
}

/// Returns the contention if the bus of a round machine is occupied for 2 + 1 per byte: 3 for a message in x, 22 for
/// one in y.
WideTime contention(machine::Patch patch) {
    const machine::Machine machine = test::with_bus(test::round_machine({8, 8}, patch), us(2), test::us_per_byte(1));
    const WavefrontPhase phase = sweeping({northwest});
    return steady_tile(phase, tile_costs(phase, machine), machine).contention;
}

}  // namespace

TEST_SUITE("the plug-and-play model") {
    TEST_CASE("the order of the corners tells n_diag and n_full") {
        CHECK(fill({northwest, southeast}) == us(2 * 260));     // LU: n_full 2
        CHECK(fill(test::kSweep3d) == us(2 * 134 + 2 * 260));   // n_diag 2, n_full 2
        CHECK(fill(test::kChimaera) == us(2 * 134 + 4 * 260));  // n_diag 2, n_full 4
        CHECK(fill({northwest, northeast}) == us(114 + 260));   // along a row: Start(n,1)
        CHECK(fill({southeast, southwest}) == us(114 + 260));
        CHECK(fill({}) == us(0));
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
        CHECK(iteration(phase, test::round_machine({2, 2})).stack.total() == us(2 * 1323));
    }

    TEST_CASE("T_stack is charged off-node whatever the patch") {
        const WavefrontPhase phase = sweeping({northwest});
        CHECK(iteration(phase, test::round_machine({2, 2}, {2, 2})).stack.total() == us((12 + 12 + 100 + 1 + 1) * 10));
    }

    TEST_CASE("an array of one row drops the messages in y, one of one column those in x") {
        const WavefrontPhase phase = sweeping({northwest});
        CHECK(iteration(phase, test::round_machine({4, 1})).stack.total() == us((12 + 100 + 1) * 10));
        CHECK(iteration(phase, test::round_machine({1, 4})).stack.total() == us((12 + 100 + 1) * 10));
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
        const machine::Machine machine = test::with_bus(test::round_machine({8, 8}, {2, 1}), us(2));
        CHECK(iteration(sweeping({northwest, southeast}), machine).contention == us(2 * 10 * (2 * 2)));
    }

    TEST_CASE("the rest is allreduces, exchanges off-node and other compute") {
        WavefrontPhase phase = sweeping({});
        phase.allreduces = 2;
        phase.allreduce_bytes = Bytes{8};
        phase.exchanges = {{.count = 3, .bytes = Bytes{5}}, {.count = 1, .bytes = Bytes{40}}};
        phase.other = us(1000);
        // 2 * (2 stages * 21) + 3 * (13 + 5) + 1 * (13 + 40) + 1000
        CHECK(iteration(phase, test::round_machine({2, 2})).nonwavefront.total() == us(84 + 54 + 53 + 1000));
    }

    TEST_CASE("an iteration is divided into computing, overhead, latency, bandwidth and the bus, by hand") {
        WavefrontPhase phase = sweeping({northwest, southeast});
        phase.pre_work = us(7);
        phase.allreduces = 1;
        phase.allreduce_bytes = Bytes{8};
        phase.other = us(1000);
        const Iteration all = iteration(phase, test::with_bus(test::round_machine({2, 2}), us(2)));
        // twice the fill of 2 x 2 ranks (below)
        CHECK(all.fill ==
              record::PathParts{.compute = us(414), .overhead = us(18), .latency = us(60), .bandwidth = us(42)});
        // two sweeps of 10 tiles: Recv_W and Recv_N 10 + 2 each, work, Send_E and Send_S 1 each, pre-work but once
        CHECK(all.stack ==
              record::PathParts{.compute = us(2 * (10 * 107 - 7)), .overhead = us(20 * 6), .latency = us(20 * 20)});
        // two stages of 1 + 10 + 8 + 2
        CHECK(all.nonwavefront ==
              record::PathParts{
                  .compute = us(1000), .overhead = us(2 * 3), .latency = us(2 * 10), .bandwidth = us(2 * 8)});
        CHECK(all.contention == us(0));  // of one rank on each node
        CHECK(all.parts().total() == all.total());
        const Iteration on_nodes = iteration(phase, test::with_bus(test::round_machine({2, 2}, {2, 1}), us(2)));
        CHECK(on_nodes.parts().bus == us(2 * 10 * (2 * 2)));
    }

    TEST_CASE("without sweeps nothing is filled or stacked") {
        CHECK(iteration(sweeping({}), test::round_machine({2, 2})).total() == us(0));
    }
}

// Start on process grids of a few ranks, added up by hand in microseconds. The tile works 100 after 7 of pre-work;
// messages are 1 byte in x and 20 in y, so on the round machine
//   off-node  Send 1   Recv 12   Total_E 13 + 1 = 14   Total_S 13 + 20 = 33
//   on-chip   Send 3   Recv 5    Total 8

namespace {

CornerStarts starts(const machine::Machine& machine, Corner from = Corner::northwest) {
    program::WavefrontPhase phase = sweeping({});
    phase.pre_work = us(7);
    return corner_starts(NeighbourLocalities(machine), from, tile_costs(phase, machine));
}

record::PathParts parts_of_start(const machine::Machine& machine, std::uint32_t i, std::uint32_t j) {
    program::WavefrontPhase phase = sweeping({});
    phase.pre_work = us(7);
    const TileCosts tile = tile_costs(phase, machine);
    const NeighbourLocalities localities(machine);
    return SweepFill(localities, Corner::northwest, tile).start(i, j);
}

WideTime at(const CornerStarts& all, Corner corner) { return all[static_cast<std::size_t>(corner)]; }

}  // namespace

TEST_SUITE("Start, the filling of the pipeline") {
    TEST_CASE("along a row there is no Recv_N, down a single column no Send_E; a single rank starts after pre-work") {
        CHECK(at(starts(test::round_machine({1, 1})), Corner::southeast) == us(7));
        CHECK(at(starts(test::round_machine({2, 1})), Corner::northeast) == us(7 + 100 + 14));
        CHECK(at(starts(test::round_machine({1, 2})), Corner::southwest) == us(7 + 100 + 33));
    }

    TEST_CASE("of two ranks by two the first column sends east first, the far corner waits for the later of two") {
        // down: 7 + 100 + 1 + 33 = 141; by west: 141 + 100 + 14 + 12 = 267; by north: 121 + 100 + 33 = 254
        CHECK(at(starts(test::round_machine({2, 2})), Corner::southwest) == us(141));
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

    TEST_CASE("its parts are those of the path to the far corner: down the first column, then along the last row") {
        // 2 x 2 ranks. To (1,2): work, Send_E 1, Total_S 1 + 10 + 20 + 2. To (2,2): work, Total_E 1 + 10 + 1 + 2,
        // Recv_N 10 + 2. Overhead 1 + 3 + 3 + 2, latency 3 * 10, bandwidth 20 + 1.
        const record::PathParts parts = parts_of_start(test::round_machine({2, 2}), 2, 2);
        CHECK(parts ==
              record::PathParts{.compute = us(7 + 2 * 100), .overhead = us(9), .latency = us(30), .bandwidth = us(21)});
        CHECK(parts.total() == us(267));
    }

    TEST_CASE("the parts are those of the path that the maximum chose where it comes from the north in the end") {
        // 2 x 4 ranks, nodes of 1 x 2: rows 1 and 2, and rows 3 and 4, are on a node.
        // (1,2): 7 + 100 + 1 + 8 = 116            (1,3): 116 + 100 + 1 + 33 = 250       (1,4): 250 + 100 + 1 + 8 = 359
        // (2,3): 250 + 100 + 14 + 12 = 376        (2,4): 376 + 100 + 8 = 484 by north, 359 + 100 + 14 + 5 = 478 by west
        // Overhead: Send_E 1, 8 on the chip, Send_E 1, Total_S 3, Total_E 3, Recv_N 2, 8 on the chip.
        const machine::Machine machine = test::round_machine({2, 4}, {1, 2});
        const record::PathParts parts = parts_of_start(machine, 2, 4);
        CHECK(parts == record::PathParts{
                           .compute = us(7 + 4 * 100), .overhead = us(26), .latency = us(30), .bandwidth = us(21)});
        CHECK(parts.total() == us(484));
        CHECK(at(starts(machine), Corner::southeast) == us(484));
    }

    TEST_CASE("the parts of 2 x 1 ranks per node: messages on the chip have neither latency nor bandwidth") {
        // down to (1,2), 143 below, then along the row by west: Send_E 3, Total_S 1 + 10 + 20 + 2; Total_E 8, Recv_N
        // 10 + 2; Total_E 1 + 10 + 1 + 2, Recv_N; Total_E 8, Recv_N
        CHECK(parts_of_start(test::round_machine({4, 2}, {2, 1}), 4, 2) ==
              record::PathParts{.compute = us(7 + 4 * 100),
                                .overhead = us(3 + 3 + (8 + 2) + (3 + 2) + (8 + 2)),
                                .latency = us(5 * 10),
                                .bandwidth = us(21)});
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

    TEST_CASE("if the last patch of a row is cut short, the mirrored sweep meets other links") {
        // from the west the links are on-chip, off-node: row 1 7, 115, 229; row 2 143, 263, 263 + 126 = 389
        // from the east off-node, on-chip: row 1 7, 121, 229; row 2 7 + 100 + 1 + 33 = 141,
        //   max(141 + 126, 121 + 136) = 267, max(267 + 100 + 8 + 12, 229 + 133) = 387
        const machine::Machine machine = test::round_machine({3, 2}, {2, 1});
        CHECK(at(starts(machine, Corner::northwest), Corner::southeast) == us(389));
        CHECK(at(starts(machine, Corner::northeast), Corner::southwest) == us(387));
    }

    TEST_CASE("if the last patch of a column is cut short, so does the sweep from the south") {
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

namespace {

constexpr RankGrid kLarge{64, 64};

BusHolds holds(machine::Patch patch, RankGrid grid = kLarge, std::uint32_t buses = 1,
               std::vector<std::uint32_t> cores = {}, std::uint32_t of_node = 0) {
    machine::Machine machine;
    machine.cores = std::max(of_node, patch.ranks());
    machine.placement = test::placed(grid, patch);
    machine.placement.cores = std::move(cores);
    machine.bus = machine::Bus{.o_dma = {}, .G_dma = {}, .count = buses};
    return bus_holds(machine);
}

}  // namespace

TEST_SUITE("extra holds of a node's bus per tile") {
    TEST_CASE("a rank waits for the holds of the others by its patch") {
        CHECK(holds({1, 1}) == BusHolds{0, 0});  // alone on its node
        CHECK(holds({2, 1}) == BusHolds{0, 2});  // side by side: one on Recv_N and one on Send_S
        CHECK(holds({1, 2}) == BusHolds{2, 0});  // one above the other: one on Recv_W and one on Send_E
        CHECK(holds({2, 2}) == BusHolds{2, 2});  // one on each of the four messages
        CHECK(holds({2, 4}) == BusHolds{5, 4});  // (3 * 4 - 2) / 2 and (2 * 5 - 2) / 2
        CHECK(holds({4, 2}) == BusHolds{4, 5});
        CHECK(holds({4, 4}) == BusHolds{9, 9});          // (5 * 4 - 2) / 2
        CHECK(holds({3, 1}) == BusHolds{1, 2});          // (4 * 1 - 2) / 2, (3 * 2 - 2) / 2
        CHECK(holds({4, 1}) == BusHolds{1, 4});          // 1.5 down to 1, (4 * 2 - 2) / 2 = 3 and the half up to 4
        CHECK(holds({8, 8}) == BusHolds{35, 35});        // (9 * 8 - 2) / 2
        CHECK(holds({4, 4}, {2, 2}) == BusHolds{2, 2});  // of an array smaller than the patch, the ranks that are there
    }

    TEST_CASE("an array of one row has no messages in y, and keeps its half in x") {
        CHECK(holds({2, 1}, {64, 1}) == BusHolds{1, 0});  // (3 * 1 - 2) / 2 = 0.5, rounded up
        CHECK(holds({1, 2}, {1, 64}) == BusHolds{0, 1});
    }

    TEST_CASE("of several buses each has the patch of its own cores") {
        CHECK(holds({4, 4}, kLarge, 2) == holds({4, 2}));
        CHECK(holds({4, 4}, kLarge, 4) == holds({4, 1}));
        const std::vector<std::uint32_t> squares{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15};
        CHECK(holds({4, 4}, kLarge, 4, squares) == holds({2, 2}));
        CHECK(holds({4, 4}, kLarge, 8) == holds({2, 1}));
        CHECK(holds({4, 4}, kLarge, 16) == BusHolds{0, 0});
    }

    TEST_CASE("of a half-filled node the ranks share the buses of their cores") {
        // 2 x 2 ranks on eight cores, four to a bus: the first four cores have one bus, cores 0, 4, 1, 5 give each bus
        // a column of the patch
        CHECK(holds({2, 2}, kLarge, 2, {0, 1, 2, 3}, 8) == holds({2, 2}));
        CHECK(holds({2, 2}, kLarge, 2, {0, 4, 1, 5}, 8) == holds({1, 2}));
    }

    TEST_CASE("cores of a bus that are no rectangle are counted by their messages") {
        // 4 x 3 cores on two buses: the first has a row of four and two below them, so 5 + 3 messages in x and
        // 3 + 3 + 2 + 2 in y; (8 - 2) / 2 and (10 - 2) / 2
        CHECK(holds({4, 3}, kLarge, 2) == BusHolds{3, 4});
    }
}
