// What a recorded run holds, for people: its calls with counts, bytes and sizes by communicator, computing, how much
// recording cost, ranks that are not whole, what is left out or refused, and where in the code the calls stand.
#pragma once

#include <filesystem>
#include <string>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::tools {

/// Ends with a line break.
std::string contents_text(const trace::RecordedRun& run);

/// Rank after rank is read and dropped. Throws BadInput as trace::read_recorded_run does.
std::string contents_text(const std::filesystem::path& path);

}  // namespace warpfront::tools
