// The pipelines in steps of one message: mpp, and SMPs with bottlenecks. The steps published for clusters of SMPs stand
// in tests/analytic/smp_steps.csv; smp_steps_test.cpp steps the protocol beside the same functions.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "simulator/analytic/pipeline.hpp"
#include "simulator/input/diagnostic.hpp"
#include "tests/analytic/forms.hpp"
#include "tests/analytic/machines.hpp"
#include "tests/analytic/table.hpp"

using namespace warpfront;
using namespace warpfront::analytic;
using program::WavefrontPhase;
using test::time_by;
using test::us;
using enum program::Corner;

namespace {

const std::vector<program::Corner> kSweep3d{southeast, southeast, northeast, northeast,
                                            southwest, southwest, northwest, northwest};

/// Work 100 us; messages of 20 bytes at most: Total 13 + 20 = 33 us on the round machine.
WavefrontPhase piped(std::vector<program::Corner> corners, std::int64_t tiles) {
    WavefrontPhase phase;
    phase.work = us(100);
    phase.tiles = tiles;
    phase.east_west = Bytes{1};
    phase.north_south = Bytes{20};
    phase.corners = std::move(corners);
    return phase;
}

machine::Machine smps(RankGrid grid, machine::Patch patch, std::uint32_t channels) {
    machine::Machine machine = test::round_machine(grid, patch);
    machine.links = machine::Links{.parallel = channels};
    test::profile(machine, machine.network()).front().holds_links = true;
    return machine;
}

std::string pipeline_misfit(std::string_view name, const machine::Machine& machine) {
    const UnequalWork unequal;
    const program::Program program = test::declaring(machine.placement.grid, {piped({northwest}, 2)});
    return test::form_named(name).misfit({program, machine, unequal}).value_or("none");
}

SmpCluster square(std::int64_t side, std::int64_t channels) {
    return {.columns = 2, .rows = 2, .ranks_x = side, .ranks_y = side, .channels = channels};
}

}  // namespace

TEST_SUITE("the pipeline without bottlenecks") {
    TEST_CASE("one sweep of two waves over 3 x 2 ranks") {
        // T_comp = [(3 + 2 - 1) + (2 - 1)] * 100, T_comm = [2 (3 + 2 - 2) + 4 (2 - 1)] * 33
        CHECK(time_by("mpp", piped({northwest}, 2), test::round_machine({3, 2})) == us(5 * 100 + 10 * 33));
    }

    TEST_CASE("Sweep3D's eight sweeps are one stream of waves, which fills four times") {
        // N = 16; two fills across the array and two along a column cross 2 * 2 + 4 * 1 = 8 ranks:
        // (8 + 16) * 100 + (2 * 8 + 4 * 15) * 33
        CHECK(time_by("mpp", piped(kSweep3d, 2), test::round_machine({3, 2})) == us(24 * 100 + 76 * 33));
    }

    TEST_CASE("work before the receives counts, what lies between sweeps does not") {
        WavefrontPhase phase = piped({northwest}, 2);
        phase.pre_work = us(7);
        phase.allreduces = 2;
        phase.other = us(1000);
        CHECK(time_by("mpp", phase, test::round_machine({3, 2})) == us(5 * 107 + 10 * 33));
    }

    TEST_CASE("it needs sweeps, and ranks in both directions") {
        CHECK(pipeline_misfit("mpp", test::round_machine({3, 2})) == "none");
        CHECK(pipeline_misfit("mpp", test::round_machine({3, 1})) == "the array has 3 x 1 ranks");
        CHECK_THROWS_AS(time_by("mpp", WavefrontPhase{}, test::round_machine({3, 2})), input::BadInput);
    }

    TEST_CASE("more waves than a pipeline may have are refused") {
        CHECK_THROWS_AS(time_by("mpp", piped(kSweep3d, kMostWaves / 8 + 1), test::round_machine({3, 2})),
                        input::BadInput);
    }
}

