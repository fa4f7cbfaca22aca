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

#include "simulator/record/timeline.hpp"
#include "simulator/results/timeline/names.hpp"

namespace warpfront::results {

enum class TimelineFormat : std::uint8_t { perfetto, chrome, paje };

/// By the ending of the name; nothing for any other.
std::optional<TimelineFormat> timeline_format(const std::filesystem::path& file);

std::string timeline_text(TimelineFormat format, const record::Timeline& timeline, const TimelineNames& names);

}  // namespace warpfront::results
