// Conversion of a recorded run of any format, or of a part of it that all ranks have, to a recording
// (recording_format.h). The only time that is kept is the computing before each call.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::trace {

/// The events of one rank from `begin` up to `end`, exclusive.
struct EventRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Writes `rank-0.events` and so on to a folder, which is created. No request may be open at the ends of the ranges.
/// Throws BadInput: unwritable_file.
void write_recording(const RecordedRun& run, const std::vector<EventRange>& ranges,
                     const std::filesystem::path& folder);

}  // namespace warpfront::trace
