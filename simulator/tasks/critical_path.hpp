// The critical path of a run of task lists: what made a moment as late as it is, back to the beginning.
//
// A path is a chain of steps that follow each other without gaps, so that its times add up to the moment. At every
// moment that something begins, its path is that of the last of what it waited for: the task that releases it, the
// worker that becomes free, the manager, the last of its transfers. Of what ends at the same moment any is right; the
// path takes the worker before the task.
//
//   compute    a block of a task, as long as it takes alone
//   memory     the rest of a block whose core shares memory bandwidth
//   manager    its service, of earlier requests too, and what a request takes the worker
//   latency    before a transfer
//   data       a transfer as long as it takes alone
//   sharing    the rest of a transfer
//   absent     of a worker that comes, or of one that is lost with what it did
//
// A step is queued where its task could have begun before, and began when its worker, or any, was free for it; so are
// all steps of tasks within a queued one, and absence. Other steps began once they could: the task's conditions held
// from then on, its list began, or the manager was free. Where no step is queued, more workers shorten memory and
// sharing alone; where some are, what lies before and behind them may overlap too.
//
// Memory: steps of equal kinds that follow each other are one, where nothing else has its path through the first. Paths
// share what they have in common, and end with the last that needs them.
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
    std::int64_t until = 0;      // picoseconds from the beginning; its step takes what lies behind the end of `before`
    std::int64_t count = 0;      // steps
    std::int64_t saturated = 0;  // of memory steps: all time of their blocks
    std::uint32_t task = kNobody;
    PathStep step = PathStep::compute;
    bool queued = false;

    PathLink() = default;
    PathLink(std::shared_ptr<PathLink> link, std::int64_t end, PathStep kind, bool has_waited, std::uint32_t of)
        : before(std::move(link)), until(end), count(1), task(of), step(kind), queued(has_waited) {}
    PathLink(const PathLink&) = delete;
    PathLink& operator=(const PathLink&) = delete;
    ~PathLink() {  // link after link, since a path may be longer than the stack is deep
        while (before && before.use_count() == 1) before = std::exchange(before->before, nullptr);
    }
};

/// Nothing where no path is wanted.
using Path = std::shared_ptr<PathLink>;

/// The path goes on to `until` by a step, which is one of the task if it computes.
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

/// The sums of a path, by step and by task; these have the names.
record::TaskPath sums_of(const Path& path, const std::vector<program::Task>& tasks);

/// Paths of one moment: of what is handled, and of what that makes free to begin. Unless they are wanted nothing is
/// called and `now` is nothing.
class MomentPaths {
public:
    explicit MomentPaths(bool wanted) : wanted_(wanted) {
        if (wanted) now = std::make_shared<PathLink>();
    }

    Path now;  // of what is handled

    bool wanted() const { return wanted_; }
    /// Another moment begins.
    void forget();
    /// What is handled ends the task of the place, or gives it back.
    void release(SequenceId list, std::int64_t place);
    /// Workers are about to take places of the list.
    void note_window(SequenceId list, const Sequence& sequence);
    /// A worker takes the place, and `now` becomes the path of its task. `asking`: the worker's, if it asks only now;
    /// nullptr: it has waited. `begins`: the list began in this moment. Whether the task could have begun before, had
    /// a worker been free.
    bool grant(SequenceId list, Sequence& sequence, std::int64_t place, const Path* asking, bool begins);
    /// Up to the end of the list, whose last task was released in this moment.
    Path of_end(SequenceId list) const;

private:
    struct OfList {
        Path released;  // of the latest task that is done
        Path granted;   // of the latest that was taken
        /// The first place that was no candidate when the first one was taken.
        std::optional<std::int64_t> behind_window;
        bool queued = false;  // the latest that was taken could have been before
    };

    const Path* release_of(SequenceId list, Sequence& sequence, std::int64_t place) const;

    bool wanted_;
    std::map<std::pair<SequenceId, std::int64_t>, Path> releases_;  // by place
    std::map<SequenceId, OfList> lists_;
};

}  // namespace warpfront::tasks
