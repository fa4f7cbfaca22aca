// `warpfront calibrate`: terms found again from runs that were made with them.
#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;
using nlohmann::json;

namespace {

const std::string kScenario = "model: " + std::string(WARPFRONT_SOURCE_DIR) + "/models/chimaera/chimaera.psl\n" +
                              "platform: " + WARPFRONT_SOURCE_DIR +
                              "/platforms/xt4.yaml\nranks: {columns: 2, rows: 2}\n"
                              "parameters: {nx: 16, ny: 16, nz: 16, wg: 0.8us}\ncalibration: off\n";

/// A table of runs that take 1.25 times as long to compute as the model says, and a plan that fits the factor.
void write_files(const Scratch& scratch, const std::string& terms) {
    const auto scenario = scratch.file("s.yaml", kScenario);
    scratch.file("true.yaml", "computing: {chimaera: {factor: 1.25}}\n");
    std::string table = "problem,n,m,exec\n";
    for (const char* rows : {"1", "2", "4"}) {
        const json result =
            json_of(fmt::format("run {} --set calibration=true.yaml --set ranks.rows={}", quoted(scenario), rows));
        table += fmt::format("p{},2,{},{}\n", rows, rows, result.at("time_s").get<double>());
    }
    scratch.file("t.csv", table);
    scratch.file("plan.yaml",
                 "writes: out.yaml\nruns: [{scenario: s.yaml, against: t.csv}]\nlargest: 4\nterms:\n" + terms);
}

const std::string kFactor = "  computing.chimaera.factor: {prior: 1 +- 0.5, least: 0.5, most: 2}\n";

}  // namespace

TEST_CASE("a factor of computing is found again, and rows left out are predicted by it") {
    const Scratch scratch;
    write_files(scratch, kFactor);
    const json result = json_of("calibrate " + quoted(scratch.folder() / "plan.yaml"));
    // The prior 1 +- 0.5 pulls a little: rows count with 3 %.
    CHECK(result.at("terms").at(0).at("value").get<double>() == doctest::Approx(1.25).epsilon(0.01));
    REQUIRE(result.at("rows").size() == 3);
    for (const json& row : result.at("rows")) {
        CHECK(std::abs(row.at("left_out_pct").get<double>()) < 1.0);
        CHECK(row.at("uncalibrated_pct").get<double>() < -10.0);
    }
    CHECK_FALSE(result.at("rows").at(2).at("fitted").get<bool>());  // 8 ranks are more than 4
}

TEST_CASE("the written calibration is one that a scenario can use") {
    const Scratch scratch;
    write_files(scratch, kFactor);
    CHECK(invoke("calibrate " + quoted(scratch.folder() / "plan.yaml") + " --threads 2").status == 0);
    const std::string run = "run " + quoted(scratch.folder() / "s.yaml") + " --set ranks.rows=4 --set calibration=";
    CHECK(json_of(run + "out.yaml").at("time_s").get<double>() ==
          doctest::Approx(json_of(run + "true.yaml").at("time_s").get<double>()).epsilon(0.01));
}

TEST_CASE("more terms than the rows can bear are refused") {
    const Scratch scratch;
    write_files(scratch, kFactor + "  noise.jitter: {prior: 1us +- 1us, least: 0us, most: 9us}\n");
    const Outcome outcome = invoke("calibrate " + quoted(scratch.folder() / "plan.yaml"));
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "2 terms for 2 rows"));
    CHECK(holds(outcome.err, "expected at least 2 rows for each term"));
    CHECK_FALSE(std::filesystem::exists(scratch.folder() / "out.yaml"));
}

TEST_CASE("a calibration needs measured rows") {
    const Scratch scratch;
    write_files(scratch, kFactor);
    scratch.file("t.csv", "n,m,pred\n2,2,1.0\n");
    const Outcome outcome = invoke("calibrate " + quoted(scratch.folder() / "plan.yaml"));
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "no row of so few ranks as are fitted has a measurement"));
}
