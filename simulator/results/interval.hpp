// The 95 % interval of a time: where one further run lies, such as the measured one.
//
//   m -+ sqrt((1.96 e m)^2 + q^2 s^2 (1 + 1/N))
//
// m: mean of N runs that differ by their random numbers; s, q: their standard deviation and the quantile of Student's t
// (ensemble.hpp), as far as the times are normally distributed. One run has no spread: s = 0.
// e: relative standard error of calibrated predictions, from rows left out of the fit
// (simulator/scenario/calibration.hpp). Both errors are independent. Times are not negative, so the interval ends at 0.
#pragma once

#include <optional>
#include <span>

#include "simulator/record/record.hpp"
#include "simulator/results/context.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::results {

/// 0.975 quantile of the standard normal distribution.
inline constexpr double kTwoSided = 1.96;

struct Interval {
    double low_s = 0.0;
    double high_s = 0.0;
    bool holds(Time time) const { return low_s <= seconds(time) && seconds(time) <= high_s; }
};

/// The interval of one run or several; nothing for one run without an error.
std::optional<Interval> interval_of(std::span<const WideTime> times, std::optional<double> error);

/// The interval of a result: of its ensemble, or else of its own time.
std::optional<Interval> interval_of(const record::Record& record, const Context& context,
                                    const std::optional<Ensemble>& ensemble);

}  // namespace warpfront::results
