// OTF2 archives as recorded runs: what EZTrace and Score-P write of MPI codes.
//
//   ranks          the members of the group of MPI's locations, in order; other threads are not read
//   calls          regions whose names begin with MPI_, with the messages and collectives that stand in them; messages
//                  outside of such regions are calls by themselves
//   computing      the time between regions of MPI, from the end of MPI_Init
//   receives       what is posted is known at its end: receives from any source are of the source that they had
//   collectives    sizes are those of all shares together, as Score-P has them; EZTrace has one share. Shares that
//                  differ by rank are not in an archive: they are taken to be alike
//
// A posted receive whose end is not in the archive (EZTrace has none of them), a collective over ranks that the archive
// does not know, one-sided communication: refused by name.
#pragma once

#include <filesystem>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::trace {

/// An anchor file (`.otf2`), or a folder with one of them.
std::optional<std::filesystem::path> otf2_anchor(const std::filesystem::path& path);

/// Throws BadInput bad_recording where the library of OTF2 cannot read the archive.
RecordedRun read_otf2(const std::filesystem::path& anchor, const input::SourceRange& mentioned_at,
                      const TakeRank& take);

}  // namespace warpfront::trace
