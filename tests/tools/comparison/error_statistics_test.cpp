// Errors against measurements: by method, by table and over all.
#include "tools/study/comparison/comparison.hpp"

#include "tests/approx.hpp"
#include "tests/tools/experiments.hpp"

namespace {

WideTime tenths(std::int64_t count) { return Time{count * 100'000'000'000}; }

ComparisonRow measured(const std::string& table, unsigned line, std::int64_t event, std::int64_t exec) {
    ComparisonRow row;
    row.table = table;
    row.label = "120^3";
    row.line = line;
    row.grid = {2, 2};
    row.times = {{"event", tenths(event)}};
    row.measurement = Time{exec * 100'000'000'000};
    return row;
}

/// Returns two tables. Errors of event: -10 % and +20 % in a, -5 % in b; of pace: +50 % in the second row of a.
Comparison two_tables() {
    Comparison comparison{{measured("a", 2, 90, 100), measured("a", 3, 120, 100), measured("b", 2, 95, 100)}, {}};
    comparison.rows[1].predictions = {{"pace", tenths(150)}};
    return comparison;
}

}  // namespace

TEST_CASE("mean absolute error, bias and worst row: of every table, then of all") {
    const std::vector<ErrorStatistics> all = error_statistics(two_tables());
    REQUIRE(all.size() == 5);
    CHECK(all[0].table == "a");
    CHECK(all[0].method == "event");
    CHECK(all[0].rows == 2);
    CHECK(all[0].mean_absolute.value == approx(15.0));  // (10 + 20) / 2
    CHECK(all[0].bias.value == approx(5.0));            // (-10 + 20) / 2
    CHECK(all[0].worst.value == approx(20.0));
    CHECK(all[0].worst_row == "a, line 3, 120^3, 2 x 2 ranks");
    CHECK(all[1].method == "pace");
    CHECK(all[1].rows == 1);
    CHECK(all[2].table == "b");
    CHECK(all[2].bias.value == approx(-5.0));
    CHECK(all[3].table == "");
    CHECK(all[3].rows == 3);
    CHECK(all[3].mean_absolute.value == approx(35.0 / 3.0));  // (10 + 20 + 5) / 3
    CHECK(all[3].bias.value == approx(5.0 / 3.0));            // (-10 + 20 - 5) / 3
    CHECK(all[4].method == "pace");
}

TEST_CASE("the first of equally large errors is the worst") {
    const Comparison comparison{{measured("", 2, 90, 100), measured("", 3, 110, 100)}, {}};
    const std::vector<ErrorStatistics> all = error_statistics(comparison);
    REQUIRE(all.size() == 1);  // one table: only over all
    CHECK(all[0].worst.value == approx(-10.0));
    CHECK(all[0].worst_row == "line 2, 120^3, 2 x 2 ranks");
}

TEST_CASE("coverage: the share of rows with an interval whose measurement lies within it") {
    Comparison comparison = two_tables();  // measured 10 s each
    comparison.rows[0].times[0].interval = results::Interval{8.0, 9.9};
    comparison.rows[1].times[0].interval = results::Interval{9.5, 14.5};
    const std::vector<ErrorStatistics> all = error_statistics(comparison);
    REQUIRE(all[0].coverage.has_value());
    CHECK(all[0].coverage->value == approx(50.0));  // one of the two of table a
    CHECK_FALSE(all[1].coverage.has_value());       // pace
    CHECK_FALSE(all[2].coverage.has_value());       // table b has no interval
    CHECK(holds(render(all), "   50 %  a, line 3"));
    CHECK(to_json(all).at(0).at("coverage_pct").get<double>() == approx(50.0));
}

TEST_CASE("without measurements there are no statistics") {
    Comparison comparison = two_tables();
    for (ComparisonRow& row : comparison.rows) row.measurement.reset();
    CHECK(error_statistics(comparison).empty());
    CHECK(render(error_statistics(comparison)).empty());
}

TEST_CASE("the statistics of several tables are named by table") {
    CHECK(render(error_statistics(two_tables())) ==
          "table  against exec  rows  mean |error|      bias     worst  worst row\n"
          "a      event            2       15.00 %   +5.00 %  +20.00 %  a, line 3, 120^3, 2 x 2 ranks\n"
          "a      pace             1       50.00 %  +50.00 %  +50.00 %  a, line 3, 120^3, 2 x 2 ranks\n"
          "b      event            1        5.00 %   -5.00 %   -5.00 %  b, line 2, 120^3, 2 x 2 ranks\n"
          "all    event            3       11.67 %   +1.67 %  +20.00 %  a, line 3, 120^3, 2 x 2 ranks\n"
          "all    pace             1       50.00 %  +50.00 %  +50.00 %  a, line 3, 120^3, 2 x 2 ranks\n");
    const nlohmann::ordered_json json = to_json(error_statistics(two_tables()));
    CHECK(json.at(0).at("table") == "a");
    CHECK(json.at(0).at("bias_pct").get<double>() == approx(5.0));
    CHECK_FALSE(json.at(3).contains("table"));
}
