// The formats of timelines, one source each.
#pragma once

#include <string>

#include "simulator/record/timeline.hpp"
#include "simulator/results/timeline/names.hpp"

namespace warpfront::results {

std::string perfetto_text(const record::Timeline& timeline, const TimelineNames& names);
std::string chrome_text(const record::Timeline& timeline, const TimelineNames& names);
std::string paje_text(const record::Timeline& timeline, const TimelineNames& names);

}  // namespace warpfront::results
