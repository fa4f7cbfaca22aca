// Engines and published values side by side: differences, tolerance, the table, its JSON and its CSV.
#include "tools/study/comparison/comparison.hpp"
#include "tools/study/comparison/rows.hpp"

#include "tests/approx.hpp"
#include "tests/tools/experiments.hpp"

namespace {

constexpr std::int64_t kSecond = 1'000'000'000'000;

WideTime wide(std::int64_t tenths) { return Time{tenths * kSecond / 10}; }

/// Returns a row with event 11 s, analytic 10 s, pred 8 s, exec 12.5 s on 4 x 2 ranks.
ComparisonRow known() {
    ComparisonRow row;
    row.label = "120^3";
    row.line = 3;
    row.grid = {4, 2};
    row.times = {{"event", wide(110), std::nullopt, Waiting{.bus = wide(2), .network = wide(1)}},
                 {"analytic", wide(100), wide(5), std::nullopt}};
    row.predictions = {{"pred", wide(80)}};
    row.measurement = Time{12'500'000'000'000};
    return row;
}

double difference(const ComparisonRow& row, const std::string& of, const std::string& to) {
    for (const Difference& each : differences(row)) {
        if (each.of == of && each.to == to) return each.percent.value;
    }
    FAIL("no such difference");
    return 0.0;
}

}  // namespace

TEST_CASE("a difference is relative to the second value") {
    const ComparisonRow row = known();
    CHECK(difference(row, "event", "pred") == approx(37.5));      // (11 - 8) / 8
    CHECK(difference(row, "event", "exec") == approx(-12.0));     // (11 - 12.5) / 12.5
    CHECK(difference(row, "analytic", "pred") == approx(25.0));   // (10 - 8) / 8
    CHECK(difference(row, "analytic", "exec") == approx(-20.0));  // (10 - 12.5) / 12.5
    CHECK(difference(row, "event", "analytic") == approx(10.0));  // (11 - 10) / 10
    CHECK(difference(row, "pred", "exec") == approx(-36.0));      // (8 - 12.5) / 12.5
    CHECK(differences(row).size() == 6);
}

TEST_CASE("event engine and closed form are both compared with simgrid, if it has run") {
    ComparisonRow row = known();
    row.predictions.clear();
    row.measurement.reset();
    row.times.push_back({"simgrid", wide(88), std::nullopt, Waiting{.bus = {}, .network = wide(3)}});
    CHECK(difference(row, "event", "simgrid") == approx(25.0));  // (11 - 8.8) / 8.8
    CHECK(difference(row, "analytic", "simgrid") == approx(100.0 * 1.2 / 8.8));
    CHECK(beyond({{row}, {}}, {20.0}, true).size() == 1);  // event/simgrid; event/analytic is 10 %
    CHECK(render({{row}, {}}) ==
          "case       ranks  event s  analytic s  simgrid s  event/analytic  event/simgrid  analytic/simgrid"
          "  bus wait s  contention term s  network wait s  flow wait s\n"
          "120^3  8 = 4 x 2       11          10        8.8        +10.00 %       +25.00 %          +13.64 %"
          "         0.2                0.5             0.1          0.3\n");
    const std::vector<ComparisonRow> rows{row};
    const nlohmann::ordered_json json = to_json(rows).at(0);
    CHECK(json.at("network_wait_s").get<double>() == approx(0.1));
    CHECK(json.at("flow_wait_s").get<double>() == approx(0.3));
}

TEST_CASE("unknown values have no difference") {
    ComparisonRow row = known();
    row.predictions.clear();
    row.times.pop_back();
    REQUIRE(differences(row).size() == 1);
    CHECK(differences(row).front().to == "exec");
}

TEST_CASE("there is no difference to zero") {
    ComparisonRow row = known();
    row.times.back().time = WideTime{};
    for (const Difference& each : differences(row)) CHECK(each.to != "analytic");
}

TEST_CASE("beyond tolerance: each engine against pred, by name and row") {
    const std::vector<std::string> messages = beyond({{known()}, {}}, {30.0}, false);
    REQUIRE(messages.size() == 1);
    CHECK(messages.front() == "line 3, 120^3, 4 x 2 ranks: event differs from pred by +37.50 %, more than 30 %");
    CHECK(beyond({{known()}, {}}, {20.0}, false).size() == 2);
    CHECK(beyond({{known()}, {}}, {37.5}, false).empty());
}

TEST_CASE("beyond tolerance without published values: the engines from one another") {
    CHECK(beyond({{known()}, {}}, {9.0}, true).size() == 1);
    CHECK(beyond({{known()}, {}}, {11.0}, true).empty());
}

TEST_CASE("a row without pred is not judged by it") {
    ComparisonRow row = known();
    row.predictions.clear();
    CHECK(beyond({{row}, {}}, {0.0}, false).empty());
}

