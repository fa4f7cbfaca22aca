// The contents of a recorded run as text: calls with counts, bytes and sizes by communicator, computing, the cost of
// recording, incomplete ranks, calls that are left out or refused, and the places of the calls in the code.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/trace/read_run.hpp"

namespace warpfront::tools {

/// Formats the contents. The text ends with a line break.
std::string contents_text(const trace::RecordedRun& run);

struct RecordedContents {
    std::string text;
    std::uint64_t lost = 0;  // calls lost because buffers were full
    std::uint32_t ranks = 0;
};
/// Reads a recorded run, rank by rank, and returns its contents. Throws BadInput as trace::read_recorded_run does.
RecordedContents contents_of(const trace::RunFiles& files);

}  // namespace warpfront::tools
