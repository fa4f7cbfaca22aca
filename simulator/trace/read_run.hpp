// Recorded runs of all formats: recordings of the tracer of warpfront, archives of OTF2, schedules of GOAL, texts of
// dumpi2ascii, SimGrid's time-independent traces.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "simulator/trace/recorded_run.hpp"
#include "simulator/trace/simgrid.hpp"

namespace warpfront::trace {

/// The files of a run, whose format is recognised by their content.
struct RunFiles {
    enum class Format : std::uint8_t { none, recording, otf2, goal, dumpi, simgrid };

    RunFiles() = default;
    /// Recognises the format of a folder or file; `none` for others, among them lists of traces that do not exist.
    RunFiles(std::filesystem::path path);  // NOLINT(google-explicit-constructor)

    /// Returns true if the run has times; SimGrid's traces have flops.
    bool has_times() const { return format != Format::none && format != Format::simgrid; }

    Format format = Format::none;
    std::filesystem::path path;                // path of the run as given
    std::vector<std::filesystem::path> files;  // anchor of an archive, or texts of dumpi2ascii by rank
};

/// Reads a run. A file of no known format is read as a list of traces and causes the errors of such a list. With
/// `take`, each rank is passed to `take` once it is read, and the result contains no ranks. Throws BadInput:
/// unreadable_file, trace_too_large, and the errors of each format.
RecordedRun read_recorded_run(const RunFiles& files, const SourceRange& mentioned_at, const TakeRank& take = {},
                              const TraceSettings& settings = {});

/// Formats the place of the first unread call: "rank 3, after 120 other calls, a.c:17 in main".
std::string first_place(const RecordedRun& run, const Unread& unread);

}  // namespace warpfront::trace
