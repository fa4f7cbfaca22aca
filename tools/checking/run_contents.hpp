// What a recorded run holds: its calls with counts, bytes and sizes by communicator, computing, ranks that are not whole,
// what is left out or refused, and where in the code the calls stand.
#pragma once

#include <filesystem>
#include <string>

namespace warpfront::tools {

/// Tables as text. Rank after rank is read and dropped. Throws BadInput as trace::read_recorded_run does.
std::string run_contents(const std::filesystem::path& path);

}  // namespace warpfront::tools