TEST_SUITE("the pipeline over SMPs with bottlenecks") {
    TEST_CASE("every published row of steps comes out exactly") {
        const auto rows = test::read_table("tests/analytic/smp_steps.csv");
        REQUIRE(rows.size() == 6);
        for (const test::TableRow& row : rows) {
            const SmpCluster cluster{.columns = row.integer("m"),
                                     .rows = row.integer("n"),
                                     .ranks_x = row.integer("Sx"),
                                     .ranks_y = row.integer("Sy"),
                                     .channels = row.integer("L")};
            CAPTURE(cluster.ranks_x);
            CAPTURE(cluster.channels);
            std::istringstream steps(row.text("steps"));
            std::int64_t wave = 0;
            for (std::int64_t step = 0; steps >> step;) CHECK(step_at_second_smp(cluster, ++wave) == step);
            CHECK(wave >= 8);
        }
    }

    TEST_CASE("as many ranks at a boundary as twice its channels do not collide, one more does") {
        CHECK(steps_behind_first(square(4, 2), 5) == 4 * 4);
        CHECK(steps_behind_first(square(5, 2), 5) == 4 * 4 + 2);  // floor((5 - 1) / 2) groups before
    }

    TEST_CASE("from four times the channels plus one on, groups of waves come in pairs") {
        // S = 8, L = 1: wave 2 at 4 * 0 + 5, wave 3 at 2 * 8, wave 4 at 5 + 2 * 8
        CHECK(steps_behind_first(square(8, 1), 2) == 5);
        CHECK(steps_behind_first(square(8, 1), 3) == 16);
        CHECK(steps_behind_first(square(8, 1), 4) == 21);
    }

    TEST_CASE("in one dimension the ranks along the one boundary decide, and the other direction has no steps") {
        const SmpCluster row{.columns = 3, .rows = 1, .ranks_x = 9, .ranks_y = 2, .channels = 1};
        CHECK(row.boundary() == 2);
        CHECK(step_at_second_smp(row, 1) == 18);
        CHECK(step_at_last_rank(row, 1) == 18 + 18 + 16 + 2);  // one more SMP, then 2 (9 - 1) + 2 (2 - 1)
        const SmpCluster column{.columns = 1, .rows = 3, .ranks_x = 9, .ranks_y = 2, .channels = 1};
        CHECK(column.boundary() == 9);
        CHECK(step_at_last_rank(column, 1) == 4 + 4 + 16 + 2);
        CHECK(SmpCluster{.ranks_x = 9, .ranks_y = 9}.boundary() == 0);
    }

    TEST_CASE("the last rank of a cluster is 2 (Px + Py - 2) steps from the first") {
        // 4 x 3 SMPs of 5 x 2 ranks: Px = 20, Py = 6
        const SmpCluster cluster{.columns = 4, .rows = 3, .ranks_x = 5, .ranks_y = 2, .channels = 3};
        CHECK(step_at_last_rank(cluster, 1) == 2 * (20 + 6 - 2));
    }

    TEST_CASE("a run charges its waves by these steps") {
        // 2 x 2 SMPs of 4 x 4 ranks, one channel, ten waves of one sweep: S = 4 < 4 L + 1, so wave 10 comes 4 * 9 + 9
        // steps after wave 1. hops = 7 + 7: (14 + 10) * 100 + (28 + 45) * 33
        const machine::Machine machine = smps({8, 8}, {4, 4}, 1);
        CHECK(time_by("pipeline-bottlenecks", piped({northwest}, 10), machine) == us(24 * 100 + 73 * 33));
    }

    TEST_CASE("with channels enough it is the pipeline without bottlenecks") {
        const machine::Machine machine = smps({8, 8}, {4, 4}, 2);
        CHECK(time_by("pipeline-bottlenecks", piped(kSweep3d, 10), machine) ==
              time_by("mpp", piped(kSweep3d, 10), machine));
    }

    TEST_CASE("it needs full nodes of several ranks behind shared links") {
        CHECK(pipeline_misfit("pipeline-bottlenecks", smps({8, 8}, {4, 4}, 1)) == "none");
        CHECK(pipeline_misfit("pipeline-bottlenecks", smps({8, 8}, {1, 1}, 1)) == "each rank has a node of its own");
        CHECK(pipeline_misfit("pipeline-bottlenecks", smps({8, 6}, {4, 4}, 1)) ==
              "nodes of 4 x 4 ranks do not divide the array of 8 x 6");
        CHECK(pipeline_misfit("pipeline-bottlenecks", test::round_machine({8, 8}, {4, 4})) == "links are not shared");
        CHECK(pipeline_misfit("pipeline-bottlenecks", smps({8, 1}, {4, 1}, 1)) == "the array has 8 x 1 ranks");
    }
}
