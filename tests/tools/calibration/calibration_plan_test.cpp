// Plans of calibrations: runs, terms with priors, faults.
#include "tools/study/calibration/plan.hpp"

#include <regex>

#include "tests/approx.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"

namespace {

const std::string kHead = "writes: out.yaml\nruns: [{scenario: s.yaml, against: t.csv, set: [iterations=2]}]\n";

CalibrationPlan plan(const std::string& text) {
    const Scratch scratch;
    return read_calibration_plan(scratch.file("plan.yaml", text));
}

Kinds refused(const std::string& text) {
    return kinds_of(faults_of([&] { plan(text); }));
}

std::string reported(const std::string& text) {
    return faults_of([&] { plan(text); }).render();
}

std::vector<std::string> paths_of(const PlannedTerm& term) {
    std::vector<std::string> paths;
    for (const PlannedPath& each : term.sets) paths.push_back(each.path);
    return paths;
}

/// Returns the names in backticks.
std::set<std::string> names_in(const std::string& text) {
    static const std::regex name("`([^`]+)`");
    return {std::sregex_token_iterator(text.begin(), text.end(), name, 1), std::sregex_token_iterator()};
}

std::string term(const std::string& text) { return kHead + "terms: {noise.cv: " + text + "}\n"; }

}  // namespace

TEST_CASE("all of a plan") {
    const CalibrationPlan all = plan(kHead +
                                     "largest: 64\nseeds: 3\nrow_error: 2 %\nper_doubling: 0.5 %\nterms:\n"
                                     "  noise.jitter: {prior: 3us +- 2us, least: 0us, most: 20us}\n"
                                     "  o: {sets: [platform.a, platform.b], prior: 1 +- 0.5, least: 0, most: 2}\n"
                                     "fixed: {noise: {redrawn: off}}\n");
    CHECK(all.writes.filename() == "out.yaml");
    REQUIRE(all.runs.size() == 1);
    REQUIRE(all.runs[0].scenario.changes.size() == 1);
    CHECK(scenario::path_of(all.runs[0].scenario.changes[0]) == "iterations");
    CHECK(all.runs[0].largest == 64);
    CHECK(all.seeds == 3);
    CHECK(all.row_error == approx(0.02));
    CHECK(all.per_doubling == approx(0.005));
    REQUIRE(all.terms.size() == 2);
    CHECK(paths_of(all.terms[0]) == std::vector<std::string>{"noise.jitter"});
    CHECK(all.terms[0].unit == "us");
    CHECK(all.terms[0].fitted.prior == 3.0);
    CHECK(all.terms[0].fitted.deviation == 2.0);
    CHECK(all.terms[0].fitted.most == 20.0);
    CHECK(paths_of(all.terms[1]) == std::vector<std::string>{"platform.a", "platform.b"});
}

TEST_CASE("the calibration has the fixed part and a value at every path of a term") {
    const CalibrationPlan all = plan(kHead +
                                     "terms:\n"
                                     "  noise.jitter: {prior: 3us +- 2us, least: 0us, most: 20us}\n"
                                     "  o: {sets: [platform.a, platform.b], prior: 1 +- 0.5, least: 0, most: 2}\n"
                                     "fixed: {noise: {redrawn: off}}\n");
    const std::vector<double> values{2.71828, 1.5};
    CHECK(input::yaml_text(calibration_tree(all, values), 2) ==
          "noise:\n  redrawn: off\n  jitter: 2.718us\nplatform:\n  a: 1.5\n  b: 1.5\n");
}

TEST_CASE("a term may set one row of a layer, whose key is in quotes where YAML would take it for a list") {
    const std::string path = "platform.layers.network[up_to=1.5KiB].L";
    const CalibrationPlan all = plan(kHead + "terms:\n  " + path + ": {prior: 3us +- 2us, least: 0us, most: 20us}\n");
    const std::vector<double> values{2.5};
    const std::string text = input::yaml_text(calibration_tree(all, values), 2);
    CHECK(text == "platform:\n  layers: {\"network[up_to=1.5KiB]\": {L: 2.5us}}\n");
}

