// How far predictions are from measured runs: what the 95 % interval of a result is made from
// (simulator/results/ensemble.hpp), as a calibration states it (simulator/scenario/calibration.hpp).
#pragma once

#include <cstdint>

namespace warpfront {

/// Relative error of predictions of runs that no fit has seen.
struct PredictionError {
    double deviation = 0.0;    // root of the mean square
    std::uint32_t groups = 1;  // independent groups of runs behind it: problems, or machines
    friend bool operator==(const PredictionError&, const PredictionError&) = default;
};

}  // namespace warpfront
