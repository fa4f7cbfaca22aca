// Tasks that can never begin, since each waits for a task that cannot begin before it.
//
//   strict list   workers take the first task that is left, one at a time. A task that waits for itself or for a later
//                 task is never taken, and neither are the tasks after it
//   other lists   a task waits for itself, directly or through other tasks
//   window        workers choose among several tasks, all of which wait for each other or for tasks after the window
//
// Tasks with a condition (Task::exists) count only if they exist. A reported wait is certain: every run that reaches
// the list deadlocks. Not all waits are found, since only the first thousand places of a list are examined. In lists
// within tasks, ten thousand places are examined in total, or fewer if they have many conditions. The lists within the
// first occurrence of each task are examined first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/program/task_lists.hpp"

namespace warpfront::program {

struct TaskPlace {
    std::uint32_t task = 0;
    std::vector<std::int64_t> indices;  // indices of the list, then of the task
    friend bool operator==(const TaskPlace&, const TaskPlace&) = default;
};

struct EndlessWait {
    /// A chain of tasks in which each waits for the next. In a strict list the chain has two tasks; the second is
    /// identical with the first, or is later in the list. In other lists the last task is identical with the first,
    /// unless `beyond` is set.
    std::vector<TaskPlace> chain;
    std::size_t condition = 0;  // index of the condition in `after` by which the first task waits
    bool is_later = false;      // true if the second task of a strict list follows the first one in the list
    std::int64_t beyond = 0;    // size of the window, if the last task is beyond it; 0 otherwise
};

/// Returns the first endless wait that is found; nothing if none is found. Throws BadInput if a formula fails.
std::optional<EndlessWait> endless_wait(const TaskLists& lists);

}  // namespace warpfront::program
