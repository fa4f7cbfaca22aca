// Terms fitted by least squares with priors, on models whose solution can be computed by hand.
#include "tools/study/regression/least_squares.hpp"

#include <array>
#include <cstdint>
#include <numbers>

#include "simulator/units/random.hpp"
#include "tests/approx.hpp"

using namespace warpfront::regression;

namespace {

using Point = std::span<const double>;

FittedTerm term(double prior, double deviation) { return {prior, deviation, -100.0, 100.0}; }

RowCovariance independent(std::size_t rows, double deviation) {
    return {std::vector<std::size_t>(rows, 0), deviation, 0.0};
}

/// Draws of the standard normal distribution by Box and Muller.
class NormalDraws {
public:
    explicit NormalDraws(std::uint64_t seed) : random_({seed}, warpfront::Purpose::figure, 0, 0) {}

    double next() {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - random_.unit()));
        return radius * std::cos(2.0 * std::numbers::pi * random_.unit());
    }

private:
    warpfront::Random random_;
};

/// Five problems of six rows each. Their common errors have a deviation of 4 %, and those of each row 1 %. The first
/// term scales the time of the first problem only, the second that of all others, and the third grows with the row.
struct SyntheticTable {
    static constexpr std::size_t kProblems = 5, kRows = 6;
    static constexpr double kExpected = 0.03;
    std::vector<double> truth;
    std::vector<double> errors;  // error of each row
    std::vector<std::size_t> problems;
    std::vector<FittedTerm> terms = std::vector<FittedTerm>(3, term(0.0, 3.0));

    explicit SyntheticTable(std::uint64_t seed) {
        NormalDraws draws(seed);
        for (std::size_t k = 0; k < terms.size(); ++k) truth.push_back(3.0 * draws.next());
        for (std::size_t problem = 0; problem < kProblems; ++problem) {
            const double common = 0.04 * draws.next();
            for (std::size_t row = 0; row < kRows; ++row) {
                errors.push_back(common + 0.01 * draws.next());
                problems.push_back(problem);
            }
        }
    }

    std::vector<double> residuals(Point x) const {
        std::vector<double> residuals = errors;
        for (std::size_t k = 0; k < residuals.size(); ++k) {
            residuals[k] += (problems[k] == 0 ? 0.5 * (x[0] - truth[0]) : 0.1 * (x[1] - truth[1])) +
                            0.02 * static_cast<double>(k % kRows) * (x[2] - truth[2]);
        }
        return residuals;
    }
};

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
    const auto without = fits_without(result, terms, 1.0, groups, independent(3, 1.0));
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
    CHECK(fits_without(result, terms, 0.01, groups, independent(1, 0.01))[0].values[0] == warpfront::test::approx(0.0));
    CHECK(fits_without(result, terms, 0.01, groups, independent(1, 0.01))[0].row_errors[0] ==
          warpfront::test::approx(1.0));  // of the prior
    // Rows measure 0 and 9: without the first the fit would be 9, beyond the bound.
    const std::vector<FittedTerm> bounded{{0.0, 1000.0, -1.0, 5.0}};
    const LeastSquares between = fit(bounded, 1.0, [](Point x) { return std::vector{x[0], x[0] - 9.0}; });
    const std::vector<std::size_t> each{0, 1};
    CHECK(fits_without(between, bounded, 1.0, each, independent(2, 1.0))[0].values[0] == 5.0);
}

