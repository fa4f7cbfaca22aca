// Columns and best points of a study, from times that are chosen by hand; the table, CSV and JSON of them.
#include "tools/study/results.hpp"

#include "tests/approx.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"
#include "tools/study/outputs.hpp"

namespace {

WideTime whole_seconds(std::int64_t count) { return Time{count * 1'000'000'000'000}; }

StudyPlan plan_of(const std::string& text) {
    const test::Scratch scratch;
    return read_study(scratch.file("s.yaml", text), {});
}

PointResult point_of(std::uint64_t ranks, std::int64_t event_s, std::int64_t analytic_s) {
    PointResult point{ranks, ranks / 2, {"rounded"}, {}};
    record::PathParts path{.compute = whole_seconds(3), .latency = whole_seconds(event_s - 3)};
    point.engines.push_back({.engine = "event", .time = whole_seconds(event_s), .path = path});
    point.engines.push_back({.engine = "analytic", .time = whole_seconds(analytic_s), .fill = whole_seconds(1)});
    return point;
}

const std::string kStudy =
    "scenario: a.yaml\nquestion: how far?\n"
    "axes: [{ranks: [{columns: 2}, {columns: 4}]}, {parameters.mk: [1, 2, 4]}]\n"
    "derived: [speed-up, efficiency, job, throughput, R/X, R^2/X, compute, communication, fill]\n"
    "over: ranks\npool: 100\nrepeats: 10\n"
    "best: [{of: time, over: parameters.mk}, {of: throughput, over: ranks}]\n";

StudyResults results_of(const StudyPlan& plan) {
    return {plan,
            all_points(plan),
            {point_of(20, 12, 10), point_of(20, 6, 8), point_of(20, 9, 9), point_of(40, 8, 5), point_of(40, 4, 6),
             point_of(40, 4, 4)}};
}

}  // namespace

TEST_CASE("columns by hand: 100 ranks hold 5 jobs of 20 or 2 of 40, a job is 10 runs") {
    const StudyPlan plan = plan_of(kStudy);
    const StudyResults results = results_of(plan);
    const auto event = [&](ColumnName column, std::size_t row) { return results.value(column, row, "event").value(); };
    CHECK(event(ColumnName::speed_up, 1) == 1.0);
    CHECK(event(ColumnName::speed_up, 3) == approx(12.0 / 8.0));
    CHECK(event(ColumnName::efficiency, 3) == approx(12.0 / 8.0 * 20.0 / 40.0));
    CHECK(event(ColumnName::job, 3) == 80.0);
    CHECK(event(ColumnName::throughput, 0) == approx(5.0 / 120.0));
    CHECK(event(ColumnName::throughput, 3) == approx(2.0 / 80.0));
    CHECK(event(ColumnName::r_over_x, 3) == approx(80.0 * 80.0 / 2.0));
    CHECK(event(ColumnName::r2_over_x, 3) == approx(80.0 * 80.0 * 80.0 / 2.0));
    CHECK(event(ColumnName::compute, 0) == approx(3.0 / 12.0));
    CHECK(event(ColumnName::communication, 0) == approx(9.0 / 12.0));
    CHECK_FALSE(results.value(ColumnName::fill, 0, "event"));
    CHECK(results.value(ColumnName::fill, 0, "analytic").value() == approx(1.0 / 10.0));
    CHECK_FALSE(results.value(ColumnName::time, 0, "simgrid"));
}

