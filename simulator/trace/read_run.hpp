// Recorded runs of all formats: recordings of our own tracer, archives of OTF2, schedules of GOAL, texts of
// dumpi2ascii.
#pragma once

#include <filesystem>
#include <string>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::trace {

/// Throws BadInput if the path is a binary file of DUMPI, which is read as the text that `dumpi2ascii` makes of it.
void refuse_binary_dumpi(const std::filesystem::path& path, const input::SourceRange& mentioned_at);

/// Returns true if a folder or file contains a run of one of the formats; else it is a list of SimGrid's traces, or
/// nothing.
bool is_recorded_run(const std::filesystem::path& path);

/// Reads a run and recognises the format of a folder or file by its content. With `take`, each rank is handed over once
/// it is read, and the result contains no ranks. Throws BadInput: unreadable_file, trace_too_large, and the errors of
/// each format.
RecordedRun read_recorded_run(const std::filesystem::path& path, const input::SourceRange& mentioned_at,
                              const TakeRank& take = {});

/// Formats the place of the first of such calls: "rank 3, behind 120 other calls, a.c:17 in main".
std::string first_place(const RecordedRun& run, const Unread& unread);

}  // namespace warpfront::trace
