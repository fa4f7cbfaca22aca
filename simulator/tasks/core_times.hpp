// The time of cores in a run of task lists, by activity. It consists of the current activity of each worker and the
// time at which it began, the sums over all cores for the whole run and over time, and the timeline.
//
// Idle time has one of two causes: conditions of tasks that are not yet true, or the end of the list. The cause is
// determined at the end of the idle time.
//
// Used by one thread. The times of successive calls do not decrease.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/record/record.hpp"
#include "simulator/tasks/intervals.hpp"
#include "simulator/tasks/layout.hpp"

namespace warpfront::tasks {

/// The activity of a worker: idle, requesting a task, waiting for the records of its next task, computing, or absent.
enum class Doing : std::uint8_t { nothing, asking, waiting_for_data, computing, absent };

class CoreTimes {
public:
    CoreTimes(const Layout& layout, const std::optional<record::TimelineWindow>& window);

    Doing doing(WorkerId worker) const { return workers_[worker].doing; }
    /// Begins to count the time of a worker. Earlier time is counted for other workers, or not at all.
    void begin(WorkerId worker, std::int64_t now, Doing doing, std::uint16_t site) {
        workers_[worker] = {now, doing, site};
    }
    void resume(WorkerId worker, std::int64_t now) { workers_[worker].since = now; }
    /// Adds the time of the worker's current activity until now, and begins the activity `next`. `site` is the site of
    /// the worker's task or list. If the current activity is idle, its cause is the end of the list if `no_task` is
    /// true, and conditions otherwise.
    void change(WorkerId worker, std::int64_t now, Doing next, std::uint16_t site, bool no_task);

    const record::CoreTime& sums() const { return sums_; }
    record::Intervals<record::CoreTime> over_time() const { return intervals_.record(); }
    WideTime compute_of(WorkerId core) const { return compute_of_[core]; }
    /// Returns the timeline. If there were too many spans, the timeline of all cores ends at the first omitted span.
    record::Timeline timeline();

private:
    struct Activity {
        std::int64_t since = 0;
        Doing doing = Doing::nothing;
        std::uint16_t site = 0;
    };

    void draw_spans(WorkerId worker, std::int64_t now);

    const Layout& layout_;
    std::vector<Activity> workers_;
    record::CoreTime sums_;
    Intervals<record::CoreTime> intervals_;
    std::vector<WideTime> compute_of_;  // by core
    std::optional<record::TimelineWindow> window_;
    record::Timeline timeline_;
    std::size_t spans_ = 0;
};

}  // namespace warpfront::tasks
