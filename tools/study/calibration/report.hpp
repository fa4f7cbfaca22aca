// The rows to which a calibration was fitted, and its accuracy, as a table, as JSON, and as comments in the calibration
// file.
//
// Errors are (predicted - measured) / measured. A row is predicted three times: uncalibrated; fitted, with the final
// calibration; and left out, with a fit to the rows of all other problems (least_squares.hpp). If all fitted rows are
// of one problem, there is no other problem. Then each row is left out alone. The result shows how well the runs of
// this problem predict further runs of the same problem, but nothing about other problems. Rows with more ranks than
// the plan's `largest` are not fitted, and are left out with their problem. If there is only one problem, the final
// calibration predicts them.
//
// The error of a left-out row has two causes: s is the error of the model, and h_i the error of the terms. h_i follows
// from the covariance of the terms without the row's problem (least_squares.hpp). For example, allreduces determine the
// overhead. Without them the overhead is uncertain, and allreduces are predicted badly. With y_i the error of row i,
// and v_i = s^2 + h_i^2 its expected square,
//
//   sum of (y_i^2 / v_i - 1) / v_i = 0
//
// determines s, the maximum-likelihood estimate for normally distributed errors. Rows with uncertain terms contribute
// little to s. It is 0 if the terms explain all errors. In a fit to all rows the terms are more certain. The error of
// its predictions is e = sqrt(s^2 + h^2), where h^2 is the mean of h_i^2 in that fit.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/study/calibration/plan.hpp"
#include "tools/study/regression/least_squares.hpp"

namespace warpfront::tools {

struct RowErrors {
    std::string problem;
    unsigned line = 0;
    std::uint64_t ranks = 0;
    double measured_s = 0.0;
    bool is_fitted = true;  // false if the row has more ranks than the plan fits
    double uncalibrated = 0.0;
    double calibrated = 0.0;
    double left_out = 0.0;
    double left_out_terms = 0.0;  // the part of left_out that follows from the errors of the terms
};

double root_mean_square(std::span<const double> numbers);

/// The rows that each fit of the cross-validation leaves out: all rows of one problem, or a single row.
enum class LeftOut : bool { problem, row };

struct CalibrationReport {
    CalibrationPlan plan;
    regression::LeastSquares fitted;
    std::vector<RowErrors> rows;
    LeftOut left_out = LeftOut::problem;
    regression::RowCovariance errors_of_rows{};  // errors of fitted rows; their groups are the problems

    /// Returns half of the width of a term's 95 % interval: its standard error times the quantile of Student's t with
    /// as many degrees of freedom as the variance of problems. These are G - 1 for G fitted problems, or the groups of
    /// `other_problems`. If neither exists, rows count as independent, and the distribution is normal. It is normal too
    /// for a term on which no row depends, since the deviation of its prior is given.
    double half_interval(std::size_t term) const;
    /// Returns the root mean square of the errors of left-out rows, including rows of large machines.
    double left_out_error() const;
    /// Returns the typical factor by which predictions of left-out rows are too long or too short: e to the root mean
    /// square of ln(predicted / measured). Unlike relative errors, it treats both directions equally.
    double left_out_factor() const;
    /// Returns s, the part of left_out_error() that does not follow from the errors of the terms.
    double model_error() const;
    /// Returns the error for 95 % intervals: that of the model and of the terms fitted to all rows, with the number of
    /// problems. If all fitted rows are of one problem, it includes the plan's `other_problems`. It is empty if the
    /// plan has none.
    std::optional<PredictionError> error() const;
    /// Returns the error that was expected for a row when it was left out, by the rules of error().
    std::optional<PredictionError> left_out_error_of(const RowErrors& row) const;
    /// The growth of errors as ranks double. For each problem p, a line is fitted to the left-out errors over
    /// x = log2(ranks); b_p is its slope and q_p = sum of (x - mean x)^2 over its rows. Then
    ///   drift = sqrt(sum_p q_p b_p^2 / sum_p q_p)
    /// Empty if no problem has runs on several numbers of ranks.
    struct Drift {
        double per_doubling = 0.0;
        double weight = 0.0;
    };
    std::optional<Drift> drift() const;
    /// Returns warnings about a term: it is at a bound, its interval passes a bound, or the rows determine it poorly.
    std::vector<std::string> remarks(std::size_t term) const;

private:
    std::optional<PredictionError> error_with(double terms) const;
};

std::string summary(const CalibrationReport& report);
nlohmann::ordered_json to_json(const CalibrationReport& report);
/// Formats the calibration file.
std::string calibration_text(const CalibrationReport& report);

// Fits the terms of a plan to measured rows, and computes the errors of the rows.

/// Fits the terms to the rows that the plan fits. Predicts all rows without a calibration, with the fit, and with fits
/// that leave them out. Throws BadInput (too_many_terms if there are fewer than two rows per term), RunFailed,
/// engine::Interrupted.
CalibrationReport fit_calibration(const CalibrationPlan& plan, std::span<const MeasuredRow> measured,
                                  const RowPredictor& predictor);

}  // namespace warpfront::tools
