// The readers of the formats of recorded runs; read_run.hpp recognises the format. The source file of each reader
// describes its format. The reader of SimGrid's traces is in simgrid.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::trace {

// The folder that `warpfront record` writes: recording.cpp.

bool is_recording(const std::filesystem::path& folder);
RecordedRun read_recording(const std::filesystem::path& folder, const SourceRange& mentioned_at,
                           const TakeRank& take = {});

/// Returns the places of the calls of all ranks, each once: a module and an address within it.
std::vector<std::pair<std::string, std::uint64_t>> sites_of_recording(const std::filesystem::path& folder);

/// Returns the first line of the text of MPI_Get_library_version; empty if the recording does not have it.
std::string mpi_of_recording(const std::filesystem::path& folder);

// GOAL, the schedules of LogGOPSim: goal.cpp.

/// Returns true if the first word is `num_ranks`.
bool is_goal(std::string_view text);

/// Reads a schedule. Errors: goal_syntax, goal_order, unknown_name, duplicate_name, peer_outside, self_message,
/// out_of_range, trace_too_large.
RecordedRun read_goal(const SourceFilePtr& source, const SourceRange& mentioned_at, const TakeRank& take);

// Texts of dumpi2ascii: dumpi.cpp.

/// Returns the texts of a folder by rank; none if it contains no such text.
std::vector<std::filesystem::path> dumpi_texts(const std::filesystem::path& folder);

/// Reads the run; `sources` are the texts by rank. Errors: dumpi_syntax, out_of_range, peer_outside, unknown_request,
/// trace_truncated, trace_too_large.
RecordedRun read_dumpi(const std::filesystem::path& folder, const std::vector<SourceFilePtr>& sources,
                       const SourceRange& mentioned_at, const TakeRank& take);

// Archives of OTF2: otf2/otf2.cpp, an optional part.

/// Reads an archive. Throws BadInput bad_recording if the library of OTF2 cannot read it.
RecordedRun read_otf2(const std::filesystem::path& anchor, const SourceRange& mentioned_at, const TakeRank& take);

}  // namespace warpfront::trace
