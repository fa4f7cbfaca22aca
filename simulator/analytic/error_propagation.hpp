// One-sigma bounds of the plug-and-play model from the spread of its inputs (Mudalige 2009, appendix E). W varies by
// sigma_W, Total of a message by sigma_Total, independently of each other; each is one measured value used throughout,
// so within each the terms add linearly and only the two are added in squares. With Send = alpha * Total, Recv = beta *
// Total and iter iterations:
//
//   sigma^2 = ( iter [ n_diag (m-1) + n_full (m+n-2) + n_sweeps tiles ] sigma_W )^2
//           + ( iter [ n_diag (m-1)(1+alpha) + n_full (n-1)(1+beta) + n_full (m-1)(1+alpha)
//                      + 2 n_sweeps (alpha+beta) tiles ] sigma_Total )^2
//
// alpha and beta are those of the larger message between nodes. A fill along a row, which occurs in no published code,
// adds (n-1) sigma_W and (n-1)(1+beta) sigma_Total, as the row part of a full fill does. For several phases the
// brackets times iter add up. The formula is the published one: it keeps the messages of missing directions on process
// grids of one row or column, and leaves out W_pre, the bus and the work between sweeps.
#pragma once

#include "simulator/analytic/phases.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

/// Standard deviations, as costs.
struct InputDeviations {
    Time work;   // sigma_W, of the work of a tile
    Time total;  // sigma_Total, of a message
};

/// The number of times that each input occurs in the run: sigma^2 = (work * sigma_W)^2 + (total * sigma_Total)^2.
struct ErrorWeights {
    double work = 0.0;
    double total = 0.0;
};
/// Returns the weights; alpha and beta are 0 if a message takes no time. Throws BadInput as `predict` does
/// (closed_forms.hpp).
ErrorWeights error_weights(const Inputs& inputs);

/// Returns sigma of the run, to the nearest picosecond. Throws BadInput (closed_form_overflow).
WideTime propagated_deviation(const ErrorWeights& weights, const InputDeviations& deviations);

/// One standard deviation below and above; never below zero.
struct Bounds {
    WideTime low;
    WideTime high;
};
Bounds one_sigma_bounds(WideTime predicted, WideTime deviation);

}  // namespace warpfront::analytic
