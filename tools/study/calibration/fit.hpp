// The fit of the terms of a plan to measured rows, and the errors of the rows with it.
#pragma once

#include <span>

#include "tools/study/calibration/plan.hpp"
#include "tools/study/calibration/report.hpp"
#include "tools/study/calibration/rows.hpp"

namespace warpfront::tools {

/// Fits the terms to the rows that the plan fits, and predicts all rows without a calibration, with the fit, and left
/// out. Throws BadInput (too_many_terms for less than two rows for each term), RunFailed, engine::Interrupted.
CalibrationReport fit_calibration(const CalibrationPlan& plan, std::span<const MeasuredRow> measured,
                                  const RowPredictor& predictor);

}  // namespace warpfront::tools
