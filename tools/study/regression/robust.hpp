// Statistics of samples and fits: the standard deviation without outliers, and a criterion for how many terms the
// samples justify.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace warpfront::regression {

/// The ratio of the standard deviation of a normal distribution to its median absolute deviation.
inline constexpr double kDeviationOverMedian = 1.4826;

/// Returns the median. Returns the mean of the two middle values if the number of values is even, and 0 if there are no
/// values.
template <typename Number>
Number median_of(std::vector<Number> values) {
    if (values.empty()) return {};
    const auto upper = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), upper, values.end());
    if (values.size() % 2 == 1) return *upper;
    return (*std::max_element(values.begin(), upper) + *upper) / 2;
}

/// Estimates the standard deviation from absolute deviations. Most of them must not be outliers.
inline double robust_deviation(std::vector<double> absolute) {
    return kDeviationOverMedian * median_of(std::move(absolute));
}

/// Returns the Bayesian information criterion of a fit with this mean square of deviations. If two fits have the same
/// samples, the one with the lower criterion is better (Schwarz 1978).
inline double information_criterion(double samples, double mean_square, double terms) {
    return samples * std::log(mean_square) + terms * std::log(samples);
}

}  // namespace warpfront::regression
