// Independent runs, several at a time, each on one of the threads that share them out.
//
// Runs begin in the order of their numbers, each as soon as one of the threads is free. Which runs a failure ends does
// not depend on who was faster: where run k throws, none after it is wanted any more (those not begun never begin,
// those under way may stop), all before it go on to their end. What the lowest run that failed has thrown is thrown.
//
// Runs must share nothing that one of them writes. Each writes its answer to a place of its own, so the order in which
// they end is nobody's business.
#pragma once

#include <cstdint>
#include <functional>

namespace warpfront::tools {

/// Whether a run is still wanted: no earlier one has failed. A run that is not may end as it likes; what it throws then
/// is dropped.
using Wanted = std::function<bool()>;

/// Runs `run(number, wanted)` for the numbers 0 to `runs` - 1, at most `at_once` at a time, the caller's thread being
/// one of them. Returns once all have ended.
void parallel_for(std::uint32_t runs, unsigned at_once,
                  const std::function<void(std::uint32_t number, const Wanted& wanted)>& run);

}  // namespace warpfront::tools
