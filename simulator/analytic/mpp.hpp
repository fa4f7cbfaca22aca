// The pipeline of a wavefront code on a massively parallel processor whose network is no bottleneck (Hoisie, Lubeck and
// Wasserman, as recalled in LA-UR-00-308, 2000, section 2). One sweep of N waves over Px x Py ranks:
//
//   T_comp = [(Px + Py - 1) + (N - 1)] * T_cpu
//   T_comm = [2 (Px + Py - 2) + 4 (N - 1)] * T_msg         T_msg = t0 + bytes/B, here Total of the larger message
//
// A wave crosses a rank in two steps of one message, receive and send, in either direction; the next wave follows four
// messages behind. For an iteration of several sweeps N counts the waves of all of them, n_sweeps * tiles, and each
// sweep fills as far as the next one's corner (sweep_order.hpp), so with `hops` the ranks that all fills cross,
//
//   hops   = (n_full + n_row) (Px - 1) + (n_full + n_diag) (Py - 1)
//   T_comp = (hops + N) * T_cpu
//   T_comm = (2 hops + 4 (N - 1)) * T_msg                   T_cpu = W_pre + W
//
// of which one sweep is the case n_full = 1. The model is of the sweeps alone: what lies between them is not in it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "simulator/analytic/inputs.hpp"
#include "simulator/analytic/phases.hpp"
#include "simulator/program/wavefront.hpp"

namespace warpfront::analytic {

/// More waves in an iteration are refused.
inline constexpr std::int64_t kMostWaves = std::int64_t{1} << 40;

/// The messages by which wave N, counted from 1, comes later than wave 1.
using StepsBehindFirst = std::function<std::int64_t(std::int64_t wave)>;

/// One iteration with this delay of waves. Throws BadInput (closed_form_overflow).
Iteration pipeline_iteration(const program::WavefrontPhase& phase, const machine::Machine& machine,
                             const StepsBehindFirst& behind);

/// Nothing, or why the form does not apply: a phase without sweeps, an array of one row or column.
std::optional<std::string> not_a_pipeline(const Inputs& inputs);

/// Throws BadInput (closed_form_overflow).
Prediction mpp(const Inputs& inputs);

}  // namespace warpfront::analytic
