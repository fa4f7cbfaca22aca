// If noise is not redrawn, it repeats after R iterations, so that iterations recur and can be skipped. The draws of a
// few iterations may by chance be far from their mean, and repeating them would repeat this error. So R is the least
// number of iterations that contain
//
//   kFewestBlocks blocks, if blocks vary           (the mean then varies 1 / sqrt(1000) times as much as a block)
//   kFewestInterruptions interruptions on average  (the number then varies by a tenth)
//
// R is at most the number of iterations of the run, and at most kMostIterations. The R iterations send at most
// kMostMessages messages, unless the first iteration alone sends more. R does not depend on later iterations. So the
// draws of an iteration do not depend on the length of the run.
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
inline constexpr std::size_t kMostIterations = 4096;  // the longest period that the engine can detect

/// The average number of draws of all ranks in an iteration, and the number of messages between known ranks.
struct IterationDraws {
    double blocks = 0.0;
    double interruptions = 0.0;
    double messages = 0.0;
};

/// Returns the draws of up to `most` first iterations. The ranks with an idle core must be known.
std::vector<IterationDraws> draws_of_first(const program::Program& program, const variation::Noise& noise,
                                           std::size_t most);

/// Returns R for noise with draws. The ranks with an idle core must be known.
std::int64_t iterations_until_repeat(const program::Program& program, const variation::Noise& noise);

}  // namespace warpfront::tools
