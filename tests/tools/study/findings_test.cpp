// Statements of a source on a study's results: how they are read, what they are of, when they agree. Not here: what
// stands in the shipped items, which `warpfront sources` itself judges.
#include "tools/study/outputs.hpp"

#include <nlohmann/json.hpp>

#include "tests/approx.hpp"
#include "tests/tools/study/study_texts.hpp"
#include "tools/study/results.hpp"

using namespace warpfront::tools;

namespace {

const std::string kStudyOfPublished =
    "scenario: a.yaml\n"
    "source: a paper\n"
    "axes:\n"
    "  - {label: {cells: [few, many]}, parameters.nx: [10, 20]}\n"
    "  - {ranks.columns: [2, 4, 8], ranks.rows: [2, 2, 2]}\n"
    "derived: [speed-up]\n"
    "over: ranks\n";

StudyPlan plan_with(const std::string& statement) {
    return study_of(kStudyOfPublished + "published:\n  - " + statement + "\n");
}

Kinds faults_of_statement(const std::string& statement) {
    return kinds_of(study_faults(kStudyOfPublished + "published:\n  - " + statement + "\n"));
}

PointResult timed_point(std::uint64_t ranks, std::int64_t event_s, std::optional<std::int64_t> analytic_s) {
    constexpr std::int64_t kPsPerSecond = 1'000'000'000'000;  // in ps
    PointResult point{ranks, ranks, {}, {}};
    point.engines.push_back({.engine = "event", .time = Time{event_s * kPsPerSecond}});
    if (analytic_s) point.engines.push_back({.engine = "analytic", .time = Time{*analytic_s * kPsPerSecond}});
    return point;
}

/// Few cells: 12, 8, 10 s on 4, 8, 16 ranks by the event engine; many: 24, 14, 8 s. The closed form has 12, 9 s and
/// nothing, 24, 15, 9 s.
StudyResults findings_results(const StudyPlan& plan) {
    return {plan,
            {0, 1, 2, 3, 4, 5},
            {timed_point(4, 12, 12), timed_point(8, 8, 9), timed_point(16, 10, {}), timed_point(4, 24, 24),
             timed_point(8, 14, 15), timed_point(16, 8, 9)}};
}

std::vector<Judgement> judged(const std::string& statement) {
    const StudyPlan plan = plan_with(statement);
    return judge(plan.published.front(), findings_results(plan)).ours;
}

}  // namespace

TEST_CASE("the best value along an axis agrees where it is one of those stated") {
    const auto few = judged("{states: s, best: time, over: ranks, at: {cells: few}, is: [8, 16]}");
    REQUIRE(few.size() == 1);  // the closed form lacks a point of the axis
    CHECK(few[0].engine == "event");
    CHECK(few[0].ours == "8");
    CHECK(few[0].agrees);
    const auto many = judged("{states: s, best: time, over: ranks, at: {cells: many}, is: 8}");
    REQUIRE(many.size() == 2);
    CHECK(many[1].ours == "16");
    CHECK_FALSE(many[1].agrees);
}

TEST_CASE("a statement holds at every value of an axis that it does not name") {
    const auto both = judged("{states: s, best: time, over: ranks, is: 8}");
    REQUIRE(both.size() == 1);
    CHECK(both[0].ours == "8 or 16");
    CHECK_FALSE(both[0].agrees);
}

TEST_CASE("a value agrees within the percentage of the number that is stated") {
    const auto close = judged("{states: s, value: time, at: {cells: many, ranks: 8}, is: 14.5, within: 4 %}");
    REQUIRE(close.size() == 2);
    CHECK(close[0].ours == "14");
    CHECK(close[0].difference->value == approx(100.0 * (14.0 - 14.5) / 14.5));
    CHECK(close[0].agrees);
    CHECK(close[1].difference->value == approx(100.0 * (15.0 - 14.5) / 14.5));
    CHECK(close[1].agrees);
    CHECK_FALSE(judged("{states: s, value: time, at: {cells: many, ranks: 8}, is: 14.5, within: 3 %}")[0].agrees);
}

TEST_CASE("a stated time is in seconds, or has a unit; a ratio and other columns are numbers") {
    const auto from = [](const std::string& statement) {
        return plan_with("{states: a, " + statement + "}").published.front().numbers.front()->from;
    };
    CHECK(from("value: time, at: {cells: few, ranks: 4}, is: 60us") == approx(60e-6));
    CHECK(from("value: time, at: {cells: few, ranks: 4}, is: 12") == approx(12.0));
    CHECK(from("value: time, at: {cells: few, ranks: 4}, is: {from: 2ms, to: 5ms}") == approx(2e-3));
    CHECK(faults_of_statement("{states: a, value: speed-up, at: {cells: few, ranks: 4}, is: 2s}") == Kinds{wrong_unit});
    CHECK(
        faults_of_statement("{states: a, value: time, relative_to: {ranks: 4}, at: {cells: few, ranks: 8}, is: 2s}") ==
        Kinds{wrong_unit});
}

TEST_CASE("between two ends a value does not differ; beyond one it differs from that") {
    CHECK(judged("{states: s, value: time, at: {cells: many, ranks: 8}, is: {from: 14}}")[0].agrees);
    const auto beyond = judged("{states: s, value: time, at: {cells: many, ranks: 8}, is: {from: 10, to: 12}}");
    CHECK_FALSE(beyond[0].agrees);
    CHECK(beyond[0].difference->value == approx(100.0 * (14.0 - 12.0) / 12.0));
}

