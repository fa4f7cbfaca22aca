// Comparisons as CSV and as a picture.
#include "tools/comparison/outputs.hpp"
#include "tools/comparison/plot.hpp"

#include <doctest/doctest.h>

using namespace warpfront;
using namespace warpfront::tools;

namespace {

WideTime in_seconds(std::int64_t count) { return Time{count * 1'000'000'000'000}; }

ComparisonRow drawn(const std::string& label, std::int64_t event, std::int64_t exec) {
    ComparisonRow row;
    row.label = label;
    row.line = 2;
    row.grid = {4, 2};
    row.times = {{"event", in_seconds(event)}};
    row.measurement = Time{exec * 1'000'000'000'000};
    return row;
}

std::size_t count_of(const std::string& text, const std::string& word) {
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
    return count;
}

}  // namespace

TEST_CASE("CSV: a line of names, a line per row, empty cells where a row has no value, quotes where needed") {
    Comparison comparison{{drawn("a, \"b\"", 9, 10), drawn("c", 5, 4)}, {}};
    comparison.rows[1].predictions = {{"pace", in_seconds(8)}};
    comparison.rows[1].parts =
        DifferenceParts{in_seconds(5), in_seconds(4), {{"bus", in_seconds(3)}, {"stack", in_seconds(-2)}}};
    CHECK(comparison_csv(comparison) ==
          "case,line,ranks,columns,rows,event_s,exec_s,event/exec_pct,pace_s,pace/exec_pct,part_bus_s,part_stack_s\n"
          "\"a, \"\"b\"\"\",2,8,4,2,9,10,-10,,,,\n"
          "c,2,8,4,2,5,4,25,8,100,3,-2\n");
}

TEST_CASE("CSV of several tables names the table first") {
    Comparison comparison{{drawn("c", 5, 4)}, {}};
    comparison.rows[0].table = "LU, XT3";
    CHECK(comparison_csv(comparison).starts_with("table,case,"));
    CHECK(comparison_csv(comparison).find("\n\"LU, XT3\",c,2,8") != std::string::npos);
}

TEST_CASE("series of a plot: engines, then published predictions, of measured rows only") {
    Comparison comparison{{drawn("a", 9, 10), drawn("b", 11, 10), drawn("c", 1, 1)}, {}};
    comparison.rows[0].predictions = {{"pace", in_seconds(8)}};
    comparison.rows[2].measurement.reset();
    const std::vector<PlotSeries> all = plot_series(comparison);
    REQUIRE(all.size() == 2);
    CHECK(all[0].method == "event");
    CHECK_FALSE(all[0].published);
    REQUIRE(all[0].points.size() == 2);
    CHECK(all[0].points[1].error_pct() == doctest::Approx(10.0));
    CHECK(all[1].method == "pace");
    CHECK(all[1].published);
    CHECK(all[1].points.front().label == "a, 4 x 2");
}

TEST_CASE("a plot has each point in both panels, a legend, and the name of the worst row alone") {
    const Comparison comparison{{drawn("a", 9, 10), drawn("x < y", 14, 10), drawn("c", 100, 101)}, {}};
    const std::string svg = comparison_plot(plot_series(comparison));
    CHECK(svg.starts_with("<svg xmlns="));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(count_of(svg, "<circle") == 7);  // 3 points twice, and the legend
    CHECK(svg.find("event (3)") != std::string::npos);
    CHECK(count_of(svg, "x &lt; y, 4 x 2") == 1);  // +40 %
    CHECK(svg.find("a, 4 x 2") == std::string::npos);
    CHECK(count_of(svg, "<polygon") == 2);  // the bands of 5 and 10 %
}

TEST_CASE("an interval is a bar with two ends beside its mark") {
    Comparison comparison{{drawn("a", 9, 10)}, {}};
    const std::string without = comparison_plot(plot_series(comparison));
    comparison.rows[0].times[0].interval = results::Interval{8.0, 10.5};  // -20 % to +5 %
    CHECK(count_of(comparison_plot(plot_series(comparison)), "stroke=\"#0072B2\" stroke-width=\"1.4\"") ==
          count_of(without, "stroke=\"#0072B2\" stroke-width=\"1.4\"") + 3);
}

TEST_CASE("a narrow range of times has ticks of its own, between the powers of ten") {
    const std::string svg = comparison_plot(plot_series({{drawn("a", 150, 150), drawn("b", 210, 210)}, {}}));
    for (const char* tick : {">140<", ">200<", ">260<"}) CHECK(count_of(svg, tick) == 2);  // steps of 20, on both axes
}

TEST_CASE("a plot of a single exact row has an extent") {
    const std::string svg = comparison_plot(plot_series({{drawn("a", 10, 10)}, {}}));
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf") == std::string::npos);
}