TEST_CASE("a path is fitted by one term") {
    const std::string of_path = "  a.b: {prior: 1 +- 0.5, least: 0, most: 2}\n";
    CHECK(refused(kHead + "terms:\n" + of_path + "  f: {sets: [a.c, a.b], prior: 1 +- 0.5, least: 0, most: 2}\n") ==
          Kinds{conflicting_keys});
    const std::string figures = "prior: 1 +- 0.5, least: 0, most: 2}\n";
    CHECK(refused(kHead + "terms:\n  f: {sets: [a.b, a.b], " + figures) == Kinds{conflicting_keys});
    CHECK(refused(kHead + "terms:\n" + of_path + "  a.b.c: {" + figures) == Kinds{conflicting_keys});
    CHECK(refused(kHead + "terms:\n  a.network[up_to=1KiB].G: {" + figures + "  a.network[up_to=1024B].G: {" +
                  figures) == Kinds{conflicting_keys});
}

TEST_CASE("a path is fitted or fixed") {
    const std::string figures = "prior: 1 +- 0.5, least: 0, most: 2}\n";
    const std::string text = kHead + "terms:\n  o: {sets: [a.c, a.b], " + figures + "fixed: {a: {b: 3, d: 4}}\n";
    CHECK(refused(text) == Kinds{conflicting_keys});
    CHECK(holds(reported(text), "plan.yaml:4:19: error: `fixed` and `o` both set `a.b`\n"));
    CHECK(refused(kHead + "terms:\n  a.b: {" + figures + "fixed: {a: {d: 4}}\n").empty());
    CHECK(refused(kHead + "terms:\n  a.network[up_to=1KiB].G: {" + figures +
                  "fixed: {a: {'network[up_to=1024B]': {G: 1ns/B}}}\n") == Kinds{conflicting_keys});
}

TEST_CASE("a table stands once in the runs: its rows would count twice") {
    const std::string text =
        "writes: out.yaml\nruns:\n  - {scenario: s.yaml, against: t.csv}\n  - {scenario: r.yaml, against: "
        "./t.csv}\nterms: {}\n";
    CHECK(refused(text) == Kinds{duplicate_key});
    CHECK(holds(reported(text), "plan.yaml:4:33: error: "));
}

TEST_CASE("a fault of a term is reported at the wrong value, and every term is checked") {
    const std::string bounds = term("{prior: 1 +- 0.5, least: 2, most: 0.5}");
    CHECK(refused(bounds) == Kinds{out_of_range});
    CHECK(holds(reported(bounds), "error: `least` of `noise.cv` is 2, but `most` is only 0.5\n"));
    CHECK(refused(term("{prior: 5us +- 1us, least: 0, most: 1}")) == Kinds{wrong_unit, wrong_unit});
    CHECK(refused(term("{prior: x +- y, least: 0, most: 1}")) == Kinds{bad_number, bad_number});
    CHECK(refused(kHead + "terms:\n  a: {prior: 1, least: 0, most: 1}\n  b: {prior: 1, least: 0, most: 1}\n") ==
          Kinds{bad_number, bad_number});
}

TEST_CASE("faults of terms") {
    CHECK(refused(term("{prior: 0.1, least: 0, most: 1}")) == Kinds{bad_number});
    CHECK(refused(term("{prior: x +- 1, least: 0, most: 1}")) == Kinds{bad_number});
    CHECK(refused(term("{prior: 1us +- 1, least: 0us, most: 1us}")) == Kinds{wrong_unit});
    CHECK(refused(term("{prior: 3 +- 1, least: 0, most: 1}")) == Kinds{out_of_range});
    CHECK(refused(term("{prior: 1 +- 0, least: 0, most: 1}")) == Kinds{out_of_range});
    CHECK(refused(term("{prior: 1 +- 1, least: 0}")) == Kinds{missing_key});
    CHECK(refused(term("{prior: 1 +- 1, least: 0, most: 2, sets: a}")) == Kinds{wrong_yaml_type});
    CHECK(refused(term("{prior: 1 +- 1, least: 0, most: 2, sets: []}")) == Kinds{wrong_yaml_type});
}

