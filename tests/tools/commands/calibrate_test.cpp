// What `calibrate` refuses before it runs anything.
#include <doctest/doctest.h>

#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tools/commands/commands.hpp"

using namespace warpfront;
using namespace warpfront::tools;
using namespace warpfront::test;
using input::DiagnosticKind;

namespace {

const std::string kChimaera = WARPFRONT_SOURCE_DIR "/models/chimaera/chimaera.yaml";

input::Diagnostics faults_of_plan(const std::string& table, const std::string& terms, const std::string& run = {}) {
    const Scratch scratch;
    scratch.file("t.csv", table);
    CalibrateOptions options;
    options.plan = scratch.file("plan.yaml", "writes: out.yaml\nruns: [{scenario: " + kChimaera + ", against: t.csv" +
                                                 run + "}]\nterms:\n" + terms);
    return faults_of([&] { calibrate(options); });
}

Kinds refused_plan(const std::string& table, const std::string& terms, const std::string& run = {}) {
    return kinds_of(faults_of_plan(table, terms, run));
}

const std::string kTable = "n,m,exec\n2,2,1.0\n4,2,1.0\n";

const std::string kTerm = "  noise.jitter: {prior: 1us +- 1us, least: 0us, most: 9us}\n";

}  // namespace

TEST_CASE("a term needs two rows") {
    CHECK(refused_plan("n,m,exec\n2,2,1.0\n", kTerm) == Kinds{DiagnosticKind::too_many_terms});
}

TEST_CASE("a plan needs measured rows") {
    CHECK(refused_plan("n,m,pred\n2,2,1.0\n", kTerm) == Kinds{DiagnosticKind::nothing_to_compare});
}

TEST_CASE("rows that no machine can hold are faults of their table") {
    CHECK(refused_plan("n,m,exec\n0,2,1.0\n", kTerm) == Kinds{DiagnosticKind::out_of_range});
}

TEST_CASE("the unit of a term against that of its path is a fault of the plan, at its place") {
    const auto of_noise = faults_of_plan(kTable, "  noise.jitter: {prior: 3 +- 2, least: 0, most: 20}\n");
    CHECK(kinds_of(of_noise) == Kinds{DiagnosticKind::missing_unit});
    CHECK(of_noise.render().find("plan.yaml:4:25: error: ") != std::string::npos);
    CHECK(of_noise.render().find("    4 |   noise.jitter: {prior: 3 +- 2, least: 0, most: 20}\n") != std::string::npos);
    const auto of_machine =
        faults_of_plan(kTable, "  platform.layers.network.o_send: {prior: 3B +- 2B, least: 0B, most: 20B}\n");
    CHECK(of_machine.all().front().kind == DiagnosticKind::wrong_unit);
    CHECK(of_machine.render().find("plan.yaml:4:43: error: ") != std::string::npos);
}

TEST_CASE("a bound that the path cannot have is a fault before the fit comes to it") {
    const auto faults = faults_of_plan(kTable, "  noise.cv: {prior: 1 +- 1, least: 0, most: 20}\n");  // up to 10
    CHECK(kinds_of(faults) == Kinds{DiagnosticKind::out_of_range});
    CHECK(faults.render().find("plan.yaml:4:45: error: `cv` cannot be 20") != std::string::npos);
}

TEST_CASE("a path that no calibration has, or that leads through a value of `fixed`, is a fault at its place") {
    CHECK(refused_plan(kTable, "  nose.cv: {prior: 1 +- 1, least: 0, most: 2}\n") ==
          Kinds{DiagnosticKind::unknown_key});
    CHECK(refused_plan(kTable, "  noise.cv: {prior: 1 +- 1, least: 0, most: 2}\nfixed: {noise: off}\n") ==
          Kinds{DiagnosticKind::bad_override});
}

TEST_CASE("a term that no fitted run depends on is a fault") {
    const Kinds unused{DiagnosticKind::nothing_to_compare};
    const std::string figures = ": {prior: 1 +- 0.1, least: 0.5, most: 2}\n";
    const auto of_others = faults_of_plan(kTable, "  computing.sweep3d.factor" + figures);
    CHECK(kinds_of(of_others) == unused);
    CHECK(
        of_others.render().find("plan.yaml:4:3: error: no run that is fitted depends on `computing.sweep3d.factor`") !=
        std::string::npos);
    CHECK(of_others.render().find("the runs are of `chimaera`") != std::string::npos);
    CHECK(refused_plan(kTable, kTerm, ", set: [noise=off]") == unused);
    CHECK(refused_plan(kTable,
                       "  noise.jitter: {prior: 1us +- 1us, least: 0us, most: 9us, sets: [noise.jitter, "
                       "computing.sweep3d.per_block]}\n",
                       ", set: [noise=off]") == unused);
}
