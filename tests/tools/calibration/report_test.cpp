// The error that a calibration states: that of left-out rows, divided into model and terms, and the difference between
// problems; and the growth of errors with ranks.
#include "tools/study/calibration/report.hpp"
#include "tests/approx.hpp"

using namespace warpfront::tools;

namespace {

CalibrationReport left_out(LeftOut together, const std::vector<std::pair<std::string, double>>& rows) {
    CalibrationReport report;
    report.left_out = together;
    for (const auto& [problem, error] : rows) {
        RowErrors row;
        row.problem = problem;
        row.ranks = 1;
        row.left_out = error;
        report.rows.push_back(std::move(row));
    }
    return report;
}

}  // namespace

TEST_CASE("the error of a calibration is that of all rows left out, from as many groups as there are problems") {
    const auto error = left_out(LeftOut::problem, {{"p", 0.01}, {"p", -0.05}, {"q", 0.04}, {"r", 0.0}}).error();
    REQUIRE(error);
    CHECK(error->deviation == test::approx(0.0324037));  // the root of (1 + 25 + 16 + 0) / 4 = 10.5, in percent
    CHECK(error->groups == 3);
}

TEST_CASE("if all runs are of one problem, the difference of other problems is added, or there is no error") {
    CalibrationReport report = left_out(LeftOut::row, {{"p", 0.04}, {"p", -0.04}});
    CHECK_FALSE(report.error());
    report.plan.other_problems = PredictionError{0.03, 14};
    CHECK(report.error()->deviation == test::approx(0.05));  // 3, 4, 5
    CHECK(report.error()->groups == 14);
}

TEST_CASE("errors of left-out rows that the terms explain are not the model's; a fit to all rows has certain terms") {
    // 3^2 = s^2 + h^2 with h = 2 for each row: s^2 = 5. With all rows, the error of the terms is 1: e^2 = 5 + 1.
    CalibrationReport report = left_out(LeftOut::problem, {{"p", 0.03}, {"q", -0.03}});
    for (RowErrors& row : report.rows) row.left_out_terms = 0.02;
    report.fitted.row_errors = {0.01, 0.01};
    CHECK(report.model_error() == test::approx(std::sqrt(5e-4)));
    CHECK(report.error()->deviation == test::approx(std::sqrt(6e-4)));
    CHECK(report.left_out_error_of(report.rows[0])->deviation == test::approx(0.03));
}

TEST_CASE("if the terms explain all errors, the model has none") {
    CalibrationReport report = left_out(LeftOut::problem, {{"p", 0.03}, {"q", -0.03}});
    for (RowErrors& row : report.rows) row.left_out_terms = 0.04;
    CHECK(report.model_error() == 0.0);
}

TEST_CASE("a problem without which the terms are unknown has a wide interval while it is left out, others do not") {
    // One row of q has an error of 30 %, as the terms predict; the others have 2 %, which the model explains.
    CalibrationReport report = left_out(LeftOut::problem, {{"p", 0.02}, {"p", -0.02}, {"r", 0.02}, {"q", 0.3}});
    report.rows.back().left_out_terms = 0.3;
    CHECK(report.model_error() == test::approx(0.02).epsilon(0.01));
    CHECK(report.left_out_error_of(report.rows[0])->deviation == test::approx(0.02).epsilon(0.01));
    CHECK(report.left_out_error_of(report.rows.back())->deviation == test::approx(0.3).epsilon(0.01));
}

TEST_CASE("the drift is the slope of errors over doublings of ranks, within each problem") {
    CalibrationReport report =
        left_out(LeftOut::problem, {{"p", 0.01}, {"p", 0.03}, {"q", 0.5}, {"r", -0.2}, {"r", -0.2}});
    const std::vector<std::uint64_t> ranks{4, 8, 1024, 64, 256};
    for (std::size_t k = 0; k < ranks.size(); ++k) report.rows[k].ranks = ranks[k];
    // p: 2 % per doubling, squared doublings 2 * 0.5^2; r: none, 2 * 1^2; q has one row.
    REQUIRE(report.drift());
    CHECK(report.drift()->weight == test::approx(2.5));
    CHECK(report.drift()->per_doubling == test::approx(0.02 * std::sqrt(0.5 / 2.5)));
    CHECK_FALSE(left_out(LeftOut::problem, {{"p", 0.01}, {"q", 0.03}}).drift());
}

TEST_CASE("the drift that a plan states begins at the most ranks that were fitted") {
    CalibrationReport report = left_out(LeftOut::problem, {{"p", 0.03}, {"q", -0.03}});
    report.rows[0].ranks = 512;
    report.rows[1].ranks = 2048;
    report.rows[1].is_fitted = false;
    report.plan.per_doubling = 0.02;
    CHECK(report.error() == PredictionError{report.error()->deviation, 2, 512, 0.02});
    CHECK(report.error()->deviation_on(512) == test::approx(0.03));
    CHECK(report.error()->deviation_on(2048) == test::approx(0.05));  // 3, 4, 5
    CHECK(report.error()->deviation_on(4) == test::approx(0.03));
}