TEST_CASE("faults of terms are reported beside an unreadable hardware file") {
    const Scratch scratch;
    scratch.file("m.psl", "application m { iteration { compute 1us } }\n");
    scratch.file("s.yaml", "model: m.psl\nplatform: none.yaml\nranks: {columns: 2, rows: 1}\n");
    scratch.file("t.csv", "n,m,exec\n2,1,3\n");
    const CalibrationPlan of_jitter = read_calibration_plan(
        scratch.file("plan.yaml", kHead + "terms:\n  noise.jitter: {prior: 3 +- 1, least: 0, most: 9}\n"));
    CHECK(kinds_of(faults_of([&] { check_terms(of_jitter, read_measured_rows(of_jitter)); })) ==
          Kinds{unreadable_file, missing_unit});
}

TEST_CASE("keys that only the fit can set are no part of a plan") {
    const auto refused_tree = [](const std::string& text) {
        const CalibrationPlan all = plan(text);
        return kinds_of(faults_of([&] { calibration_tree(all, all.priors()); }));
    };
    CHECK(refused_tree(kHead + "terms: {}\nfixed: {error: 0.1}\n") == Kinds{conflicting_keys});
    CHECK(refused_tree(kHead + "terms:\n  fitted: {prior: 1 +- 1, least: 0, most: 2}\n") == Kinds{conflicting_keys});
}

TEST_CASE("the page has every key of a plan, and no other") {
    const auto keys_at = [](const std::string& text) {
        std::set<std::string> names;
        const input::Diagnostics faults = faults_of([&] { plan(text); });
        for (const input::Diagnostic& fault : faults.all()) {
            if (fault.kind == unknown_key) names.merge(names_in(fault.expected));
        }
        return names;
    };
    const std::string unknown = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq: 1";  // near no key
    std::set<std::string> known = keys_at(kHead + "terms: {}\n" + unknown + "\n");
    for (const std::string& key :
         keys_at("writes: o\nterms: {}\nruns: [{scenario: s, against: t, " + unknown + "}]\n")) {
        known.insert("runs." + key);
    }
    for (const std::string& key : keys_at(term("{prior: 1 +- 1, least: 0, most: 2, " + unknown + "}"))) {
        known.insert("terms.TERM." + key);
    }
    CHECK(known.size() == 9 + 4 + 4);
    std::set<std::string> shown;
    std::ifstream page(WARPFRONT_SOURCE_DIR "/tools/study/calibration/README.md");
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
        if (inside && !line.starts_with("| ")) inside = line.starts_with("|---");
        if (inside && line.starts_with("| ")) shown.insert(*names_in(line.substr(0, line.find(" | "))).begin());
        if (line == "| key of a plan | value | if left out | means |") inside = true;
    }
    CHECK(shown == known);
}

TEST_CASE("faults of plans") {
    CHECK(refused("runs: []\nterms: {}\n") == Kinds{missing_key, wrong_yaml_type});
    CHECK(refused(kHead + "terms: {}\nrow_error: 3\n") == Kinds{out_of_range});
    CHECK(refused(kHead + "terms: {}\nper_doubling: 0.01\n") == Kinds{out_of_range});
    CHECK(refused(kHead + "terms: {}\nother_problems: {deviation: 0.04, groups: 14, ranks: 4}\n") ==
          Kinds{unknown_key});
    CHECK(refused(kHead + "terms: {}\nlargst: 3\n") == Kinds{unknown_key});
}
