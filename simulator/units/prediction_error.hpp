// The error of predictions relative to measured runs. A calibration states it (simulator/scenario/calibration.hpp); the
// 95 % interval of a result follows from it (simulator/results/ensemble.hpp).
#pragma once

#include <cmath>
#include <cstdint>

namespace warpfront {

/// A percentage: a difference relative to a reference, or a share of a whole.
struct Percent {
    double value = 0.0;
};

/// The relative error of predictions for runs that are not in the calibration's fit.
struct PredictionError {
    double deviation = 0.0;     // root mean square of the errors
    std::uint32_t groups = 1;   // number of independent groups of the fit's runs: problems or machines
    std::uint64_t ranks = 1;    // largest number of ranks of the fit's runs
    double per_doubling = 0.0;  // growth of errors with every doubling of ranks beyond `ranks`

    /// Returns the error of a run on `of_run` ranks. Beyond the ranks of the fit, a growing part is added that is
    /// independent of the fit's error.
    double deviation_on(std::uint64_t of_run) const {
        if (of_run <= ranks) return deviation;
        return std::hypot(deviation,
                          per_doubling * std::log2(static_cast<double>(of_run) / static_cast<double>(ranks)));
    }
    friend bool operator==(const PredictionError&, const PredictionError&) = default;
};

}  // namespace warpfront
