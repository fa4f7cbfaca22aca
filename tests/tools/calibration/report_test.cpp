// The error that a calibration states: of rows left out, and of what other problems may differ by.
#include <doctest/doctest.h>

#include "tools/calibration/report.hpp"

using namespace warpfront;
using namespace warpfront::tools;

namespace {

CalibrationReport left_out(LeftOut together, const std::vector<std::pair<std::string, double>>& rows) {
    CalibrationReport report;
    report.left_out = together;
    for (const auto& [problem, error] : rows) {
        RowErrors row;
        row.problem = problem;
        row.left_out = error;
        report.rows.push_back(std::move(row));
    }
    return report;
}

}  // namespace

TEST_CASE("the error of a calibration is that of all rows left out, from as many groups as there are problems") {
    const auto error = left_out(LeftOut::problem, {{"p", 0.01}, {"p", -0.05}, {"q", 0.04}, {"r", 0.0}}).error();
    REQUIRE(error);
    CHECK(error->deviation == doctest::Approx(0.0324037));  // the root of (1 + 25 + 16 + 0) / 4 = 10.5, in percent
    CHECK(error->groups == 3);
}

TEST_CASE("where all runs are of one problem, what others may differ by is added, or there is no error") {
    CalibrationReport report = left_out(LeftOut::row, {{"p", 0.04}, {"p", -0.04}});
    CHECK_FALSE(report.error());
    report.plan.other_problems = PredictionError{0.03, 14};
    CHECK(report.error()->deviation == doctest::Approx(0.05));  // 3, 4, 5
    CHECK(report.error()->groups == 14);
}
