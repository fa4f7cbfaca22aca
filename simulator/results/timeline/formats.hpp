// The formats of timelines, one source each.
#pragma once

#include <filesystem>
#include <string>

#include "simulator/record/timeline.hpp"
#include "simulator/results/timeline/names.hpp"

namespace warpfront::results {

std::string perfetto_text(const record::Timeline& timeline, const TimelineNames& names);
std::string chrome_text(const record::Timeline& timeline, const TimelineNames& names);
std::string paje_text(const record::Timeline& timeline, const TimelineNames& names);

struct ParaverText {
    std::string records;  // FILE.prv
    std::string names;    // FILE.pcf
    std::string rows;     // FILE.row
};
ParaverText paraver_text(const record::Timeline& timeline, const TimelineNames& names);

/// `file` is NAME.otf2; NAME.def and the folder NAME are beside it. Throws std::runtime_error.
void write_otf2(const record::Timeline& timeline, const TimelineNames& names, const std::filesystem::path& file);

}  // namespace warpfront::results
