// Noise that is not redrawn repeats after R iterations, so that iterations recur and are skipped. The draws of a few
// iterations may by chance be far from their mean; if they repeat, the whole run is. So the first R iterations are the
// least number that contains
//
//   kFewestBlocks blocks, if blocks vary           (their mean varies by 1 / sqrt(1000) of the variation of a block)
//   kFewestInterruptions interruptions on average  (their number varies by a tenth)
//
// but no more than the run has, than kMostIterations, or than send kMostMessages messages (unless the first one does).
// R does not depend on later iterations, so the draws of an iteration do not depend on the length of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/program/program.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::tools {

inline constexpr double kFewestBlocks = 1000.0;
inline constexpr double kFewestInterruptions = 100.0;
inline constexpr double kMostMessages = 1e7;
inline constexpr std::size_t kMostIterations = 4096;  // the longest period that the engine finds

/// The draws that an iteration of all ranks makes on average, and its messages between named ranks.
struct IterationDraws {
    double blocks = 0.0;
    double interruptions = 0.0;
    double messages = 0.0;
};

/// Returns the draws of the first iterations, at most `most`. The ranks with an idle core must be known.
std::vector<IterationDraws> draws_of_first(const program::Program& program, const variation::Noise& noise,
                                           std::size_t most);

/// Returns R for noise that draws. The ranks with an idle core must be known.
std::int64_t iterations_until_repeat(const program::Program& program, const variation::Noise& noise);

}  // namespace warpfront::tools
