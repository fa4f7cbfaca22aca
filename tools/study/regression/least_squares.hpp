// Fits a few terms to many measured runs: nonlinear least squares with priors and bounds.
//
//   minimise over x   S(x) = sum_i (y_i(x) / s)^2 + sum_k ((x_k - p_k) / d_k)^2,   least_k <= x_k <= most_k
//
// y_i(x) is the residual of row i, ln(predicted / measured), and s its expected standard deviation. p_k is the prior of
// a term, and d_k the prior's deviation. The method is Gauss-Newton (Bjoerck 1996, Numerical Methods for Least Squares
// Problems, section 9.2). J are the derivatives of y, and D = diag(1 / d^2):
//
//   (J'J / s^2 + D) step = -(J'y / s^2 + D (x - p))
//
// The step is halved until S decreases. Derivatives are finite differences over a tenth of d. They are smooth if the
// model draws the same random numbers for every x.
//
// Errors of rows of one group, such as the runs of one problem, may have a part in common. With V the covariance of the
// errors of rows, the covariance of the terms is
//
//   C = B (J'V J / s^4 + D) B,   B = (J'J / s^2 + D)^-1
//   V_ij = row^2 (if i = j) + group^2 (if i and j are of one group)
//
// (the variance of an estimate whose weights assume independent rows: Moulton 1986, "Random group effects and the
// precision of regression estimates", Journal of Econometrics 32). For row = s and group = 0, C = B. The standard error
// of a term is the square root of its diagonal element of C. The error of row i that follows from the errors of the
// terms is the square root of J_i C J_i'.
//
// `row` and `group` are the most likely ones. The residuals at the priors, z = y + J (p - x), are distributed normally
// with the covariance W = V + J D^-1 J', so the terms use up degrees of freedom as in restricted maximum likelihood
// (Patterson and Thompson 1971). Expectation maximisation (Laird and Ware 1982) repeats
//
//   row^2   <- (row^4 |w|^2 + n row^2 - row^4 tr W^-1) / n                 w = W^-1 z, n rows
//   group^2 <- (group^4 |Z'w|^2 + G group^2 - group^4 tr Z'W^-1 Z) / G     Z: the G groups of rows
//
// If row^2 + group^2 is less than s^2, `row` is increased: few rows do not show that rows err less than the plan
// expects. A variance from the scores of whole groups (Liang and Zeger 1986) is not used: a term on which one group
// alone depends fits the mean of this group, so its score is 0, and so is its variance.
//
// For a fit without some rows, one more step is taken from the solution. Its C does not contain those rows. This is
// exact if y is linear between the two solutions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace warpfront::regression {

struct FittedTerm {
    double prior = 0.0;
    double deviation = 1.0;  // standard deviation of the prior, above 0
    double least = 0.0;
    double most = 0.0;
};

/// Returns the residuals of all rows for these values of the terms.
using Residuals = std::function<std::vector<double>(std::span<const double> values)>;

struct LeastSquares {
    std::vector<double> values;
    std::vector<double> errors;                    // standard error of each value; independent rows of deviation s
    std::vector<double> residuals;                 // residual of each row
    std::vector<std::vector<double>> derivatives;  // derivatives of each row by the terms
    std::vector<double> row_errors;                // for each row, the error that follows from the errors of the terms
    unsigned steps = 0;
};

/// Fits the terms, starting from their priors. `row_deviation` is s and must be above 0.
LeastSquares fit(std::span<const FittedTerm> terms, double row_deviation, const Residuals& residuals);

/// The errors of rows: groups with errors in common, and the two standard deviations.
struct RowCovariance {
    std::vector<std::size_t> groups;  // group of each row, from 0
    double row = 0.0;                 // part of a row alone
    double group = 0.0;               // part that the rows of a group have in common
};

/// Returns the most likely covariance of the rows. With `group`, this part is given, and only the other is estimated.
/// If each group has one row, errors in common are not distinguishable from those of rows, and `group` is 0.
RowCovariance row_covariance(const LeastSquares& fitted, std::span<const FittedTerm> terms, double row_deviation,
                             std::vector<std::size_t> groups, std::optional<double> group = {});

/// Replaces `errors` and `row_errors` by those of rows with this covariance.
void set_errors(LeastSquares& fitted, std::span<const FittedTerm> terms, double row_deviation,
                const RowCovariance& rows);

/// A fit without some of the rows.
struct FitWithout {
    std::vector<double> values;
    std::vector<double> row_errors;  // for each row, the error that follows from the errors of the terms
};

/// Returns, for each group of `left_out`, the fit without the rows of this group. `left_out` contains the group of each
/// row, from 0.
std::vector<FitWithout> fits_without(const LeastSquares& fitted, std::span<const FittedTerm> terms,
                                     double row_deviation, std::span<const std::size_t> left_out,
                                     const RowCovariance& rows);

// Fits two terms a and b by weighted linear least squares:
//
//   minimise sum_i w_i (a x_i + b y_i - 1)^2,   a and b >= 0 if requested
//
// For a line T = a + b S with relative deviations, x is 1 / T and y is S / T.

/// The sums over samples that determine the two terms. Samples are added one by one.
class TwoTerms {
public:
    struct Values {
        double a = 0.0;
        double b = 0.0;
    };

    void add(double x, double y, double weight = 1.0) {
        one_ += weight;
        x_ += weight * x;
        y_ += weight * y;
        xx_ += weight * x * x;
        xy_ += weight * x * y;
        yy_ += weight * y * y;
    }

    /// Returns the terms. b is 0 if the samples do not distinguish b from a.
    Values values() const {
        const double determinant = xx_ * yy_ - xy_ * xy_;
        if (!(determinant > kSingular * xx_ * yy_)) return {x_ / xx_, 0.0};
        return {(x_ * yy_ - y_ * xy_) / determinant, (xx_ * y_ - xy_ * x_) / determinant};
    }
    /// Returns the terms under the condition that neither is negative.
    Values non_negative() const {
        const Values free = values();
        if (free.a < 0.0) return {0.0, y_ / yy_};
        if (free.b < 0.0) return {x_ / xx_, 0.0};
        return free;
    }
    /// Returns the sum of squares for given terms.
    double squares(const Values& of) const {
        const double sum =
            one_ + of.a * of.a * xx_ + of.b * of.b * yy_ + 2.0 * (of.a * of.b * xy_ - of.a * x_ - of.b * y_);
        return std::max(sum, 0.0);
    }

private:
    static constexpr double kSingular = 1e-12;

    double one_ = 0.0, x_ = 0.0, y_ = 0.0, xx_ = 0.0, xy_ = 0.0, yy_ = 0.0;
};

}  // namespace warpfront::regression