TEST_CASE("the table is aligned and ends with the notes") {
    ComparisonRow second = known();
    second.label = "line 4";
    second.grid = {128, 64};
    second.predictions.clear();
    CHECK(render({{known(), second}, {"a note"}}) ==
          "case              ranks  event s  analytic s  pred s  exec s  event/pred  event/exec  analytic/pred"
          "  analytic/exec  pred/exec  event/analytic  bus wait s\n"
          "120^3         8 = 4 x 2       11          10       8    12.5    +37.50 %    -12.00 %       +25.00 %"
          "       -20.00 %   -36.00 %        +10.00 %         0.2\n"
          "line 4  8192 = 128 x 64       11          10       -    12.5           -    -12.00 %              -"
          "       -20.00 %          -        +10.00 %         0.2\n"
          "\n"
          "case              ranks  contention term s\n"
          "120^3         8 = 4 x 2                0.5\n"
          "line 4  8192 = 128 x 64                0.5\n"
          "\n"
          "against exec  rows  mean |error|      bias     worst  worst row\n"
          "event            2       12.00 %  -12.00 %  -12.00 %  line 3, 120^3, 4 x 2 ranks\n"
          "analytic         2       20.00 %  -20.00 %  -20.00 %  line 3, 120^3, 4 x 2 ranks\n"
          "pred             1       36.00 %  -36.00 %  -36.00 %  line 3, 120^3, 4 x 2 ranks\n"
          "note: a note\n");
}

TEST_CASE("parts of event minus analytic are percent of the closed form, and seconds in the JSON") {
    ComparisonRow row = known();
    row.predictions.clear();
    row.measurement.reset();
    row.parts = DifferenceParts{wide(110), wide(100), {{"bus", wide(12)}, {"links", {}}, {"stack", wide(-2)}}};
    CHECK(row.parts->sum() == wide(10));
    CHECK(render({{row}, {}})
              .ends_with("\n\n"
                         "case       ranks  event-analytic        bus     stack\n"
                         "120^3  8 = 4 x 2       +10.000 %  +12.000 %  -2.000 %\n"));
    const std::vector<ComparisonRow> rows{row};
    const nlohmann::ordered_json parts = to_json(rows).at(0).at("parts_s");
    CHECK(parts.size() == 3);
    CHECK(parts.at("bus").get<double>() == approx(1.2));
    CHECK(parts.at("stack").get<double>() == approx(-0.2));
}

TEST_CASE("empty columns are left out of the table") {
    ComparisonRow row = known();
    row.times.pop_back();
    row.times.front().waiting = Waiting{};
    row.predictions.clear();
    CHECK(render({{row}, {}}) ==
          "case       ranks  event s  exec s  event/exec\n"
          "120^3  8 = 4 x 2       11    12.5    -12.00 %\n"
          "\n"
          "against exec  rows  mean |error|      bias     worst  worst row\n"
          "event            1       12.00 %  -12.00 %  -12.00 %  line 3, 120^3, 4 x 2 ranks\n");
}

TEST_CASE("the JSON of a row has the known values and nothing else") {
    ComparisonRow row = known();
    row.times[0].waiting = Waiting{.bus = wide(20), .network = wide(10)};
    row.information = {{"comp", "7.5"}};
    ComparisonRow bare;
    bare.times = {{"event", wide(110), std::nullopt, std::nullopt}};
    const std::vector<ComparisonRow> rows{row, bare};
    const nlohmann::ordered_json json = to_json(rows);
    CHECK(json.at(0).dump() ==
          R"({"label":"120^3","line":3,"ranks":8,"columns":4,"rows":2,"time_s":{"event":11.0,"analytic":10.0},)"
          R"("pred_s":8.0,"exec_s":12.5,"difference_pct":{"event/pred":37.5,"event/exec":-12.0,"analytic/pred":25.0,)"
          R"("analytic/exec":-20.0,"pred/exec":-36.0,"event/analytic":10.0},"bus_wait_s":2.0,"network_wait_s":1.0,)"
          R"("contention_term_s":0.5,"published":{"comp":"7.5"}})");
    CHECK(json.at(1).dump() == R"({"label":"","ranks":1,"columns":1,"rows":1,"time_s":{"event":11.0}})");
}

TEST_CASE("CSV: a line of names, a line per row, empty cells where a row has no value, quotes where needed") {
    const auto row = [](const std::string& label, std::int64_t event, std::int64_t exec) {
        ComparisonRow made = known();
        made.label = label;
        made.times = {{"event", wide(10 * event)}};
        made.predictions.clear();
        made.measurement = Time{exec * kSecond};
        return made;
    };
    Comparison comparison{{row("a, \"b\"", 9, 10), row("c", 5, 4)}, {}};
    comparison.rows[1].predictions = {{"pace", wide(80)}};
    comparison.rows[1].parts = DifferenceParts{wide(50), wide(40), {{"bus", wide(30)}, {"stack", wide(-20)}}};
    CHECK(comparison_csv(comparison) ==
          "case,line,ranks,columns,rows,event_s,exec_s,event/exec_pct,pace_s,pace/exec_pct,part_bus_s,part_stack_s\n"
          "\"a, \"\"b\"\"\",3,8,4,2,9,10,-10,,,,\n"
          "c,3,8,4,2,5,4,25,8,100,3,-2\n");
    for (ComparisonRow& each : comparison.rows) each.table = "LU, XT3";
    CHECK(comparison_csv(comparison).starts_with("table,case,"));
    CHECK(holds(comparison_csv(comparison), "\n\"LU, XT3\",c,3,8"));
}
