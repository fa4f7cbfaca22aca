// The part of a timeline that the page of `report` draws: its first ranks, and a window of time with few enough spans
// to be visible. Chrome's format contains it in `otherData`, so the page does not read the events.
#pragma once

#include <cstddef>
#include <cstdint>

#include <nlohmann/json.hpp>

#include "simulator/record/timeline.hpp"
#include "simulator/results/timeline/timeline_file.hpp"

namespace warpfront::results {

/// The size of an excerpt. `spans` counts those of all ranks together, and is at least the number of ranks.
struct ExcerptSize {
    std::size_t ranks = 12;
    std::size_t spans = 1500;
};

/// The spans within a window of time, cut at its ends, and the messages whose receivers take them in the window.
struct TimelineExcerpt {
    record::Timeline timeline;
    Time begin;
    Time end;
};

/// The window of an excerpt begins with the first span of these ranks, and ends before the first span that would exceed
/// the size of the excerpt. If all ranks wait for more than half of this window, because the wave reaches them late,
/// the window is moved: it begins before the first work of a rank, by 1 / kLead of the remaining window.
inline constexpr std::int64_t kLead = 8;  // an eighth of the excerpt
TimelineExcerpt excerpt_of(const record::Timeline& whole, ExcerptSize size = {});

/// Formats the excerpt for browser/timeline.js of the page, schema `warpfront.timeline-excerpt/1`. Times are
/// picoseconds from the beginning of the window:
///   ranks     [{name, number, spans: [[begin, end, activity, statement]], collectives: [[begin, end, statement]]}]
///   messages  [[from, to, left, received, bytes]], ends by place in `ranks`
/// with indices into `activities` and `statements`; `begin_s` and `end_s` of the window, `ranks_in_file`,
/// `begin_of_file_s` and `end_of_file_s`: the times at which the first span of these ranks begins and their last one
/// ends.
nlohmann::ordered_json excerpt_json(const record::Timeline& timeline, const TimelineNames& names);

}  // namespace warpfront::results
