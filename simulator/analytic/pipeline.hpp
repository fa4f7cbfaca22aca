// The pipeline of a wavefront code in steps of one message. Both closed forms cover the sweeps only, without the work
// between sweeps.
//
// `mpp` is for massively parallel processors whose network is no bottleneck (Hoisie, Lubeck and Wasserman, as cited in
// LA-UR-00-308, 2000, section 2). One sweep of N waves over Px x Py ranks takes T_comp + T_comm, with
//
//   T_comp = [(Px + Py - 1) + (N - 1)] * T_cpu
//   T_comm = [2 (Px + Py - 2) + 4 (N - 1)] * T_msg         T_msg = t0 + bytes/B, here Total of the larger message
//
// A wave crosses a rank in two steps, the receive and the send of a message. The next wave follows four steps later.
// For an iteration of several sweeps, N counts the waves of all sweeps: n_sweeps * tiles. Each sweep fills the pipeline
// up to the corner of the next sweep (fill.hpp). With `hops`, the number of ranks that all fills cross, the times are
//
//   hops   = (n_full + n_row) (Px - 1) + (n_full + n_diag) (Py - 1)
//   T_comp = (hops + N) * T_cpu
//   T_comm = (2 hops + 4 (N - 1)) * T_msg                   T_cpu = W_pre + W
//
// For a single sweep, n_full = 1.
//
// `pipeline-bottlenecks` is for a cluster of SMPs with few channels between neighbouring SMPs (Hoisie, Lubeck,
// Wasserman, Petrini and Alme, A General Predictive Performance Model for Wavefront Algorithms on Clusters of SMPs,
// LA-UR-00-308, 2000).
//
// There are m x n SMPs of Sx x Sy ranks. At most L messages cross a boundary in each direction at the same time.
// Messages are synchronous, and both ranks are busy for one step. A rank receives from the west and the north, and then
// sends to the east and the south. If all channels of a boundary are in use, the older wave goes first. With S =
// max(Sx, Sy), g = floor((I - 1) / L) and r = (I - 1) mod L, wave I (from 1) is later than wave 1 by this number of
// steps:
//
//   S <= 2L               4 (I - 1)                              no collision
//   2L < S < 4L + 1       4 (I - 1) + g
//   S >= 4L + 1, g even   g S + 4 r
//   S >= 4L + 1, g odd    4 (L - 1) + 5 + (g - 1) S + 4 r
//
// The paper gives S >= 2L as the condition for collisions. But a step-by-step simulation of the protocol has no
// collisions for S = 2L, and the paper also states that half as many links as ranks on the boundary suffice. Wave 1
// reaches rank (Sx + 1, Sy + 1) at step 2 Sx + 2 Sy. In a one-dimensional cluster, S is the number of ranks along the
// only boundary between two SMPs. The steady rate is reached after min(Sx, Sy) + 1 groups of L waves.
//
// The form charges these steps instead of the 4 (N - 1) steps of `mpp`. Its other terms are those of `mpp`. The
// channels are the parallel links of the machine, and the SMPs are its nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/analytic/phases.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::analytic {

/// The largest number of waves in an iteration.
inline constexpr std::int64_t kMostWaves = std::int64_t{1} << 40;

/// Returns the reason why the form does not apply, or nothing: a phase without sweeps, a process grid of one row or
/// column.
std::optional<std::string> not_a_pipeline(const Inputs& inputs);

/// Predicts a run by `mpp`. Throws BadInput (closed_form_overflow).
Prediction mpp(const Inputs& inputs);

struct SmpCluster {
    std::int64_t columns = 1;   // m, the columns of SMPs
    std::int64_t rows = 1;      // n
    std::int64_t ranks_x = 1;   // Sx, the columns of ranks in each SMP
    std::int64_t ranks_y = 1;   // Sy
    std::int64_t channels = 1;  // L, at least 1

    /// Returns S, the number of ranks along the longer boundary; 0 if there is a single SMP.
    std::int64_t boundary() const;
};

/// Returns the number of steps by which wave `wave` (from 1) is later than wave 1.
std::int64_t steps_behind_first(const SmpCluster& cluster, std::int64_t wave);

/// Returns the reason why the form does not apply, or nothing: the reasons of mpp, nodes that are not full SMPs, or
/// links that are not shared.
std::optional<std::string> not_smps(const Inputs& inputs);

/// Predicts a run by `pipeline-bottlenecks`. Throws BadInput (closed_form_overflow).
Prediction pipeline_bottlenecks(const Inputs& inputs);

}  // namespace warpfront::analytic
