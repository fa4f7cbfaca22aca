// A timeline as a file for viewers. The ending of the file's name selects the format:
//   .pftrace  Perfetto's protobuf (ui.perfetto.dev), compressed; times are rounded down to nanoseconds
//   .json     Chrome's trace events (chrome://tracing, Perfetto); microseconds with six decimals, which are exact
//   .otf2     Open Trace Format 2 (Vampir, Scalasca, ViTE); picoseconds, which are exact; NAME.otf2, NAME.def,
//             NAME/
//   .prv      Paraver; times are rounded down to nanoseconds; NAME.prv, NAME.pcf, NAME.row
// All have a track for each rank with its activities, and messages. The first two show the average number of buses,
// NICs and links occupied by messages of the ranks; the last two have calls of MPI (mpi_calls.hpp), without the
// messages within collectives. Each format has a separate source file; common parts are at the end of this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/program/program.hpp"
#include "simulator/record/timeline.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::results {

/// The schema in `otherData` of Chrome's format.
inline constexpr std::string_view kTimelineSchema = "warpfront.timeline/1";

/// The names in timelines.
struct TimelineNames {
    std::string title;
    const program::Program& program;
    std::function<Node(Rank)> node_of;

    /// Formats "rank 3 (column 4, row 1), node 1".
    std::string of(Rank rank) const;
    /// Formats "send 8B to east at m.psl:4".
    std::string statement(std::uint16_t site) const;
};

enum class TimelineFormat : std::uint8_t { perfetto, chrome, otf2, paraver };

/// Returns the format that the ending of the name selects; nothing for an unknown ending.
std::optional<TimelineFormat> timeline_format(const std::filesystem::path& file);

/// Returns the Debian package of the format if the program was built without it, so that the format cannot be written;
/// otherwise an empty text.
std::string_view missing_package(TimelineFormat format);

/// Returns true if the format has several files.
bool is_several_files(TimelineFormat format);

/// Returns the text of a format that is one file.
std::string timeline_text(TimelineFormat format, const record::Timeline& timeline, const TimelineNames& names);

/// Writes all files of a format with several files into the folder of `file`, which must be empty. Throws
/// std::runtime_error.
void write_timeline_files(TimelineFormat format, const record::Timeline& timeline, const TimelineNames& names,
                          const std::filesystem::path& file);

// One function for each format.
std::string perfetto_text(const record::Timeline& timeline, const TimelineNames& names);
std::string chrome_text(const record::Timeline& timeline, const TimelineNames& names);

struct ParaverText {
    std::string records;  // FILE.prv
    std::string names;    // FILE.pcf
    std::string rows;     // FILE.row
};
ParaverText paraver_text(const record::Timeline& timeline, const TimelineNames& names);

/// Writes an archive, whose `file` is NAME.otf2, with NAME.def and the folder NAME beside it. Throws
/// std::runtime_error.
void write_otf2(const record::Timeline& timeline, const TimelineNames& names, const std::filesystem::path& file);

// Common parts of the formats: messages as ends on spans, and the number of occupied resources of a kind over time.

/// One end of a message: message `number` of the timeline, on a span of its rank.
struct FlowEnd {
    std::size_t span = 0;
    std::size_t number = 0;
};

/// The ends of messages, by place of the rank in the timeline and by span: the messages that leave during the span (or
/// at its end), and those that are taken in it. A message with an end outside of all spans is omitted.
struct Flows {
    std::vector<std::vector<FlowEnd>> leave;
    std::vector<std::vector<FlowEnd>> received;
};
Flows flows_of(const record::Timeline& timeline);

/// The average number of occupied resources from this time until that of the next level.
struct Level {
    Time time;
    double occupied = 0.0;
};
/// The number of equal intervals from the first to the last occupancy. Each interval whose average number of occupied
/// resources differs from that of the previous interval has a level; the last level is 0. A timeline without
/// occupancies of the resource has one level, 0 at time 0. Averages are used since a level for each change of the
/// number would take more memory than all activities of ranks.
inline constexpr std::int64_t kLevels = 2048;
std::vector<Level> levels_of(const record::Timeline& timeline, record::Resource resource);

}  // namespace warpfront::results
