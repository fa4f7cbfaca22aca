// Sizes of solvers whose ranks own several cells, and of collectives that depend on data.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/approx.hpp"
#include "tests/tools/learning/runs.hpp"
#include "tools/from_code/learning/expressions.hpp"
#include "tools/from_code/learning/learn.hpp"
#include "tools/from_code/learning/report.hpp"

using namespace warpfront;
using test::array;
using test::learnt_from;

namespace {

const learning::Variables kCubeVariables{{"columns", "rows", "planes", "column", "row", "plane", "n"}};

/// The first rank of a square of `side` times `side` ranks.
learning::Values on_square(std::int64_t side, std::int64_t n) { return {side, side, 1, 1, 1, 1, n}; }

/// A sort of `keys` numbers on a row of ranks: in each iteration a rank sends to each rank a tenth more or less than
/// the mean of 4 keys / ranks / ranks bytes.
trace::RecordedRun sorting(std::uint32_t ranks, std::int64_t keys) {
    trace::RecordedRun run = test::recorded(std::to_string(ranks), R"(
application sort {
    param keys: int
    iteration {
        compute 2ns * share(keys, columns)
        allreduce 8B
    }
}
)",
                                            array(ranks, 1), 5, {{"keys", std::to_string(keys)}});
    const std::int64_t mean = 4 * keys / ranks / ranks;
    for (trace::RecordedRank& rank : run.ranks) {
        for (trace::Event& event : rank.events) {
            event.kind = collectives::Kind::alltoallv;
            for (std::uint32_t to = 0; to < ranks; ++to) {
                event.shares.push_back({to % 2 == 0 ? mean * 11 / 10 : mean * 9 / 10});
            }
        }
    }
    return run;
}

}  // namespace

TEST_CASE("sizes may contain a share with ghost points") {
    // 240 (n / side + 1)^2: 7^2, 11^2 and 8^2 points of 240 B. On 4 x 4 ranks of 32 cells it is 9^2.
    const std::vector<learning::Values> runs{on_square(3, 18), on_square(3, 30), on_square(4, 28)};
    const std::vector<learning::Sample> samples{{&runs[0], 11'760}, {&runs[1], 29'040}, {&runs[2], 15'360}};
    const auto found = learning::integer(samples, kCubeVariables);
    REQUIRE(found);
    CHECK(learning::value_of(found->expression, on_square(4, 32)) == 19'440);
}

TEST_CASE("sizes may contain a side of the grid less one") {
    // 80 (side - 1) (n / side)^2: the cells of a rank except the one at the boundary.
    const std::vector<learning::Values> runs{on_square(3, 18), on_square(3, 30), on_square(4, 28), on_square(4, 36)};
    const std::vector<learning::Sample> samples{
        {&runs[0], 80 * 2 * 36}, {&runs[1], 80 * 2 * 100}, {&runs[2], 80 * 3 * 49}, {&runs[3], 80 * 3 * 81}};
    const auto found = learning::integer(samples, kCubeVariables);
    REQUIRE(found);
    CHECK(learning::value_of(found->expression, on_square(5, 40)) == 80 * 4 * 64);
}

TEST_CASE("a collective whose shares differ has their mean, and the report names their spread") {
    const std::vector<trace::RecordedRun> runs{sorting(4, 8'000), sorting(8, 64'000), sorting(10, 20'000)};
    const learning::Report report = learning::report_on({&runs[0], &runs[1], &runs[2]}, {});
    REQUIRE(report.learnt.refused.empty());
    REQUIRE(report.learnt.sizes.size() == 1);
    const learning::Size& size = report.learnt.sizes.begin()->second;
    REQUIRE(size.mean);
    CHECK(size.spread == test::approx(0.1));
    CHECK(size.mean->slope == test::approx(4));
    CHECK(learning::text_of(*size.mean, report.learnt.variables, "a", "b") == "a * keys / columns / columns");
    for (const learning::Agreement& run : report.learnt.agreement) {
        CHECK(run.operations_equal == run.operations);
        CHECK(run.bytes_predicted == test::approx(run.bytes));
    }
    CHECK(learning::model_text(report.learnt, "sort").find("alltoall") != std::string::npos);
    CHECK(learning::table(report).find("and single messages by 10.00 % (standard deviation)") != std::string::npos);
}
