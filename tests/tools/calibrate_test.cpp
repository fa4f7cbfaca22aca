// What `calibrate` refuses before it runs anything.
#include <doctest/doctest.h>

#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tools/commands.hpp"

using namespace warpfront;
using namespace warpfront::tools;
using namespace warpfront::test;
using input::DiagnosticKind;

namespace {

const std::string kChimaera = WARPFRONT_SOURCE_DIR "/models/chimaera/chimaera.yaml";

Kinds refused_plan(const std::string& table, const std::string& terms) {
    const Scratch scratch;
    scratch.file("t.csv", table);
    CalibrateOptions options;
    options.plan = scratch.file(
        "plan.yaml", "writes: out.yaml\nruns: [{scenario: " + kChimaera + ", against: t.csv}]\nterms:\n" + terms);
    return kinds_of(faults_of([&] { calibrate(options); }));
}

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
