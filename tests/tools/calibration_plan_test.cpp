// Plans of calibrations: runs, terms with priors, faults.
#include "tools/calibration/plan.hpp"

#include <doctest/doctest.h>

#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tools/calibration/calibrated_file.hpp"

using namespace warpfront;
using namespace warpfront::tools;
using namespace warpfront::test;
using input::DiagnosticKind;

namespace {

const std::string kHead = "writes: out.yaml\nruns: [{scenario: s.yaml, against: t.csv, set: [iterations=2]}]\n";

CalibrationPlan plan(const std::string& text) {
    const Scratch scratch;
    return read_calibration_plan(scratch.file("plan.yaml", text));
}

Kinds refused(const std::string& text) {
    return kinds_of(faults_of([&] { plan(text); }));
}

std::string term(const std::string& text) { return kHead + "terms: {noise.cv: " + text + "}\n"; }

}  // namespace

TEST_CASE("all of a plan") {
    const CalibrationPlan all = plan(kHead +
                                     "largest: 64\nseeds: 3\nrow_error: 2 %\nterms:\n"
                                     "  noise.jitter: {prior: 3us +- 2us, least: 0us, most: 20us}\n"
                                     "  o: {sets: [platform.a, platform.b], prior: 1 +- 0.5, least: 0, most: 2}\n"
                                     "fixed: {noise: {redrawn: off}}\n");
    CHECK(all.writes.filename() == "out.yaml");
    REQUIRE(all.runs.size() == 1);
    CHECK(all.runs[0].sets == std::vector<std::string>{"iterations=2"});
    CHECK(all.runs[0].largest == 64);
    CHECK(all.seeds == 3);
    CHECK(all.row_error == doctest::Approx(0.02));
    REQUIRE(all.terms.size() == 2);
    CHECK(all.terms[0].sets == std::vector<std::string>{"noise.jitter"});
    CHECK(all.terms[0].unit == "us");
    CHECK(all.terms[0].fitted.prior == 3.0);
    CHECK(all.terms[0].fitted.deviation == 2.0);
    CHECK(all.terms[0].fitted.most == 20.0);
    CHECK(all.terms[1].sets == std::vector<std::string>{"platform.a", "platform.b"});
}

TEST_CASE("the calibration has the fixed part and a value at every path of a term") {
    const CalibrationPlan all = plan(kHead +
                                     "terms:\n"
                                     "  noise.jitter: {prior: 3us +- 2us, least: 0us, most: 20us}\n"
                                     "  o: {sets: [platform.a, platform.b], prior: 1 +- 0.5, least: 0, most: 2}\n"
                                     "fixed: {noise: {redrawn: off}}\n");
    const std::vector<double> values{2.71828, 1.5};
    CHECK(yaml_text(calibration_tree(all, values), 2) ==
          "noise:\n  redrawn: off\n  jitter: 2.718us\nplatform:\n  a: 1.5\n  b: 1.5\n");
}

TEST_CASE("a term may set one row of a layer, whose key is in quotes where YAML would take it for a list") {
    const std::string path = "platform.layers.network[up_to=1.5KiB].L";
    const CalibrationPlan all = plan(kHead + "terms:\n  " + path + ": {prior: 3us +- 2us, least: 0us, most: 20us}\n");
    const std::vector<double> values{2.5};
    const std::string text = yaml_text(calibration_tree(all, values), 2);
    CHECK(text == "platform:\n  layers: {\"network[up_to=1.5KiB]\": {L: 2.5us}}\n");
}

TEST_CASE("faults of terms") {
    CHECK(refused(term("{prior: 0.1, least: 0, most: 1}")) == Kinds{DiagnosticKind::bad_number});
    CHECK(refused(term("{prior: x +- 1, least: 0, most: 1}")) == Kinds{DiagnosticKind::bad_number});
    CHECK(refused(term("{prior: 1us +- 1, least: 0us, most: 1us}")) == Kinds{DiagnosticKind::wrong_unit});
    CHECK(refused(term("{prior: 3 +- 1, least: 0, most: 1}")) == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused(term("{prior: 1 +- 0, least: 0, most: 1}")) == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused(term("{prior: 1 +- 1, least: 0}")) == Kinds{DiagnosticKind::missing_key});
    CHECK(refused(term("{prior: 1 +- 1, least: 0, most: 2, sets: a}")) == Kinds{DiagnosticKind::wrong_yaml_type});
}

TEST_CASE("faults of plans") {
    CHECK(refused("runs: []\nterms: {}\n") == Kinds{DiagnosticKind::missing_key, DiagnosticKind::wrong_yaml_type});
    CHECK(refused(kHead + "terms: {}\nrow_error: 3\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused(kHead + "terms: {}\nlargst: 3\n") == Kinds{DiagnosticKind::unknown_key});
}
