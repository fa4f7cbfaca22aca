// The critical path of a run of task lists: the chain of steps from the beginning of the run that determines the time
// of a moment.
//
// The steps follow each other without gaps, so their times add up to the time of the moment. When a step begins, its
// path is the path of the last event for which it waited: the end of a task that it depends on, a worker that becomes
// free, the manager, or the last of its transfers. If several such events happen at the same moment, the worker comes
// before the task.
//
//   compute    a block of a task, for the time that it takes alone
//   memory     the rest of a block whose core shares memory bandwidth
//   manager    the manager's service for this request and for earlier ones, and the worker's overhead
//   latency    the delay before a transfer
//   data       a transfer, for the time that it takes alone
//   sharing    the rest of a transfer
//   absent     the absence of a worker before it joins, or the work that was lost with a worker
//
// A step is queued if its task waited only for a free worker. Absence, and all steps of tasks within a queued task, are
// queued as well. The other steps began as soon as the conditions of their task were true, their list began, or the
// manager was free. If no step is queued, additional workers can shorten only the parts memory and sharing. Otherwise,
// the parts before and after the queued steps could also overlap.
//
// Memory: consecutive steps of the same kind are merged unless another path contains the first of them. Paths share
// their common parts. A part is freed with the last path that contains it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "simulator/program/task_lists.hpp"
#include "simulator/record/record.hpp"
#include "simulator/tasks/layout.hpp"
#include "simulator/tasks/sequence.hpp"

namespace warpfront::tasks {

enum class PathStep : std::uint8_t { compute, memory, manager, latency, data, sharing, absent };

struct PathLink {
    std::shared_ptr<PathLink> before{};
    std::int64_t until = 0;      // picoseconds; the step begins at the end of `before`
    std::int64_t count = 0;      // number of merged steps
    std::int64_t saturated = 0;  // for memory steps: the whole time of their blocks
    std::uint32_t task = kNobody;
    PathStep step = PathStep::compute;
    bool queued = false;

    PathLink() = default;
    PathLink(std::shared_ptr<PathLink> link, std::int64_t end, PathStep kind, bool has_waited, std::uint32_t of)
        : before(std::move(link)), until(end), count(1), task(of), step(kind), queued(has_waited) {}
    PathLink(const PathLink&) = delete;
    PathLink& operator=(const PathLink&) = delete;
    ~PathLink() {  // Frees link after link, since a path may be longer than the stack is deep.
        while (before && before.use_count() == 1) before = std::exchange(before->before, nullptr);
    }
};

/// The end of a path; null if no path is requested.
using Path = std::shared_ptr<PathLink>;

/// Extends the path to `until` by a step. `task` is the task of a compute step.
inline void extend(Path& path, std::int64_t until, PathStep step, bool queued, std::uint32_t task = kNobody) {
    if (!path || until == path->until) return;
    const bool goes_on = path->before && path->step == step && path->queued == queued && path->task == task;
    if (goes_on && path.use_count() == 1) {
        path->until = until;
        ++path->count;
        return;
    }
    path = std::make_shared<PathLink>(std::move(path), until, step, queued, task);
}

/// Returns the sums over a path, by kind of step and by task. `tasks` contains the names.
record::TaskPath sums_of(const Path& path, const std::vector<program::Task>& tasks);

/// The paths at the current moment: the path of the event that is being handled, and those of the tasks that it
/// releases. If paths are not requested, no function is called and `now` is null.
class MomentPaths {
public:
    explicit MomentPaths(bool wanted) : wanted_(wanted) {
        if (wanted) now = std::make_shared<PathLink>();
    }

    Path now;  // path of the event that is being handled

    bool wanted() const { return wanted_; }
    /// Removes the paths of the current moment, when time advances.
    void forget();
    /// Records that the current event ends the task at `place`, or that this task is given back to its list.
    void release(SequenceId list, std::int64_t place);
    /// Records the window of the list. Must be called before workers take places of the list.
    void note_window(SequenceId list, const Sequence& sequence);
    /// Records that a worker takes `place`, and sets `now` to the path of its task. `asking` is the path of the worker
    /// if it requests a task at this moment, and nullptr if it has requested one earlier. `begins` is true if the list
    /// begins at this moment. Returns true if the task could have begun earlier if a worker had been free.
    bool grant(SequenceId list, Sequence& sequence, std::int64_t place, const Path* asking, bool begins);
    /// Returns the path up to the end of the list, whose last task ended at this moment.
    Path of_end(SequenceId list) const;

private:
    struct OfList {
        Path released;  // path of the latest task that is done
        Path granted;   // path of the latest task that was taken
        /// The first place that was not yet a candidate when the first task of this moment was taken.
        std::optional<std::int64_t> behind_window;
        bool queued = false;  // true if the latest task that was taken could have been taken earlier
    };

    const Path* release_of(SequenceId list, Sequence& sequence, std::int64_t place) const;

    bool wanted_;
    std::map<std::pair<SequenceId, std::int64_t>, Path> releases_;  // by place
    std::map<SequenceId, OfList> lists_;
};

}  // namespace warpfront::tasks
