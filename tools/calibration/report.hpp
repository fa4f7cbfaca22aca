// What a calibration was fitted to, and how well it predicts: as a table, as JSON, and as the provenance in its file.
//
// Errors are (predicted - measured) / measured. A row is predicted three times: uncalibrated, fitted (with the final
// calibration), and left out (with a fit to the rows of all other problems; least_squares.hpp). Where all fitted rows
// are of one problem there is no other to predict it by: each row is then left out by itself, which says how well the
// problem predicts more runs of its own and nothing of other problems. Rows of more ranks than the plan's `largest` are
// not fitted, and left out with their problem; where there is one problem alone the final calibration leaves them out.
//
// Two causes make the error of a row left out: the model, by s, and the terms, by h_i, which their covariance without
// its problem gives (least_squares.hpp): allreduces determine the overhead, so without them it is hardly known, and
// allreduces predicted badly. With y_i the error of row i, and v_i = s^2 + h_i^2 its expected square,
//
//   sum of (y_i^2 / v_i - 1) / v_i = 0
//
// gives s, the most likely one of normal errors: rows whose terms are unknown say little about it. It is 0 where the
// terms explain all. A fit to all rows knows its terms better: the error of its predictions
// is e = sqrt(s^2 + h^2), h^2 the mean of h_i^2 of that fit.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/calibration/least_squares.hpp"
#include "tools/calibration/plan.hpp"

namespace warpfront::tools {

struct RowErrors {
    std::string problem;
    unsigned line = 0;
    std::uint64_t ranks = 0;
    double measured_s = 0.0;
    bool is_fitted = true;  // else it has more ranks than the plan fits
    double uncalibrated = 0.0;
    double calibrated = 0.0;
    double left_out = 0.0;
    double left_out_terms = 0.0;  // what the errors of the terms make of it
};

double root_mean_square(std::span<const double> numbers);

/// What is left out of a fit at a time.
enum class LeftOut : bool { problem, row };

struct CalibrationReport {
    CalibrationPlan plan;
    LeastSquares fitted;
    std::vector<RowErrors> rows;
    LeftOut left_out = LeftOut::problem;

    /// Root of the mean square of the errors of rows left out, those of large machines among them.
    double left_out_error() const;
    /// The part of it that is not of the terms: s.
    double model_error() const;
    /// The error for 95 % intervals: of the model and of the terms fitted to all rows, with the number of problems.
    /// Where all fitted rows are of one problem: with what the plan says of other problems; nothing if it says nothing.
    std::optional<PredictionError> error() const;
    /// The error that a row had to expect while it was left out; as the above.
    std::optional<PredictionError> left_out_error_of(const RowErrors& row) const;
    /// How far errors drift as ranks double: lines through the errors left out of each problem, over the binary
    /// logarithm of ranks, and the root of the mean square of their slopes, each with its sum of squared doublings as
    /// weight. Nothing if no problem has runs on several numbers of ranks.
    struct Drift {
        double per_doubling = 0.0;
        double weight = 0.0;
    };
    std::optional<Drift> drift() const;
    /// What a reader must know of a term: that it stands at a bound, that its interval passes one, that the rows say
    /// little about it.
    std::vector<std::string> remarks(std::size_t term) const;

private:
    std::optional<PredictionError> error_with(double terms) const;
};

std::string summary(const CalibrationReport& report);
nlohmann::ordered_json to_json(const CalibrationReport& report);
/// The calibration file.
std::string calibration_text(const CalibrationReport& report);

}  // namespace warpfront::tools
