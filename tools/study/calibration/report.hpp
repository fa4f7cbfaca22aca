// The rows that a calibration was fitted to, and its accuracy: as a table, as JSON, and as the provenance in its file.
//
// Errors are (predicted - measured) / measured. A row is predicted three times: uncalibrated, fitted (with the final
// calibration), and left out (with a fit to the rows of all other problems; least_squares.hpp). If all fitted rows are
// of one problem, there is no other problem to fit. Each row is then left out alone; the result shows how well the
// problem predicts further runs of itself, but nothing about other problems. Rows of more ranks than the plan's
// `largest` are not fitted, and are left out with their problem; if there is only one problem, the final calibration
// predicts them.
//
// The error of a left-out row has two causes: s is the error of the model, and h_i the error of the terms. The
// covariance of the terms without the row's problem gives h_i (least_squares.hpp). For example, allreduces determine
// the overhead; without them the overhead is uncertain, and allreduces are predicted badly. With y_i the error of row
// i, and v_i = s^2 + h_i^2 its expected square,
//
//   sum of (y_i^2 / v_i - 1) / v_i = 0
//
// gives s, the maximum-likelihood estimate for normally distributed errors: rows with uncertain terms contribute little
// to it. It is 0 if the terms explain all errors. A fit to all rows has more certain terms: the error of its
// predictions is e = sqrt(s^2 + h^2), with h^2 the mean of h_i^2 of that fit.
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
    double left_out_terms = 0.0;  // the part of left_out that is due to the errors of the terms
};

double root_mean_square(std::span<const double> numbers);

/// The unit of cross-validation: each fit leaves out all rows of one problem, or a single row.
enum class LeftOut : bool { problem, row };

struct CalibrationReport {
    CalibrationPlan plan;
    regression::LeastSquares fitted;
    std::vector<RowErrors> rows;
    LeftOut left_out = LeftOut::problem;

    /// Returns the root of the mean square of the errors of left-out rows, including rows of large machines.
    double left_out_error() const;
    /// Returns the factor by which predictions of left-out rows are too long or too short: e to the root of the mean
    /// square of ln(predicted / measured). A prediction that is far too short has an error of only -100 %.
    double left_out_factor() const;
    /// Returns s, the part of left_out_error() that is not due to the terms.
    double model_error() const;
    /// Returns the error for 95 % intervals: of the model and of the terms fitted to all rows, with the number of
    /// problems. If all fitted rows are of one problem, it includes the plan's `other_problems`, and is empty if the
    /// plan has none.
    std::optional<PredictionError> error() const;
    /// Returns the error that was expected of a row while it was left out, by the rules of error().
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
    /// Returns warnings about a term: it is at a bound, its interval passes a bound, or the rows hardly determine it.
    std::vector<std::string> remarks(std::size_t term) const;

private:
    std::optional<PredictionError> error_with(double terms) const;
};

std::string summary(const CalibrationReport& report);
nlohmann::ordered_json to_json(const CalibrationReport& report);
/// Formats the calibration file.
std::string calibration_text(const CalibrationReport& report);

// The fit of the terms of a plan to measured rows, and the errors of the rows with it.

/// Fits the terms to the rows that the plan fits, and predicts all rows without a calibration, with the fit, and left
/// out. Throws BadInput (too_many_terms for less than two rows for each term), RunFailed, engine::Interrupted.
CalibrationReport fit_calibration(const CalibrationPlan& plan, std::span<const MeasuredRow> measured,
                                  const RowPredictor& predictor);

}  // namespace warpfront::tools