TEST_CASE("errors that rows of a group have in common: variances and a term's error by hand") {
    // Three groups of two rows measure 0, 2; 6, 8; 3, 5 of one term with a vague prior. Their means are 1, 7, 4, and
    // the mean of all is 4. Within groups the sum of squares is 6 * 1 = 6, from 3 degrees of freedom: row^2 = 2.
    // Between groups it is 2 (9 + 9 + 0) = 36, from 2: 18 = row^2 + 2 group^2, so group^2 = 8. The term is the mean of
    // three independent means, with the variance (group^2 + row^2 / 2) / 3 = 3.
    const std::vector<FittedTerm> terms{{0.0, 1e4, -1e6, 1e6}};
    const std::vector<double> measured{0.0, 2.0, 6.0, 8.0, 3.0, 5.0};
    LeastSquares result = fit(terms, 1.0, [&](Point x) {
        std::vector<double> residuals;
        for (const double each : measured) residuals.push_back(x[0] - each);
        return residuals;
    });
    const RowCovariance rows = row_covariance(result, terms, 1.0, {0, 0, 1, 1, 2, 2});
    CHECK(rows.row * rows.row == warpfront::test::approx(2.0).epsilon(1e-4));
    CHECK(rows.group * rows.group == warpfront::test::approx(8.0).epsilon(1e-4));
    set_errors(result, terms, 1.0, rows);
    CHECK(result.values[0] == warpfront::test::approx(4.0).epsilon(1e-4));
    CHECK(result.errors[0] == warpfront::test::approx(std::sqrt(3.0)).epsilon(1e-4));
    CHECK(result.row_errors[5] == warpfront::test::approx(std::sqrt(3.0)).epsilon(1e-4));
    // Without the first group the term is 5.5, with the variance (8 + 2 / 2) / 2 = 4.5.
    const std::vector<std::size_t> left_out{0, 0, 1, 1, 1, 1};
    const auto without = fits_without(result, terms, 1.0, left_out, rows);
    CHECK(without[0].values[0] == warpfront::test::approx(5.5).epsilon(1e-4));
    CHECK(without[0].row_errors[0] == warpfront::test::approx(std::sqrt(4.5)).epsilon(1e-4));
}

TEST_CASE("with independent rows of the expected deviation, errors are those of the weights") {
    const std::vector<FittedTerm> terms{term(0.0, 1.0)};
    LeastSquares result = fit(terms, 0.5, [](Point x) { return std::vector{x[0] - 1.0, 2.0 * x[0] - 1.5}; });
    const double before = result.errors[0];
    set_errors(result, terms, 0.5, independent(2, 0.5));
    CHECK(result.errors[0] == warpfront::test::approx(before));
}

TEST_CASE("rows that happen to agree do not make a term more certain than the expected deviation does") {
    const std::vector<FittedTerm> terms{term(0.0, 10.0)};
    const LeastSquares result = fit(terms, 0.5, [](Point x) { return std::vector{x[0] - 1.0, x[0] - 1.0}; });
    const RowCovariance rows = row_covariance(result, terms, 0.5, {0, 1});
    CHECK(rows.row == 0.5);
    CHECK(rows.group == 0.0);  // each group has one row
    CHECK(row_covariance(result, terms, 0.5, {0, 0}, 0.2).group == 0.2);
}

TEST_CASE("95 % intervals contain true terms in 95 % of synthetic tables whose problems have errors in common") {
    // Student's t with 5 - 1 degrees of freedom. 400 tables of a true share of 95 % have a deviation of 1.1 %.
    constexpr double kQuantile = 2.776;
    constexpr std::uint64_t kTables = 400;
    std::array<double, 3> held{}, held_by_independent{};
    for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
        const SyntheticTable table(seed);
        LeastSquares result = fit(table.terms, SyntheticTable::kExpected, [&](Point x) { return table.residuals(x); });
        const std::vector<double> independent_errors = result.errors;
        set_errors(result, table.terms, SyntheticTable::kExpected,
                   row_covariance(result, table.terms, SyntheticTable::kExpected, table.problems));
        for (std::size_t k = 0; k < held.size(); ++k) {
            const double error = std::abs(result.values[k] - table.truth[k]);
            held[k] += error <= kQuantile * result.errors[k] ? 1.0 / kTables : 0.0;
            held_by_independent[k] += error <= 1.96 * independent_errors[k] ? 1.0 / kTables : 0.0;
        }
    }
    CHECK(held[0] == warpfront::test::approx(0.95).epsilon(0.04));
    CHECK(held[1] == warpfront::test::approx(0.95).epsilon(0.04));
    CHECK(held[2] >= 0.95);
    CHECK(held_by_independent[0] < 0.7);
    CHECK(held_by_independent[1] < 0.7);
    CHECK(held_by_independent[2] >= 0.95);
}
