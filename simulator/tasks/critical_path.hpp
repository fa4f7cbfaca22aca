// The critical path of a run of task lists: what made a moment as late as it is, back to the beginning.
//
// A path is a chain of steps that follow each other without gaps, so that its times add up to the moment. At every
// moment that something begins, its path is that of the last of what it waited for: the task that releases it, the
// worker that becomes free, the manager, the last of its transfers. Of what ends at the same moment any is right; the
// path takes the worker before the task.
//
//   compute    a block of a task that began once it could: its conditions held from then on, or its list began
//   queued     a block of a task that could have begun before, and began when its worker, or any, was free for it
//   manager    its service, of earlier requests too, and what a request takes the worker
//   latency    before a transfer
//   data       a transfer as long as it takes alone
//   sharing    the rest of a transfer
//   absent     of a worker that comes, or of one that is lost with what it did
//
// Memory: steps of equal kinds that follow each other are one, where nothing else has its path through the first. Paths
// share what they have in common, and end with the last that needs them.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "simulator/program/task_lists.hpp"
#include "simulator/record/record.hpp"
#include "simulator/tasks/layout.hpp"

namespace warpfront::tasks {

enum class PathStep : std::uint8_t { compute, queued, manager, latency, data, sharing, absent };

struct PathLink {
    std::shared_ptr<PathLink> before{};
    std::int64_t until = 0;  // picoseconds from the beginning; its step takes what lies behind the end of `before`
    std::int64_t count = 0;  // steps
    std::uint32_t task = kNobody;
    PathStep step = PathStep::compute;

    PathLink() = default;
    PathLink(std::shared_ptr<PathLink> link, std::int64_t end, PathStep kind, std::uint32_t of)
        : before(std::move(link)), until(end), count(1), task(of), step(kind) {}
    PathLink(const PathLink&) = delete;
    PathLink& operator=(const PathLink&) = delete;
    ~PathLink() {  // link after link, since a path may be longer than the stack is deep
        while (before && before.use_count() == 1) before = std::exchange(before->before, nullptr);
    }
};

/// Nothing where no path is wanted.
using Path = std::shared_ptr<PathLink>;

inline Path path_from_beginning() { return std::make_shared<PathLink>(); }

/// The path goes on to `until` by a step, which is one of the task if it computes.
inline void extend(Path& path, std::int64_t until, PathStep step, std::uint32_t task = kNobody) {
    if (!path || until == path->until) return;
    if (path.use_count() == 1 && path->before && path->step == step && path->task == task) {
        path->until = until;
        ++path->count;
        return;
    }
    path = std::make_shared<PathLink>(std::move(path), until, step, task);
}

/// The sums of a path, by step and by task; these have the names.
inline record::TaskPath sums_of(const Path& path, const std::vector<program::Task>& tasks) {
    record::TaskPath sums;
    for (const program::Task& task : tasks) sums.tasks.push_back({task.name, {}, {}, 0});
    for (const PathLink* link = path.get(); link->before; link = link->before.get()) {
        const WideTime time{link->until - link->before->until};
        switch (link->step) {
            case PathStep::queued: sums.tasks[link->task].queued += time; [[fallthrough]];
            case PathStep::compute:
                sums.compute += time;
                sums.tasks[link->task].compute += time;
                sums.tasks[link->task].blocks += link->count;
                break;
            case PathStep::manager: sums.manager += time; break;
            case PathStep::latency: sums.latency += time; break;
            case PathStep::data: sums.data += time; break;
            case PathStep::sharing: sums.sharing += time; break;
            case PathStep::absent: sums.absent += time; break;
        }
    }
    return sums;
}

}  // namespace warpfront::tasks
