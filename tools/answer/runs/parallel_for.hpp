// Independent runs, several at a time, each on one thread.
//
// Runs begin in the order of their numbers, each as soon as a thread is free. The exception that is thrown does not
// depend on the speed of threads: if run k throws, later runs are cancelled (those not begun never begin, active ones
// may stop), and all earlier runs complete. The exception of the lowest failed run is rethrown.
//
// Runs must not share anything that one of them writes. Each stores its result separately, so the order in which they
// end is irrelevant.
#pragma once

#include <cstdint>
#include <functional>

namespace warpfront::tools {

/// A function that returns true as long as the result of a run is needed, because no earlier run has failed. Else the
/// run may end at any point; its exception is ignored.
using Wanted = std::function<bool()>;

/// Runs `run(number, wanted)` for the numbers 0 to `runs` - 1, at most `at_once` at a time, one of them on the
/// caller's thread. Returns once all have ended.
void parallel_for(std::uint32_t runs, unsigned at_once,
                  const std::function<void(std::uint32_t number, const Wanted& wanted)>& run);

}  // namespace warpfront::tools
