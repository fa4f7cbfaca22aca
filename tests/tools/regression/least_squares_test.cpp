// Terms fitted by least squares with priors, on models whose solution can be computed by hand.
#include "tools/study/regression/least_squares.hpp"
#include "tests/approx.hpp"

using namespace warpfront::regression;

namespace {

using Point = std::span<const double>;

FittedTerm term(double prior, double deviation) { return {prior, deviation, -100.0, 100.0}; }

}  // namespace

TEST_CASE("one term and one row of equal weight meet in the middle") {
    // (x - 2)^2 + (x - 0)^2 is least at x = 1; the curvature 1 + 1 gives a standard error of 1 / sqrt(2).
    const std::vector<FittedTerm> terms{term(0.0, 1.0)};
    const LeastSquares result = fit(terms, 1.0, [](Point x) { return std::vector{x[0] - 2.0}; });
    CHECK(result.values[0] == warpfront::test::approx(1.0));
    CHECK(result.errors[0] == warpfront::test::approx(std::sqrt(0.5)));
    CHECK(result.residuals[0] == warpfront::test::approx(-1.0));
}

TEST_CASE("rows of a small expected deviation outweigh the prior") {
    // 10,000 (x - 2)^2 + x^2: x = 20,000 / 10,001.
    const std::vector<FittedTerm> terms{term(0.0, 1.0)};
    const LeastSquares result = fit(terms, 0.01, [](Point x) { return std::vector{x[0] - 2.0}; });
    CHECK(result.values[0] == warpfront::test::approx(20'000.0 / 10'001.0));
}

TEST_CASE("a term that no row depends on stays at its prior, with the prior's deviation") {
    const std::vector<FittedTerm> terms{term(3.0, 0.5)};
    const LeastSquares result = fit(terms, 1.0, [](Point) { return std::vector{0.7, -0.2}; });
    CHECK(result.values[0] == 3.0);
    CHECK(result.errors[0] == warpfront::test::approx(0.5));
}

TEST_CASE("a term stays within its bounds") {
    const std::vector<FittedTerm> terms{{0.0, 10.0, -1.0, 1.5}};
    const LeastSquares result = fit(terms, 0.1, [](Point x) { return std::vector{x[0] - 2.0}; });
    CHECK(result.values[0] == 1.5);
}

TEST_CASE("a model that is not linear is solved by several steps") {
    // y = ln(x / 5) with a prior too weak to count.
    const std::vector<FittedTerm> terms{{1.0, 0.9, 0.1, 50.0}};
    const LeastSquares result = fit(terms, 0.001, [](Point x) { return std::vector{std::log(x[0] / 5.0)}; });
    CHECK(result.values[0] == warpfront::test::approx(5.0).epsilon(0.01));
    CHECK(result.steps > 1);
}

TEST_CASE("a fit without a group of rows is that of the others") {
    // Rows measure 1, 1 and 4 of one term, prior 0 +- 1000. Without the third the fit is 1, without the others 4.
    const std::vector<FittedTerm> terms{{0.0, 1000.0, -1e6, 1e6}};
    const LeastSquares result = fit(terms, 1.0, [](Point x) {
        return std::vector{x[0] - 1.0, x[0] - 1.0, x[0] - 4.0};
    });
    CHECK(result.values[0] == warpfront::test::approx(2.0).epsilon(1e-4));
    const std::vector<std::size_t> groups{0, 0, 1};
    const auto without = fits_without(result, terms, 1.0, groups);
    REQUIRE(without.size() == 2);
    CHECK(without[0].values[0] == warpfront::test::approx(4.0).epsilon(1e-4));
    CHECK(without[1].values[0] == warpfront::test::approx(1.0).epsilon(1e-4));
    // The term's error is 1 / sqrt(n) for n rows; each row errs as the term does.
    CHECK(result.row_errors[1] == warpfront::test::approx(std::sqrt(1.0 / 3.0)).epsilon(1e-4));
    CHECK(without[0].row_errors[0] == warpfront::test::approx(1.0).epsilon(1e-4));
    CHECK(without[1].row_errors[2] == warpfront::test::approx(std::sqrt(0.5)).epsilon(1e-4));
}

TEST_CASE("a fit without any row is the prior, and stays within the bounds") {
    const std::vector<FittedTerm> terms{term(0.0, 1.0)};
    const LeastSquares result = fit(terms, 0.01, [](Point x) { return std::vector{x[0] - 2.0}; });
    const std::vector<std::size_t> groups{0};
    CHECK(fits_without(result, terms, 0.01, groups)[0].values[0] == warpfront::test::approx(0.0));
    CHECK(fits_without(result, terms, 0.01, groups)[0].row_errors[0] == warpfront::test::approx(1.0));  // of the prior
    // Rows measure 0 and 9: without the first the fit would be 9, beyond the bound.
    const std::vector<FittedTerm> bounded{{0.0, 1000.0, -1.0, 5.0}};
    const LeastSquares between = fit(bounded, 1.0, [](Point x) { return std::vector{x[0], x[0] - 9.0}; });
    const std::vector<std::size_t> each{0, 1};
    CHECK(fits_without(between, bounded, 1.0, each)[0].values[0] == 5.0);
}
