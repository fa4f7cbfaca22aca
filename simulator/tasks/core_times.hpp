// The use of the time of cores in a run of task lists: the activity of each worker, with its beginning; the sums over
// all cores, for the whole run and over time; the timeline.
//
// The cause of a core's idle time is determined at its end: conditions, or the end of its list.
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

/// The activity of a worker: idle, requesting a task, waiting for records of the task that it will compute, or
/// computing; or the worker is absent.
enum class Doing : std::uint8_t { nothing, asking, waiting_for_data, computing, absent };

class CoreTimes {
public:
    CoreTimes(const Layout& layout, const std::optional<record::TimelineWindow>& window);

    Doing doing(WorkerId worker) const { return workers_[worker].doing; }
    /// Begins the account of a worker. Its time before is accounted for by others, or not at all.
    void begin(WorkerId worker, std::int64_t now, Doing doing, std::uint16_t site) {
        workers_[worker] = {now, doing, site};
    }
    void resume(WorkerId worker, std::int64_t now) { workers_[worker].since = now; }
    /// Books the worker's present activity until now, and begins `next`; `site` is that of its task or of its list. For
    /// idle time, `no_task` selects the cause: no task was left to be taken.
    void change(WorkerId worker, std::int64_t now, Doing next, std::uint16_t site, bool no_task);

    const record::CoreTime& sums() const { return sums_; }
    record::Intervals<record::CoreTime> over_time() const { return intervals_.record(); }
    WideTime compute_of(WorkerId core) const { return compute_of_[core]; }
    /// Returns the timeline. If there were too many spans, those of all cores end with the first that was left out.
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
