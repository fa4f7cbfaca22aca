// What a recorded run holds, for people: ranks, calls by kind with their sizes, computing, how much recording cost,
// what is left out and what is refused.
#pragma once

#include <string>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::tools {

/// Ends with a line break.
std::string contents_text(const trace::RecordedRun& run);

}  // namespace warpfront::tools
