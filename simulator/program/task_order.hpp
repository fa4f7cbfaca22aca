// Tasks that can never begin, since they wait for one that begins only after them.
//
//   strict list   workers take the first task that is left, one at a time: a task that waits for itself or for a later
//                 one is never taken, nor is any behind it
//   other lists   a task that waits for itself, or for one that waits for it, over any number of tasks
//   with a window of tasks to choose among, too: all of it waits for one another or for tasks behind it
//
// Tasks behind conditions (Task::exists) count where they exist. What is found is certain: its tasks exist, and every
// run that comes to the list ends there. Not all is found: the first thousand places of a list are looked at, and of
// lists within tasks ten thousand in all, or fewer with many conditions, those of the first task of each kind before
// others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/program/task_lists.hpp"

namespace warpfront::program {

struct TaskPlace {
    std::uint32_t task = 0;
    std::vector<std::int64_t> indices;  // of the list, then of the task
    friend bool operator==(const TaskPlace&, const TaskPlace&) = default;
};

struct EndlessWait {
    /// Each waits for the next. In a strict list two, the second of them the first again or later in the list; else the
    /// last is the first again, or `beyond` is set.
    std::vector<TaskPlace> chain;
    std::size_t condition = 0;  // by its number in `after` of the first task
    bool is_later = false;      // strict list: the second comes later
    std::int64_t beyond = 0;    // a window of so many tasks: the last is behind it, and no other of it ever begins
};

/// Nothing: none was found. Throws what the formulas throw.
std::optional<EndlessWait> endless_wait(const TaskLists& lists);

}  // namespace warpfront::program