TEST_CASE("a value relative to another point is their ratio") {
    const auto ratio = judged(
        "{states: s, value: time, at: {cells: many, ranks: 16}, relative_to: {ranks: 4}, is: 0.375, within: 12 %}");
    CHECK(ratio[0].ours == "0.3333");  // 8 s / 24 s
    CHECK(ratio[1].ours == "0.375");   // 9 s / 24 s
    CHECK(ratio[0].agrees);
}

TEST_CASE("numbers along an axis are judged where they are stated and the engine has run; the worst is named") {
    const auto all = judged("{states: s, value: time, along: ranks, at: {cells: few}, is: [12, 10, ~], within: 15 %}");
    REQUIRE(all.size() == 2);
    CHECK(all[0].ours == "worst at 8");
    CHECK(all[0].difference->value == approx(-20.0));  // 8 s of 10 s
    CHECK_FALSE(all[0].agrees);
    CHECK(all[1].difference->value == approx(-10.0));  // 9 s of 10 s
    CHECK(all[1].agrees);
}

TEST_CASE("an order holds if every value is beyond the one before") {
    CHECK(judged("{states: s, falls: time, along: ranks, at: {cells: many}}")[0].agrees);
    CHECK_FALSE(judged("{states: s, falls: time, along: ranks, at: {cells: few}}")[0].agrees);
    CHECK_FALSE(judged("{states: s, grows: time, along: ranks, at: {cells: many}}")[0].agrees);
    const auto gain = judged("{states: s, grows: speed-up, along: ranks, at: {cells: many}, engine: analytic}");
    REQUIRE(gain.size() == 1);
    CHECK(gain[0].engine == "analytic");
    CHECK(gain[0].ours == "1, 1.6, 2.67");  // 24 / 24, 24 / 15, 24 / 9
}

TEST_CASE("the table names the differences with their reasons; the JSON has the numbers at their points") {
    const StudyPlan plan =
        plan_with("{states: on 8 ranks, value: time, at: {cells: many, ranks: 8}, is: 14, reason: the form waits}");
    const std::string text = findings_text(findings_results(plan));
    CHECK(text ==
          "published, a paper:\n"
          "  on 8 ranks: 14; event 14; analytic 15 (+7.1 %) (differs)\n"
          "    reason: the form waits\n");
    const nlohmann::ordered_json data = findings_json(findings_results(plan));
    CHECK(data[0]["stated"] == nlohmann::ordered_json::parse(R"([{"point": 4, "value": 14.0}])"));
    CHECK(data[0]["engines"][1]["agrees"] == false);
}

TEST_CASE("a cause that was tested has the test below it, and a bound of ours is marked") {
    const StudyPlan plan = plan_with(
        "{states: on 8 ranks, value: time, at: {cells: many, ranks: 8}, is: 14, within: 2 %, bounds: ours, "
        "reason: the form waits, tested_by: a run}");
    const std::string text = findings_text(findings_results(plan));
    CHECK(text ==
          "published, a paper:\n"
          "  on 8 ranks: 14 within 2 % (our bound); event 14; analytic 15 (+7.1 %) (differs)\n"
          "    reason: the form waits\n"
          "    tested by: a run\n");
    const nlohmann::ordered_json data = findings_json(findings_results(plan));
    CHECK(data[0]["bounds"] == "ours");
    CHECK(data[0]["tested_by"] == "a run");
}

TEST_CASE("faults: bounds without an origin, a test without a reason") {
    const std::string front = "{states: s, value: time, at: {cells: many, ranks: 8}, is: 14, ";
    CHECK(faults_of_statement(front + "bounds: theirs}") == Kinds{bad_choice});
    CHECK(faults_of_statement(front + "tested_by: a run}") == Kinds{missing_key});
}

TEST_CASE("what is published is of the study as it stands: no statement is judged where the command line changes it") {
    const std::string text = kStudyOfPublished + "published: [{states: s, falls: time, along: ranks}]\n";
    CHECK(study_of(text).published.size() == 1);
    CHECK(study_of(text, {.vary = {"parameters.mk=1,2"}}).published.empty());
    CHECK(study_of(text, {.sets = {"iterations=2"}}).published.empty());
}

TEST_CASE("faults of a statement") {
    CHECK(faults_of_statement("{value: time, is: 1}") == Kinds{missing_key});  // states
    CHECK(faults_of_statement("{states: s, is: 1}") == Kinds{missing_key});    // a kind
    CHECK(faults_of_statement("{states: s, value: time, best: time, over: ranks, is: 1}")[0] == conflicting_keys);
    CHECK(faults_of_statement("{states: s, value: time}") == Kinds{missing_key});   // is
    CHECK(faults_of_statement("{states: s, grows: time}") == Kinds{missing_key});   // along
    CHECK(faults_of_statement("{states: s, value: tim, is: 1}")[0] == bad_choice);  // column
    CHECK(faults_of_statement("{states: s, falls: time, along: rank}") == Kinds{bad_choice});
    CHECK(faults_of_statement("{states: s, value: time, at: {ranks: 5}, is: 1}")[0] == bad_choice);
    CHECK(faults_of_statement("{states: s, value: time, at: {ranks.rows: 2}, is: 1}")[0] ==
          bad_choice);  // three values have it
    CHECK(faults_of_statement("{states: s, value: time, is: 1, within: 5}") == Kinds{missing_unit});
    CHECK(faults_of_statement("{states: s, value: time, is: 1, within: -5 %}") == Kinds{out_of_range});
    CHECK(faults_of_statement("{states: s, value: time, along: ranks, is: [1, 2]}") == Kinds{uneven_axis});
    CHECK(faults_of_statement("{states: s, value: time, is: {form: 1}}")[0] == missing_key);
    CHECK(faults_of_statement("{states: s, value: time, is: 1, reasons: x}") == Kinds{unknown_key});
}
