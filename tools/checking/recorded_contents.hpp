// What a recorded run holds, for people: its calls with counts, bytes and sizes by communicator, computing, how much
// recording cost, ranks that are not whole, what is left out or refused, and where in the code the calls stand.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::tools {

/// Ends with a line break.
std::string contents_text(const trace::RecordedRun& run);

struct RecordedContents {
    std::string text;
    std::uint64_t lost = 0;  // calls that full buffers have lost
};
/// Reads a recorded run, rank after rank, and returns its contents. Throws BadInput as trace::read_recorded_run does.
RecordedContents contents_of(const std::filesystem::path& path);

}  // namespace warpfront::tools
