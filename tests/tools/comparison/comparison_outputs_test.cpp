// Comparisons as CSV.
#include "tools/comparison/outputs.hpp"

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
