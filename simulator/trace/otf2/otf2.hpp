// OTF2 archives as recorded runs, written by EZTrace and Score-P for MPI codes.
//
//   ranks          the members of the group of MPI's locations, in order; other threads are not read
//   calls          regions whose names begin with MPI_, with the messages and collectives within them; messages
//                  outside of such regions are calls by themselves
//   computing      the time between regions of MPI, from the end of MPI_Init
//   receives       the source is recorded at the end of a receive: receives from any source have the recorded source
//   collectives    sizes are those of all shares together in Score-P, of one share in EZTrace. Shares that differ by
//                  rank are not in an archive: they are assumed to be equal
//
// Refused by name: a posted receive whose end is not in the archive (EZTrace has none of them), a collective over ranks
// that are not defined in the archive, one-sided communication.
#pragma once

#include <filesystem>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::trace {

/// Reads an archive. Throws BadInput bad_recording if the library of OTF2 cannot read it.
RecordedRun read_otf2(const std::filesystem::path& anchor, const input::SourceRange& mentioned_at,
                      const TakeRank& take);

}  // namespace warpfront::trace
