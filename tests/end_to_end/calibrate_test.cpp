// `warpfront calibrate`: it finds the terms with which runs were made.
#include "tests/end_to_end/program.hpp"

namespace {

const std::string kScenario = "model: " + std::string(WARPFRONT_SOURCE_DIR) + "/models/chimaera/chimaera.psl\n" +
                              "platform: " + WARPFRONT_SOURCE_DIR +
                              "/platforms/xt4.yaml\nranks: {columns: 2, rows: 2}\n"
                              "parameters: {nx: 16, ny: 16, nz: 16, wg: 0.8us}\ncalibration: off\n";

/// A table of runs that compute 1.25 times as long as in the model and take `scale` times as long in all, and a plan
/// that fits the factor. A row belongs to the problem `problem` and, unless all are of one, its number of rows.
struct Measured {
    std::string problem = "p";
    bool one_problem = false;
    double scale = 1.0;
};
std::string plan_of(const Scratch& scratch, const std::string& terms, const Measured& measured = {}) {
    const auto scenario = scratch.file("s.yaml", kScenario);
    scratch.file("true.yaml", "computing: {chimaera: {factor: 1.25}}\n");
    std::string table = "problem,n,m,exec\n";
    for (const char* rows : {"1", "2", "4"}) {
        const double time =
            time_of(fmt::format("run {} --set calibration=true.yaml --set ranks.rows={}", quoted(scenario), rows));
        table += fmt::format("\"{}{}\",2,{},{}\n", measured.problem, measured.one_problem ? "" : rows, rows,
                             measured.scale * time);
    }
    scratch.file("t.csv", table);
    return quoted(scratch.file(
        "plan.yaml", "writes: out.yaml\nruns: [{scenario: s.yaml, against: t.csv}]\nlargest: 4\nterms:\n" + terms));
}

std::string factor_within(const std::string& least, const std::string& most) {
    return fmt::format("  computing.chimaera.factor: {{prior: 1 +- 0.5, least: {}, most: {}}}\n", least, most);
}

const std::string kFactor = factor_within("0.5", "2");

const std::string kOneProblem = "all fitted rows are of one problem, so each row is left out";

}  // namespace

TEST_CASE("a factor of computing is found again, rows left out are predicted by it, and a scenario can use it") {
    const Scratch scratch;
    const std::string plan = plan_of(scratch, kFactor);
    const json result = json_of("calibrate " + plan + " --threads 2");
    // The prior 1 +- 0.5 pulls a little: rows count with 3 %.
    CHECK(result.at("terms").at(0).at("value").get<double>() == approx(1.25).epsilon(0.01));
    CHECK(result.at("terms").at(0).at("remarks") == json::array());
    REQUIRE(result.at("rows").size() == 3);
    for (const json& row : result.at("rows")) {
        CHECK(std::abs(row.at("left_out_pct").get<double>()) < 1.0);
        CHECK(row.at("uncalibrated_pct").get<double>() < -10.0);
    }
    CHECK_FALSE(result.at("rows").at(2).at("fitted").get<bool>());  // 8 ranks are more than 4
    const std::string run = "run " + quoted(scratch.folder() / "s.yaml") + " --set ranks.rows=4 --set calibration=";
    CHECK(time_of(run + "out.yaml") == approx(time_of(run + "true.yaml")).epsilon(0.01));
    CHECK_FALSE(holds(invoke("calibrate " + plan).out, kOneProblem));
}

TEST_CASE("a fit that is off by a factor of two or more is no calibration: the table reports it, no file is written") {
    // Runs take a tenth of the predicted time, or ten times as long. Computing, a part of it, is changed by 0.5 to 2.
    for (const double scale : {0.1, 10.0}) {
        CAPTURE(scale);
        const Scratch scratch;
        const Outcome outcome = invoke("calibrate " + plan_of(scratch, kFactor, {.scale = scale}));
        CHECK(outcome.status == 1);
        CHECK(holds(outcome.out, "standard error of predictions"));
        CHECK(holds(outcome.err,
                    "out.yaml` is not written, since predictions of left-out rows are wrong by a factor of "));
        CHECK_FALSE(std::filesystem::exists(scratch.folder() / "out.yaml"));
    }
}

TEST_CASE("a term at its bound is reported as such, in the table, the JSON and the file") {
    const Scratch scratch;
    const std::string plan = plan_of(scratch, factor_within("0.5", "1.1"));  // 1.25 is not allowed
    const std::string remark = "is at its bound 1.1";
    CHECK(holds(invoke("calibrate " + plan).out, "(" + remark));
    CHECK(json_of("calibrate " + plan).at("terms").at(0).at("remarks").at(0) == remark);
    CHECK(holds(text_of(scratch.folder() / "out.yaml"), remark));
    CHECK(invoke("check " + quoted(scratch.folder() / "out.yaml")).status == 0);
}

TEST_CASE("a 95 % interval that passes a bound is reported as such") {
    const Scratch scratch;
    // Two rows of 3 % each give a standard error of about 1.25 * 3 % / sqrt(2) = 0.027: up to about 1.30.
    const json terms = json_of("calibrate " + plan_of(scratch, factor_within("0.5", "1.27"))).at("terms");
    CHECK(terms.at(0).at("remarks") == json::array({"the interval passes the bound 1.27"}));
}

TEST_CASE("a term on which no row depends is reported as such, and stays at its prior") {
    const Scratch scratch;
    // A node has one rank, so that no message stays on the chip.
    const std::string of_chip = "  platform.layers.chip.o_recv: {prior: 2us +- 0.5us, least: 0us, most: 9us}\n";
    const json term = json_of("calibrate " + plan_of(scratch, of_chip)).at("terms").at(0);
    CHECK(term.at("value") == 2.0);
    CHECK(term.at("remarks") == json::array({"no row depends on it"}));
}

TEST_CASE("rows of one problem are left out one by one, since there is no other problem to predict it by") {
    const Scratch scratch;
    const std::string plan = plan_of(scratch, kFactor, {.one_problem = true});
    CHECK(holds(invoke("calibrate " + plan).out, kOneProblem));
    CHECK(holds(text_of(scratch.folder() / "out.yaml"), "each_row_left_out"));
    const json result = json_of("calibrate " + plan);
    CHECK(result.at("left_out_together") == "row");
    // The other row has the factor as well; the prior alone would be off by about 1 / 1.25 - 1 = -20 %.
    for (const json& row : result.at("rows")) CHECK(std::abs(row.at("left_out_pct").get<double>()) < 2.0);
}

TEST_CASE("a calibration is accepted whatever its problems are called") {
    const Scratch scratch;
    CHECK(invoke("calibrate " + plan_of(scratch, kFactor, {.problem = "a: [b, #{c"})).status == 0);
    const Outcome outcome = invoke("check " + quoted(scratch.folder() / "out.yaml"));
    CHECK_MESSAGE(outcome.status == 0, outcome.err);
}

TEST_CASE("check reads the calibration that a plan would write") {
    const Scratch scratch;
    const Outcome outcome =
        invoke("check " + plan_of(scratch, "  noise.jittr: {prior: 1us +- 1us, least: 0us, most: 9us}\n"));
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "did you mean `jitter`?"));
}
