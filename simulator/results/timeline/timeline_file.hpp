// A timeline as a file that viewers open. The ending of the file's name decides:
//   .pftrace  Perfetto's protobuf (ui.perfetto.dev), compressed; times are rounded down to nanoseconds
//   .json     Chrome's trace events (chrome://tracing, Perfetto); microseconds with six decimals, which are exact
//   .paje     Paje (ViTE, pj_dump); seconds with twelve decimals, which are exact
// All have a track for each rank with its activities, arrows of messages, and how many buses, NICs and links messages of the
// ranks hold on average.
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

enum class TimelineFormat : std::uint8_t { perfetto, chrome, paje };

/// By the ending of the name; nothing for any other.
std::optional<TimelineFormat> timeline_format(const std::filesystem::path& file);

std::string timeline_text(TimelineFormat format, const record::Timeline& timeline, const TimelineNames& names);

}  // namespace warpfront::results
