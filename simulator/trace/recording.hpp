// The folder written by `warpfront record`: a file of records for each rank (recording_format.h), recording.yaml with
// the command and the parameters, sites.txt with the places of calls in the code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::trace {

bool is_recording(const std::filesystem::path& folder);
RecordedRun read_recording(const std::filesystem::path& folder, const input::SourceRange& mentioned_at,
                           const TakeRank& take = {});

/// Returns the calls' places of all ranks, each once: module and address within it.
std::vector<std::pair<std::string, std::uint64_t>> sites_of_recording(const std::filesystem::path& folder);

/// Returns the first line of the text of MPI_Get_library_version; empty if the recording does not have it.
std::string mpi_of_recording(const std::filesystem::path& folder);

}  // namespace warpfront::trace
