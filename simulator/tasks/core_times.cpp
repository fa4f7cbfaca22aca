#include "simulator/tasks/core_times.hpp"

#include <algorithm>
#include <utility>

namespace warpfront::tasks {

CoreTimes::CoreTimes(const Layout& layout, const std::optional<record::TimelineWindow>& window)
    : layout_(layout), workers_(layout.workers()), compute_of_(layout.cores()), window_(window) {
    if (!window_) return;
    for (std::uint32_t rank = window_->first.index; rank <= window_->last.index; ++rank) {
        timeline_.ranks.push_back({{rank}, {}, {}, {}});
    }
}

void CoreTimes::change(WorkerId worker, std::int64_t now, Doing next, std::uint16_t site, bool no_task) {
    using record::CoreTime;
    const Activity& before = workers_[worker];
    WideTime CoreTime::*part = &CoreTime::conditions;
    switch (before.doing) {
        case Doing::nothing: part = no_task ? &CoreTime::no_task : &CoreTime::conditions; break;
        case Doing::asking: part = &CoreTime::manager; break;
        case Doing::waiting_for_data: part = &CoreTime::data; break;
        case Doing::computing: part = &CoreTime::compute; break;
        case Doing::absent: part = &CoreTime::absent; break;
    }
    const std::uint32_t cores = layout_.cores_of(worker);
    if (now > before.since) {
        const Wide spent = now - before.since;
        sums_.*part += {spent * cores};
        intervals_.add(before.since, now, [&](CoreTime& sum, std::int64_t ps) { sum.*part += {Wide{ps} * cores}; });
        if (before.doing == Doing::computing) {
            const WorkerId first = layout_.first_core_of(worker);
            for (WorkerId core = first; core < first + cores; ++core) compute_of_[core] += {spent};
        }
        if (window_) draw_spans(worker, now);
    }
    workers_[worker] = {now, next, site};
}

/// Adds the worker's activity since the last change to the timeline of each of its cores.
void CoreTimes::draw_spans(WorkerId worker, std::int64_t now) {
    const Activity& activity = workers_[worker];
    const Time begin = std::max(Time{activity.since}, window_->from);
    const Time end = window_->until ? std::min(Time{now}, *window_->until) : Time{now};
    if (begin >= end || timeline_.cut) return;
    const bool waits = activity.doing != Doing::computing;
    const record::Span span{begin, end, waits ? record::Activity::wait : record::Activity::compute, activity.site};
    const WorkerId first = layout_.first_core_of(worker);
    for (WorkerId core = first; core < first + layout_.cores_of(worker); ++core) {
        const Rank rank = layout_.rank_of(core);
        if (rank < window_->first || rank > window_->last) continue;
        std::vector<record::Span>& spans = timeline_.ranks[rank.index - window_->first.index].spans;
        const bool goes_on =
            waits && !spans.empty() && spans.back().activity == span.activity && spans.back().site == span.site;
        if (goes_on) {
            spans.back().end = span.end;
        } else if (++spans_ <= window_->most_spans) {
            spans.push_back(span);
        } else {
            timeline_.cut = begin;
        }
    }
}

record::Timeline CoreTimes::timeline() {
    if (!timeline_.cut) return std::move(timeline_);
    for (record::RankTimeline& each : timeline_.ranks) {
        std::erase_if(each.spans, [&](const record::Span& span) { return span.begin >= *timeline_.cut; });
        if (!each.spans.empty()) each.spans.back().end = std::min(each.spans.back().end, *timeline_.cut);
    }
    return std::move(timeline_);
}

}  // namespace warpfront::tasks
