// A timeline as a file that viewers open. The ending of the file's name decides:
//   .pftrace  Perfetto's protobuf (ui.perfetto.dev), compressed; times are rounded down to nanoseconds
//   .json     Chrome's trace events (chrome://tracing, Perfetto); microseconds with six decimals, which are exact
//   .paje     Paje (ViTE, pj_dump); seconds with twelve decimals, which are exact
//   .otf2     Open Trace Format 2 (Vampir, Scalasca, otf2-print); picoseconds, which are exact; NAME.otf2, NAME.def,
//             NAME/
//   .prv      Paraver; times are rounded down to nanoseconds; NAME.prv, NAME.pcf, NAME.row
// All have a track for each rank with its activities, and messages. The first three have how many buses, NICs and links
// messages of the ranks hold on average; the last two have calls of MPI (mpi_calls.hpp), without the messages within
// collectives.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "simulator/record/timeline.hpp"
#include "simulator/results/timeline/names.hpp"

namespace warpfront::results {

/// What Chrome's format says of itself in `otherData`.
inline constexpr std::string_view kTimelineSchema = "warpfront.timeline/1";
/// The name of a collective's slice, around those of its activities.
inline constexpr std::string_view kCollectiveName = "collective";

enum class TimelineFormat : std::uint8_t { perfetto, chrome, paje, otf2, paraver };

/// By the ending of the name; nothing for any other.
std::optional<TimelineFormat> timeline_format(const std::filesystem::path& file);

/// Whether it is several files.
bool is_several_files(TimelineFormat format);

/// For a format that is one file.
std::string timeline_text(TimelineFormat format, const record::Timeline& timeline, const TimelineNames& names);

/// For a format that is several: `file` and those beside it, into its folder, which is empty. Throws
/// std::runtime_error.
void write_timeline_files(TimelineFormat format, const record::Timeline& timeline, const TimelineNames& names,
                          const std::filesystem::path& file);

}  // namespace warpfront::results
