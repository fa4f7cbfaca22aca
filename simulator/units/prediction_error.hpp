// The error of predictions relative to measured runs: the basis of the 95 % interval of a result
// (simulator/results/ensemble.hpp), stated by a calibration (simulator/scenario/calibration.hpp).
#pragma once

#include <cmath>
#include <cstdint>

namespace warpfront {

/// A percentage: a difference relative to a reference, or a share of a whole.
struct Percent {
    double value = 0.0;
};

/// The relative error of predictions of runs outside the fit.
struct PredictionError {
    double deviation = 0.0;     // root of the mean square
    std::uint32_t groups = 1;   // number of independent groups of runs from which it follows: problems or machines
    std::uint64_t ranks = 1;    // largest number of ranks of these runs
    double per_doubling = 0.0;  // growth of errors with every doubling of ranks beyond `ranks`

    /// Returns the deviation of a run on `of_run` ranks: the drift beyond the runs behind it is independent of their
    /// error.
    double deviation_on(std::uint64_t of_run) const {
        if (of_run <= ranks) return deviation;
        return std::hypot(deviation,
                          per_doubling * std::log2(static_cast<double>(of_run) / static_cast<double>(ranks)));
    }
    friend bool operator==(const PredictionError&, const PredictionError&) = default;
};

}  // namespace warpfront
