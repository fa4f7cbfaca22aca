// A recorded run, or a part of it that all ranks have, as a recording (recording_format.h): of whatever format it was
// read. Times of calls are not kept, only the computing before each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::trace {

/// Events of one rank, from `begin` to `end`, that one not included.
struct EventRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Writes `rank-0.events` and so on to a folder, which is made. No request may be open at the ends of the ranges.
/// Throws BadInput: unwritable_file.
void write_recording(const RecordedRun& run, const std::vector<EventRange>& ranges,
                     const std::filesystem::path& folder);

}  // namespace warpfront::trace
