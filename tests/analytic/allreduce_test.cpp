#include <doctest/doctest.h>

#include <cmath>

#include "simulator/analytic/allreduce.hpp"
#include "tests/analytic/machines.hpp"
#include "tests/analytic/table.hpp"

using namespace warpfront;
using analytic::allreduce_time;
using test::us;

TEST_SUITE("the allreduce's closed form") {
    TEST_CASE("one rank needs none") { CHECK(allreduce_time(test::round_machine({1, 1}), Bytes{8}) == WideTime{}); }

    TEST_CASE("with one rank per node every one of log2 P stages goes off-node") {
        // 16 ranks: 4 stages of 13 + 8 bytes * 1
        CHECK(allreduce_time(test::round_machine({4, 4}), Bytes{8}) == us(4 * 21));
    }

    TEST_CASE("the ranks of a node take turns in each stage, off-node and on") {
        // 16 ranks, 4 per node: (4 - 2) stages * 4 * 21 off-node, 2 stages * 4 * 8 on-chip
        CHECK(allreduce_time(test::round_machine({4, 4}, {2, 2}), Bytes{8}) == us(2 * 4 * 21 + 2 * 4 * 8));
    }

    TEST_CASE("stages between the chips of a node are charged at their locality") {
        // 16 ranks, 4 per node, 2 per chip, 0 bytes: 2 * 4 * 2.64 between nodes, 1 * 4 * 0.69 between chips,
        // 1 * 4 * 0.655 on a chip
        CHECK(allreduce_time(test::infiniband({4, 4}, {2, 2}), Bytes{0}) == us(21.12 + 2.76 + 2.62));
    }

    TEST_CASE("a patch larger than the array counts the ranks that are there") {
        // 2 ranks on a node for 4: 1 stage * 2 * 8 on-chip, none off-node
        CHECK(allreduce_time(test::round_machine({2, 1}, {2, 2}), Bytes{8}) == us(16));
    }

    TEST_CASE("of a number of ranks that is not a power of two the logarithm stays real") {
        // 10 ranks: 3.321928094887362 stages of 21
        const WideTime time = allreduce_time(test::round_machine({5, 2}), Bytes{8});
        CHECK(seconds(time) == doctest::Approx(69.7604899926346e-6).epsilon(1e-7));
    }

    // One core per node: each of the five rows is 8.14 us per stage, where Total of 8 bytes is 2 * 3.85 + 8 * 0.0004 +
    // 0.36 = 8.063. 8.14 us is Total of 200 bytes, and with these the first two rows of two cores come out too; the
    // other three come out with 8 bytes. The ingredient that is missing is the size of the messages, which the paper
    // does not give.
    TEST_CASE("the XT4's published predictions: with 8 bytes within 2 %; within 1 % with 8 or 200 bytes") {
        const auto rows = test::read_table("tests/analytic/xt4_allreduce.csv");
        REQUIRE(rows.size() == 10);
        for (const test::TableRow& row : rows) {
            CAPTURE(row.count("ranks"));
            CAPTURE(row.count("cores_per_node"));
            const machine::Patch patch{row.count("cores_per_node"), 1};
            const auto machine = test::cray({row.count("ranks"), 1}, patch, test::kXt4);
            const auto difference = [&](Bytes size) {
                return std::abs(seconds(allreduce_time(machine, size)) * 1e6 / row.real("pred_us") - 1);
            };
            const bool small = patch.ranks() == 2 && row.count("ranks") >= 64;
            CHECK(difference(Bytes{small ? 8 : 200}) < (small ? 0.01 : 0.002));
            CHECK(difference(Bytes{8}) < 0.02);
        }
    }
}