TEST_CASE("efficiency compares the cells of a rank and second: strong, weak and mixed scaling, from any first point") {
    const StudyPlan plan = plan_of(
        "scenario: a.yaml\naxes: [{ranks: [{columns: 8}, {columns: 2}, {columns: 32}]}]\n"
        "derived: [speed-up, efficiency]\n");
    const std::vector<PointResult> points{point_of(64, 6, 6), point_of(16, 5, 5), point_of(256, 8, 8)};
    const auto efficiency = [&](std::vector<Problem> problems, std::size_t row) {
        const StudyResults results(plan, {0, 1, 2}, points, std::move(problems));
        CHECK(results.value(ColumnName::speed_up, 2, "event").value() == approx(6.0 / 8.0));
        return results.value(ColumnName::efficiency, row, "event").value();
    };
    // The grid stays: T(64) * 64 / (T * ranks).
    CHECK(efficiency({}, 1) == approx(6.0 * 64.0 / (5.0 * 16.0)));
    CHECK(efficiency({}, 2) == approx(6.0 * 64.0 / (8.0 * 256.0)));
    // 100 cells on each rank: T(64) / T.
    const std::vector<Problem> weak{{Scaling::weak, 6400}, {Scaling::weak, 1600}, {Scaling::weak, 25'600}};
    CHECK(efficiency(weak, 0) == 1.0);
    CHECK(efficiency(weak, 1) == approx(6.0 / 5.0));
    CHECK(efficiency(weak, 2) == approx(6.0 / 8.0));
    // The cells of one dimension grow with the ranks: twice the cells on four times the ranks.
    const std::vector<Problem> mixed{{{}, 1000}, {{}, 500}, {{}, 2000}};
    CHECK(efficiency(mixed, 2) == approx(6.0 / 8.0 * 2.0 / 4.0));
}

TEST_CASE("an engine that predicts only the first value of the axis has no speed-up, and no such column in the table") {
    const StudyPlan plan = plan_of("scenario: a.yaml\naxes: [{parameters.mk: [1, 2]}]\nderived: [speed-up, fill]\n");
    std::vector<PointResult> points{point_of(2, 12, 10), point_of(2, 6, 8)};
    points[1].engines.pop_back();  // analytic
    const StudyResults results(plan, {0, 1}, points);
    CHECK(results.value(ColumnName::speed_up, 1, "event").value() == 2.0);
    CHECK_FALSE(results.value(ColumnName::speed_up, 0, "analytic"));
    const std::string table = study_table(results);
    CHECK(holds(table, "event speed-up"));
    CHECK_FALSE(holds(table, "analytic speed-up"));
    CHECK_FALSE(holds(table, "event fill"));
    CHECK(holds(table, "analytic fill"));
}

TEST_CASE("the findings are the lines below the table: best values, and nothing else") {
    const StudyPlan plan =
        plan_of("scenario: a.yaml\naxes: [{parameters.mk: [1, 2]}]\nbest: [{of: time, over: parameters.mk}]\n");
    const StudyResults results(plan, {0, 1}, {point_of(2, 12, 10), point_of(2, 6, 8)});
    const std::string findings = study_findings(results);
    CHECK(holds(study_table(results), findings));
    CHECK(holds(findings, "2"));
    CHECK_FALSE(holds(findings, "event time"));
}

TEST_CASE("shares along the path: communication is all but computing; time between sweeps is not steady") {
    const StudyPlan plan = plan_of(
        "scenario: a.yaml\naxes: [{parameters.mk: [1]}]\n"
        "derived: [compute, communication, overhead, latency, bandwidth, contention, fill, steady]\n");
    CHECK(plan.needs_path());
    PointResult point{2, 1, {}, {}};
    point.engines.push_back({.engine = "analytic",
                             .time = whole_seconds(100),
                             .path = record::PathParts{.compute = whole_seconds(60),
                                                       .overhead = whole_seconds(20),
                                                       .latency = whole_seconds(9),
                                                       .bandwidth = whole_seconds(1),
                                                       .bus = whole_seconds(3),
                                                       .nic = whole_seconds(2),
                                                       .link = whole_seconds(1),
                                                       .memory = whole_seconds(4)},
                             .fill = whole_seconds(30),
                             .nonwavefront = whole_seconds(5)});
    const StudyResults results(plan, {0}, {point});
    const auto share = [&](ColumnName column) { return results.value(column, 0, "analytic").value(); };
    CHECK(share(ColumnName::compute) == approx(0.60));
    CHECK(share(ColumnName::communication) == approx(0.20 + 0.09 + 0.01 + 0.10));
    CHECK(share(ColumnName::overhead) == approx(0.20));
    CHECK(share(ColumnName::latency) == approx(0.09));
    CHECK(share(ColumnName::bandwidth) == approx(0.01));
    CHECK(share(ColumnName::contention) == approx(0.10));
    CHECK(share(ColumnName::fill) == approx(0.30));
    CHECK(share(ColumnName::steady) == approx(0.65));
}

TEST_CASE("where the time of cores went, of tasks: shares of the time that they are there; absent of all") {
    const StudyPlan plan = plan_of(
        "scenario: a.yaml\naxes: [{parameters.mk: [1]}]\n"
        "derived: [utilisation, manager, data, conditions, no task, absent]\n");
    CHECK_FALSE(plan.needs_path());
    PointResult point = point_of(2, 100, 90);
    point.engines[0].cores = record::CoreTime{.compute = whole_seconds(80),
                                              .manager = whole_seconds(2),
                                              .data = whole_seconds(4),
                                              .conditions = whole_seconds(6),
                                              .no_task = whole_seconds(8),
                                              .absent = whole_seconds(100)};
    const StudyResults results(plan, {0}, {point});
    const auto share = [&](ColumnName column) { return results.value(column, 0, "event").value(); };
    CHECK(share(ColumnName::utilisation) == approx(0.80));
    CHECK(share(ColumnName::manager) == approx(0.02));
    CHECK(share(ColumnName::data) == approx(0.04));
    CHECK(share(ColumnName::conditions) == approx(0.06));
    CHECK(share(ColumnName::no_task) == approx(0.08));
    CHECK(share(ColumnName::absent) == approx(0.50));
    CHECK_FALSE(results.value(ColumnName::utilisation, 0, "analytic"));
}

TEST_CASE("a machine smaller than the job runs none") {
    const StudyPlan plan = plan_of(kStudy);
    const StudyResults results(plan, {0}, {point_of(200, 12, 10)});
    CHECK(results.value(ColumnName::throughput, 0, "event").value() == 0.0);
    CHECK_FALSE(results.value(ColumnName::r_over_x, 0, "event"));
}

TEST_CASE("the best along an axis, for every value of the others and every engine; the first among equals") {
    const StudyPlan plan = plan_of(kStudy);
    const std::vector<BestFound> best = find_best(results_of(plan));
    std::vector<std::size_t> rows;
    for (const BestFound& each : best) rows.push_back(each.row);
    // time over mk: 20 ranks event 12 6 9, analytic 10 8 9; 40 ranks event 8 4 4, analytic 5 6 4;
    // throughput over ranks: at mk 1 event 5/120 2/80, analytic 5/100 2/50 and so on: the smaller partition wins
    CHECK(rows == std::vector<std::size_t>{1, 1, 4, 5, 0, 0, 1, 1, 2, 2});
    CHECK(best[4].value == approx(5.0 / 120.0));
}

TEST_CASE("one point alone has no speed-up and no best") {
    const StudyPlan plan = plan_of(kStudy);
    const StudyResults one(plan, {4}, {point_of(40, 4, 6)});
    CHECK_FALSE(one.complete());
    CHECK_FALSE(one.value(ColumnName::speed_up, 0, "event"));
    CHECK(find_best(one).empty());
    CHECK(holds(study_csv(one), "\n4,{columns: 4},2,40,20,4,6,"));
}

TEST_CASE("CSV has one row per point, with the paths of axes and engine, column and unit in its head") {
    const StudyPlan plan =
        plan_of("scenario: a.yaml\naxes: [{ranks: [{columns: 2, rows: 1}]}, {parameters.mk: [1, 2]}]\n");
    const StudyResults results(plan, {0, 1}, {point_of(2, 12, 10), point_of(2, 6, 8)});
    CHECK(study_csv(results) ==
          "point,ranks,parameters.mk,ranks,nodes,event time s,analytic time s\n"
          "0,\"{columns: 2, rows: 1}\",1,2,1,12,10\n"
          "1,\"{columns: 2, rows: 1}\",2,2,1,6,8\n");
}

TEST_CASE("the table has the question, differences, best values and notes") {
    const StudyPlan plan = plan_of(kStudy);
    const std::string table = study_table(results_of(plan));
    CHECK(table.starts_with("how far?\n\n"));
    CHECK(holds(table, "event/analytic"));
    CHECK(holds(table, "lowest time over parameters.mk:\n  ranks={columns: 2}, event: parameters.mk=2 (6 s)\n"));
    CHECK(holds(table, "highest throughput over ranks:\n"));
    CHECK(table.ends_with("note: rounded\n"));
}

TEST_CASE("long times have their digits in the table, not an exponent") {
    const StudyPlan plan = plan_of(
        "scenario: a.yaml\naxes: [{parameters.mk: [1, 2]}]\nderived: [job]\nrepeats: 100\n"
        "best: [{of: job, over: parameters.mk}]\n");
    const StudyResults results(plan, {0, 1}, {point_of(2, 1936, 1987), point_of(2, 1938, 1985)});
    const std::string table = study_table(results);  // 1936 s * 100, four digits
    CHECK(holds(table, " 193600 "));
    CHECK(holds(table, "(193600 s)"));
    CHECK_FALSE(holds(table, "e+"));
}

TEST_CASE("JSON: schema, axes, units, points and best") {
    const StudyPlan plan = plan_of(kStudy);
    const nlohmann::ordered_json written = study_json(results_of(plan));
    CHECK(written.at("schema") == "warpfront.study/1");
    CHECK(written.at("question") == "how far?");
    CHECK(written.at("axes").at(1).at("parameters.mk") == nlohmann::json::array({"1", "2", "4"}));
    CHECK(written.at("units").at("R/X") == "s^2");
    REQUIRE(written.at("points").size() == 6);
    CHECK(written.at("points").at(3).at("set").at("ranks") == "{columns: 4}");
    CHECK(written.at("points").at(3).at("engines").at("event").at("speed-up") == 1.5);
    CHECK(written.at("best").at(0).at("point") == 1);
}

namespace {

/// A point whose event engine has a time for each seed, in seconds.
PointResult seeds_point(const std::vector<std::int64_t>& event_s, std::int64_t analytic_s) {
    PointResult point{2, 1, {}, {}};
    EngineResult event{.engine = "event", .time = whole_seconds(event_s.front())};
    event.depends_on_seed = true;
    for (std::size_t k = 1; k < event_s.size(); ++k) {
        event.further.push_back({.engine = "event", .time = whole_seconds(event_s[k])});
    }
    point.engines = {event, {.engine = "analytic", .time = whole_seconds(analytic_s)}};
    return point;
}

const std::string kSeedsStudy =
    "scenario: a.yaml\nseeds: 3\naxes: [{parameters.mk: [1, 2, 4]}]\nderived: [speed-up]\n"
    "best: [{of: time, over: parameters.mk}]\n";

}  // namespace

TEST_CASE("with several seeds a column is the mean of its values for each seed, with Student's interval") {
    const StudyPlan plan = plan_of(kSeedsStudy);
    const StudyResults results(plan, {0, 1, 2},
                               {seeds_point({100, 110, 90}, 80), seeds_point({50, 50, 50}, 80), seeds_point({90}, 80)});
    const auto time = results.estimate(ColumnName::time, 0, "event");
    REQUIRE(time);
    // Standard deviation 10; the 0.975 quantile with 2 degrees of freedom is 4.30265: 4.30265 * 10 / sqrt(3) = 24.841.
    CHECK(time->mean == approx(100.0));
    CHECK(time->half == approx(24.841).epsilon(1e-4));
    CHECK(results.value(ColumnName::speed_up, 1, "event").value() == approx((2.0 + 2.2 + 1.8) / 3.0));
    // The third point does not depend on the seed: its time is the same with every seed of the first point.
    CHECK(results.values(ColumnName::speed_up, 2, "event").size() == 3);
    CHECK_FALSE(results.estimate(ColumnName::time, 2, "event"));
    CHECK_FALSE(results.estimate(ColumnName::time, 0, "analytic"));
    CHECK(holds(study_table(results), "+- s"));
    CHECK(holds(study_csv(results), ",event time s,event time low s,event time high s,"));
    const nlohmann::ordered_json json = study_json(results);
    CHECK(json.at("seeds") == 3);
    CHECK(json.at("points").at(0).at("engines").at("event").at("ci95").at("time").at(0) == approx(75.159));
}

TEST_CASE("the best is compared with the others by differences of common seeds, whose intervals hold together") {
    const StudyPlan plan = plan_of(kSeedsStudy);
    // Times of seeds differ by 50 s, but the second point is always slower than the first by 9, 10 and 11 s: mean 10,
    // deviation 1. Two comparisons: the 0.9875 quantile of Student's t with 2 degrees of freedom is 6.205, and the
    // interval is 10 -+ 6.205 / sqrt(3) = 10 -+ 3.583. The third is slower by 1, 5 and -3 s: 1 -+ 6.205 * 4 / sqrt(3).
    const StudyResults results(
        plan, {0, 1, 2},
        {seeds_point({100, 150, 200}, 80), seeds_point({109, 160, 211}, 80), seeds_point({101, 155, 197}, 90)});
    const std::vector<BestFound> best = find_best(results);
    REQUIRE(best.size() == 2);
    CHECK(best[0].row == 0);
    REQUIRE(best[0].rivals.size() == 1);
    CHECK(best[0].rivals[0].row == 2);
    CHECK(best[0].rivals[0].difference.mean == approx(1.0));
    CHECK(best[0].rivals[0].difference.half == approx(14.33).epsilon(1e-3));
    CHECK_FALSE(best[0].is_of_one_seed);
    CHECK(holds(study_findings(results), "    not distinguishable from parameters.mk=4 (+1 s; -13.3 to 15.3)\n"));
    // The closed form has equal times, without seeds.
    REQUIRE(best[1].rivals.size() == 1);
    CHECK(best[1].rivals[0].row == 1);
    CHECK(holds(study_findings(results), "    not distinguishable from parameters.mk=2 (equal)\n"));

    const StudyResults without_third(
        plan, {0, 1, 2},
        {seeds_point({100, 150, 200}, 80), seeds_point({109, 160, 211}, 81), seeds_point({201, 255, 297}, 90)});
    const BestFound clear = find_best(without_third).front();
    CHECK(clear.rivals.empty());
    REQUIRE(clear.next);
    CHECK(clear.next->difference.half == approx(3.583).epsilon(1e-3));
    CHECK(holds(study_findings(without_third), "    better than the next, parameters.mk=2 (+10 s; 6.42 to 13.6)\n"));
    const nlohmann::ordered_json json = study_json(without_third).at("best").at(0);
    CHECK(json.at("next").at("point") == 1);
    CHECK(json.at("next").at("interval").at(0) == approx(6.417).epsilon(1e-3));
    CHECK_FALSE(json.contains("not_distinguishable"));
}

TEST_CASE("a best of one seed is reported as such if another seed may have another best") {
    const StudyPlan plan =
        plan_of("scenario: a.yaml\naxes: [{parameters.mk: [1, 2]}]\nbest: [{of: time, over: parameters.mk}]\n");
    const StudyResults results(plan, {0, 1}, {seeds_point({100}, 80), seeds_point({90}, 90)});
    CHECK(find_best(results)[0].is_of_one_seed);
    CHECK_FALSE(find_best(results)[1].is_of_one_seed);
    CHECK(holds(study_findings(results), "that of one seed"));
    CHECK(study_json(results).at("best").at(0).at("one_seed") == true);
}
