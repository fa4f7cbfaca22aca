// Recorded runs in the format of `dumpi2ascii`, made from DUMPI's traces: a folder with a text for each rank, whose
// names end with the rank's number (`dumpi-2013.09.26.10.55.53-0003.txt`). A call is
//
//   MPI_Send entering at walltime 8153.049312000, cputime 0.004400000 seconds in thread 0.
//   int count=10
//   MPI_Datatype datatype=14 (MPI_DOUBLE)
//   int dest=1
//   int tag=5
//   MPI_Comm comm=2 (MPI_COMM_WORLD)
//   MPI_Send returning at walltime 8153.049313000, cputime 0.004400000 seconds in thread 0.
//
// Other lines are skipped. Sizes of types that a code makes are in lines `Datatype 28 (user-defined) has size 80`,
// which `-X` adds to the calls of `-S`: `dumpi2ascii -SX`. The receive side of an allgather, an alltoall and the gather
// of a root is used for the size, since a call in place (MPI_IN_PLACE) has no other. The ranks of communicators follow
// from MPI_Comm_split and MPI_Comm_dup on all ranks.
#pragma once

#include <filesystem>
#include <vector>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::trace {

/// Returns the texts of a folder by rank; none if it contains no such text.
std::vector<std::filesystem::path> dumpi_texts(const std::filesystem::path& folder);

/// Reads the run; `sources` are the texts by rank. Errors: dumpi_syntax, out_of_range, peer_outside, unknown_request,
/// trace_truncated, trace_too_large.
RecordedRun read_dumpi(const std::filesystem::path& folder, const std::vector<input::SourceFilePtr>& sources,
                       const input::SourceRange& mentioned_at, const TakeRank& take);

}  // namespace warpfront::trace
