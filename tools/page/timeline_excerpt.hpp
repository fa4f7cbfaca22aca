// What the page draws of a timeline: its first ranks, and of their time as much as has so few spans that each can be
// seen.
#pragma once

#include <cstddef>
#include <cstdint>

#include <nlohmann/json.hpp>

#include "simulator/record/timeline.hpp"
#include "tools/page/chrome_timeline.hpp"

namespace warpfront::tools {

/// `spans`: of all ranks together, and no fewer than ranks.
struct ExcerptSize {
    std::size_t ranks = 12;
    std::size_t spans = 1500;
};

/// What lies within a window of time, cut at its ends; messages whose receiver takes them there, too.
struct TimelineExcerpt {
    record::Timeline timeline;
    Time begin;
    Time end;
};

/// The window begins with the first span of these ranks, and ends before the first span for which there is no room.
/// Where they would all wait for more than half of it until the first of them works, as ranks do that a wave reaches
/// late, it begins `kLead` of the rest before that.
inline constexpr std::int64_t kLead = 8;  // an eighth
TimelineExcerpt excerpt_of(const record::Timeline& whole, ExcerptSize size = {});

/// For page/timeline.js, schema `warpfront.timeline-excerpt/1`. Times are picoseconds from the beginning of the window:
///   ranks     [{name, number, spans: [[begin, end, activity, statement]], collectives: [[begin, end, statement]]}]
///   messages  [[from, to, left, received, bytes]], ends by place in `ranks`
/// with indices into `activities` and `statements`; `begin_s` and `end_s` of the window, `ranks_in_file`,
/// `begin_of_file_s` and `end_of_file_s`: where the first span of these ranks begins and their last one ends.
nlohmann::ordered_json excerpt_json(const ChromeTimeline& file);

}  // namespace warpfront::tools
