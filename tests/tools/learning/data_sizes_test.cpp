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

/// Makes the collectives of each rank broadcasts, over its row and its column in turn, and disturbs its computing.
void broadcast_along_rows_and_columns(trace::RecordedRun& run, const RankGrid& grid) {
    run.communicators.resize(1 + grid.rows + grid.columns);
    for (std::uint32_t rank = 0; rank < grid.ranks(); ++rank) {
        const std::uint32_t row = grid.row(Rank{rank});
        const std::uint32_t column = grid.rows + grid.column(Rank{rank});
        run.communicators[row].push_back(Rank{rank});
        run.communicators[column].push_back(Rank{rank});
        for (std::size_t at = 0; at < run.ranks[rank].events.size(); ++at) {
            trace::Event& event = run.ranks[rank].events[at];
            event.kind = collectives::Kind::bcast;
            event.communicator = at % 2 == 0 ? row : column;
            event.peer = Rank{at % 2 == 0 ? (row - 1) * grid.columns : grid.column(Rank{rank}) - 1};
            event.work.ps = event.work.ps * static_cast<std::int64_t>(6 + (rank * 7 + at * 3) % 9) / 10;
        }
    }
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

TEST_CASE("bytes that shrink by the same number in each iteration are learnt exactly") {
    const char* const elimination = R"(
application elimination {
    param n: int
    iteration k {
        compute 2ns * share(n, columns)
        send 8B * n - 8B * (k - 1) to east
        recv from west
        allreduce 8B
    }
}
)";
    const test::RunDifference found = test::learnt_and_predicted(
        elimination,
        {{array(3, 1), 12, {{"n", "12"}}}, {array(4, 1), 20, {{"n", "20"}}}, {array(5, 1), 35, {{"n", "35"}}}},
        {array(8, 1), 40, {{"n", "40"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("a block between broadcasts extends along the sides of what is broadcast, even if ranks differ by chance") {
    const char* const product = R"(
application product {
    param n: int
    param width: int
    iteration {
        allreduce 8B * width * share(n, rows)
        allreduce 8B * width * share(n, columns)
        compute 1ns * width * share(n, columns) * share(n, rows)
    }
}
)";
    const std::vector<test::SmallRun> cases{{array(3, 3), 18, {{"n", "360"}, {"width", "20"}}},
                                            {array(4, 3), 12, {{"n", "480"}, {"width", "40"}}},
                                            {array(3, 4), 24, {{"n", "240"}, {"width", "10"}}}};
    std::vector<trace::RecordedRun> runs = test::recorded_runs(product, cases);
    for (std::size_t at = 0; at < runs.size(); ++at) broadcast_along_rows_and_columns(runs[at], cases[at].grid);
    const learning::Learnt learnt = learnt_from(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    REQUIRE(learnt.refused.empty());
    REQUIRE(!learnt.works.empty());
    CHECK(learning::formula_of(learnt.works.begin()->second.law, learnt.variables) == "width * n_share * n_share");
}
