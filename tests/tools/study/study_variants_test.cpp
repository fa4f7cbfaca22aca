// Variants of a study: named sets of changes, alone and beside axes, and every fault with its place.
#include <nlohmann/json.hpp>

#include "tests/approx.hpp"
#include "tests/tools/experiments.hpp"
#include "tests/tools/study/study_texts.hpp"
#include "tools/study/outputs.hpp"
#include "tools/study/points.hpp"

namespace {

const std::string kHead = "scenario: a.yaml\n";

Kinds kinds_with(const std::string& study, const StudyArguments& arguments = {}) {
    return kinds_of(study_faults(kHead + study, arguments));
}

StudyResults results_of(const StudyPlan& plan, const std::vector<std::int64_t>& milliseconds) {
    std::vector<std::size_t> points;
    std::vector<PointResult> results;
    for (std::size_t point = 0; point < plan.points(); ++point) {
        points.push_back(point);
        results.push_back({4, 2, {}, {{"event", WideTime{Wide{milliseconds[point]} * 1'000'000'000}}}});
    }
    return {plan, std::move(points), std::move(results)};
}

}  // namespace

TEST_CASE("variants are the first axis of a study, named `variant`; a variant leaves what only others change") {
    const StudyPlan plan = study_of(
        kHead + "variants: [{name: as it is}, {name: wide, set: {a: 2x}}, {name: near, set: {b: 1us, c: 3}}]\n");
    CHECK(plan.points() == 3);
    CHECK(values_at(plan, 0) == NamedTexts{{"variant", "as it is"}, {"a", ""}, {"b", ""}, {"c", ""}});
    CHECK(values_at(plan, 2) == NamedTexts{{"variant", "near"}, {"a", ""}, {"b", "1us"}, {"c", "3"}});
    CHECK(describe_point(plan, 1) == "variant=wide");
    CHECK(study_of(kHead + "variants: [{name: x, set: {a: 1}}, {name: y, set: {}}]\n").points() == 2);
}

TEST_CASE("points are all combinations of variants and axes, the last axis fastest") {
    const StudyPlan plan = study_of(
        kHead + "axes: [{d: [1, 2]}]\nvariants: [{name: as it is}, {name: wide, set: {a: 2x}}]\nover: variant\n");
    CHECK(plan.points() == 4);
    CHECK(describe_point(plan, 1) == "variant=as it is, d=2");
    CHECK(describe_point(plan, 2) == "variant=wide, d=1");
    CHECK(plan.over == 0);
    CHECK(plan.x == 0);  // that of `over`
    CHECK(study_of(kHead + "variants: [{name: x, set: {a: 1}}]\n", {.vary = {"b=1,2"}}).points() == 2);
    const StudyPlan asked = study_of(kHead + "variants: [{name: x}, {name: y, set: {a: 1}}]\naxes: [{d: [1, 2]}]\n",
                                     {.x = "variant", .best = {"time:variant"}});
    CHECK(asked.x == 0);
    REQUIRE(asked.best.size() == 1);
    CHECK(asked.best[0].axis == 0);
}

TEST_CASE("the scenario of a point has the changes of its variant alone, after `set` of the study") {
    const Scratch scratch;
    scratch.file("a.yaml", "model: " + std::string(WARPFRONT_SOURCE_DIR) +
                               "/models/chimaera/chimaera.psl\nplatform: " + WARPFRONT_SOURCE_DIR +
                               "/platforms/xt4.yaml\nranks: {columns: 2, rows: 2}\niterations: 3\n"
                               "parameters: {wg: 1us}\n");
    const StudyPlan plan =
        read_study(scratch.file("s.yaml", kHead + "set: {iterations: 5}\n"
                                                  "variants: [{name: as it is}, {name: short, set: {iterations: 2}}, "
                                                  "{name: seeded, set: {seed: 7}}]\n"),
                   {});
    const scenario::ScenarioDocument base = scenario::read_document(plan.scenario, {});
    CHECK(scenario_at(plan, base, 0).bindings.iterations == 5);
    CHECK(scenario_at(plan, base, 1).bindings.iterations == 2);
    CHECK(scenario_at(plan, base, 2).bindings.iterations == 5);
    CHECK(scenario_at(plan, base, 1).noise_configuration.seed.value == 0);
    CHECK(scenario_at(plan, base, 2).noise_configuration.seed.value == 7);
}

TEST_CASE("a mapping that one variant sets stands before the keys within it that another sets") {
    const StudyPlan plan =
        study_of(kHead + "variants: [{name: x, set: {noise.cv: 0.1}}, {name: y, set: {noise: off}}]\n");
    REQUIRE(plan.axes[0].keys.size() == 2);
    CHECK(plan.axes[0].keys[0].path == "noise");
    CHECK(plan.axes[0].keys[1].path == "noise.cv");
}

TEST_CASE("table, CSV and JSON have the names of variants; the best of them is found") {
    const StudyPlan plan = study_of(kHead +
                                    "variants: [{name: as it is}, {name: wide, set: {a: 2x}}]\naxes: [{d: [1, 2]}]\n"
                                    "engines: [event]\nderived: [speed-up]\nover: variant\n"
                                    "best: [{of: time, over: variant}]\n");
    const StudyResults results = results_of(plan, {40, 20, 10, 30});
    // speed-up is the time as it is / the time of the variant, d being equal: 40 / 10 and 20 / 30
    CHECK(results.value(ColumnName::speed_up, 2, "event") == approx(4.0));
    CHECK(results.value(ColumnName::speed_up, 3, "event") == approx(20.0 / 30.0));
    const std::string table = study_table(results);
    CHECK(holds(table, "variant"));
    CHECK(holds(table, "as it is"));
    CHECK(holds(table, "lowest time over variant:"));
    CHECK(holds(table, "d=1, event: variant=wide (0.01 s)"));
    CHECK(holds(table, "d=2, event: variant=as it is (0.02 s)"));
    const std::string csv = study_csv(results);
    CHECK(csv.starts_with("point,variant,a,d,ranks,nodes,"));
    CHECK(holds(csv, "\n0,as it is,,1,4,2,"));
    CHECK(holds(csv, "\n2,wide,2x,1,4,2,"));
    const nlohmann::ordered_json json = study_json(results);
    CHECK(json["labels"] == nlohmann::ordered_json{"variant"});
    CHECK(json["axes"][0]["variant"] == nlohmann::ordered_json{"as it is", "wide"});
    CHECK(json["axes"][0]["a"] == nlohmann::ordered_json{nullptr, "2x"});
    CHECK(json["points"][0]["set"] == nlohmann::ordered_json{{"variant", "as it is"}, {"d", "1"}});
    CHECK(json["points"][3]["set"] == nlohmann::ordered_json{{"variant", "wide"}, {"a", "2x"}, {"d", "2"}});
}

TEST_CASE("faults of variants") {
    CHECK(kinds_with("variants: {name: x}\n") == Kinds{wrong_yaml_type});
    CHECK(kinds_with("variants: []\n") == Kinds{wrong_yaml_type});
    CHECK(kinds_with("variants: [{set: {a: 1}}]\n") == Kinds{missing_key});
    CHECK(kinds_with("variants: [{name: x, sets: {a: 1}}, {name: y, set: {a: 2}}]\n") == Kinds{unknown_key});
    CHECK(kinds_with("variants: [{name: x, set: {a: 1}}, {name: x, set: {a: 2}}]\n") == Kinds{duplicate_key});
    // 1024 B are 1 KiB, and the order of changes means nothing
    CHECK(kinds_with("variants: [{name: x, set: {a: 1KiB, b: 2}}, {name: y, set: {b: 2.0, a: 1024B}}]\n") ==
          Kinds{duplicate_key});
    CHECK(kinds_with("variants: [{name: x}, {name: y, set: {a: 1}}, {name: z, set: {}}]\n") == Kinds{duplicate_key});
    CHECK(kinds_with("variants: [{name: x}]\n") == Kinds{missing_key});
    CHECK(kinds_with("variants: [{name: x}, {name: y, set: {a: 1}}]\naxes: [{label: {variant: [1]}, b: [1]}]\n") ==
          Kinds{duplicate_key});
}

TEST_CASE("a key that a variant and an axis set is a fault at the variant, also if the axis is one of --vary") {
    const std::string text = kHead + "variants:\n  - {name: x}\n  - {name: y, set: {b: 1}}\naxes: [{b: [1, 2]}]\n";
    CHECK(holds(study_faults(text).render(),
                ":4:21: error: a variant sets `b`, and an axis sets `b`\n"
                "    4 |   - {name: y, set: {b: 1}}\n"
                "      |                     ^ expected each key only in the variants or only in an axis\n"));
    CHECK(kinds_with("variants: [{name: x}, {name: y, set: {b.c: 1}}]\n", {.vary = {"b=1,2"}}) ==
          Kinds{conflicting_keys});
}

TEST_CASE("`set` may have a key that some variants change, but none that all of them change, which hides it") {
    const std::string variants = "variants: [{name: x, set: {a: 1, b: 1}}, {name: y, set: {a: 2}}]\n";
    CHECK(study_of(kHead + "set: {b: 3}\n" + variants).points() == 2);
    CHECK(kinds_with("set: {a: 3}\n" + variants) == Kinds{conflicting_keys});
    CHECK(holds(study_faults(kHead + variants, {.sets = {"a=3"}}).render(),
                "`a` has no effect, since all variants set `a`"));
}
