// Tasks that can never begin, since they wait for a task that begins only after them.
//
//   strict list   workers take the first task that is left, one at a time: a task that waits for itself or for a later
//                 one is never taken, nor is any behind it
//   other lists   a task that waits for itself, or for one that waits for it, over any number of tasks
//   with a window of tasks to choose among, too: all of it waits for one another or for tasks behind it
//
// Tasks behind conditions (Task::exists) count if they exist. A reported wait is certain: its tasks exist, and every
// run that reaches the list ends there. Not all waits are found: the first thousand places of a list are examined, and
// ten thousand places of lists within tasks in all, or fewer with many conditions; the places of the first task of each
// kind come before others.
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
    /// Each task waits for the next. In a strict list the chain has two tasks, the second of them equal to the first or
    /// later in the list; else the last is equal to the first, or `beyond` is set.
    std::vector<TaskPlace> chain;
    std::size_t condition = 0;  // by its number in `after` of the first task
    bool is_later = false;      // strict list: the second comes later
    std::int64_t beyond = 0;    // the size of the window: the last task is behind it, and no other task of the window
                                // ever begins
};

/// Returns the first endless wait that is found, or nothing. Throws what the formulas throw.
std::optional<EndlessWait> endless_wait(const TaskLists& lists);

}  // namespace warpfront::program
