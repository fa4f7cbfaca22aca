// What a calibration was fitted to, and how well it predicts: as a table, as JSON, and as the provenance in its file.
//
// Errors are (predicted - measured) / measured. A row is predicted three times: uncalibrated, fitted (with the final
// calibration), and left out (with a fit to the rows of all other problems; least_squares.hpp). Where all fitted rows
// are of one problem there is no other to predict it by: each row is then left out by itself, which says how well the
// problem predicts more runs of its own and nothing of other problems. Rows of more ranks than the plan's `largest` are
// not fitted: the final calibration leaves them out.
#pragma once

#include <optional>
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
};

/// What is left out of a fit at a time.
enum class LeftOut : bool { problem, row };

struct CalibrationReport {
    CalibrationPlan plan;
    LeastSquares fitted;
    std::vector<RowErrors> rows;
    LeftOut left_out = LeftOut::problem;

    /// Root of the mean square of the errors of rows left out, those of large machines among them.
    double left_out_error() const;
    /// The error for 95 % intervals: of rows left out, with the number of problems. Where all fitted rows are of one
    /// problem: with what the plan says of other problems; nothing if it says nothing.
    std::optional<PredictionError> error() const;
    /// What a reader must know of a term: that it stands at a bound, that its interval passes one, that the rows say
    /// little about it.
    std::vector<std::string> remarks(std::size_t term) const;
};

std::string summary(const CalibrationReport& report);
nlohmann::ordered_json to_json(const CalibrationReport& report);
/// The calibration file.
std::string calibration_text(const CalibrationReport& report);

}  // namespace warpfront::tools
