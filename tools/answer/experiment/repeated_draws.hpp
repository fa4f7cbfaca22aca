// Noise that is not redrawn repeats after R iterations, so that iterations recur and are skipped. The draws of a few
// iterations may by chance be far from their mean; if they repeat, the whole run is. So R is the least number of
// iterations that contain
//
//   kFewestBlocks blocks, if blocks vary           (their mean varies by 1 / sqrt(1000) of the variation of a block)
//   kFewestInterruptions interruptions on average  (their number varies by a tenth)
//
// but no more than the run has, and no more than send kMostMessages messages, unless one iteration does.
#pragma once

#include <cstdint>

#include "simulator/program/program.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::tools {

inline constexpr double kFewestBlocks = 1000.0;
inline constexpr double kFewestInterruptions = 100.0;
inline constexpr double kMostMessages = 1e7;

/// Returns the mean number of interruptions of all ranks in an iteration.
double interruptions_per_iteration(const program::Program& program, const variation::Noise& noise);

/// Returns R for noise that draws and is not redrawn. The ranks with an idle core must be known.
std::int64_t iterations_until_repeat(const program::Program& program, const variation::Noise& noise);

}  // namespace warpfront::tools
