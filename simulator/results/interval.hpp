// The 95 % interval of a predicted time, as far as its error is known.
//
//   T -+ 1.96 * sqrt((e T)^2 + s^2)
//
// e: relative standard error of calibrated predictions, from rows left out of the fit (simulator/scenario/calibration.hpp);
// s: standard deviation of an ensemble, if there is one, whose mean is then T.
#pragma once

#include <optional>

#include "simulator/record/record.hpp"
#include "simulator/results/context.hpp"
#include "simulator/results/ensemble.hpp"

namespace warpfront::results {

struct Interval {
    double low_s = 0.0;
    double high_s = 0.0;
};

/// Nothing without an error and without an ensemble.
std::optional<Interval> interval_of(const record::Record& record, const Context& context,
                                    const std::optional<Ensemble>& ensemble);

}  // namespace warpfront::results
