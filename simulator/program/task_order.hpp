// Tasks that can never begin, since they wait for a task that begins only after them.
//
//   strict list   workers take the first task that is left, one at a time: a task that waits for itself or for a later
//                 task is never taken, and neither are the tasks after it
//   other lists   a task waits for itself, directly or through other tasks
//   window        workers choose among several tasks, all of which wait for one another or for tasks after the window
//
// Tasks with a condition (Task::exists) count only if they exist. A reported wait is certain: its tasks exist, and
// every run that reaches the list deadlocks there. Not all waits are found: only the first thousand places of a list
// are examined, and ten thousand places of all lists within tasks, or fewer if they have many conditions. The lists
// within the first task of each kind are examined before those within others.
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
    /// Each task waits for the next. In a strict list the chain has two tasks, the second of them equal to the first or
    /// later in the list; else the last is equal to the first, or `beyond` is set.
    std::vector<TaskPlace> chain;
    std::size_t condition = 0;  // index of the condition in `after` of the first task
    bool is_later = false;      // true if the second task of a strict list comes after the first
    std::int64_t beyond = 0;    // if set, the size of the window: the last task comes after it, and no task of the
                                // window ever begins
};

/// Returns the first endless wait that is found, or nothing. Throws BadInput if a formula fails.
std::optional<EndlessWait> endless_wait(const TaskLists& lists);

}  // namespace warpfront::program
