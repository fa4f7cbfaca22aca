// The parallelism profile of a list of tasks: p(t), the number of tasks that an unlimited number of workers would run
// at the time t if each task began once its conditions are done, regardless of the order of the list (Sevcik 1989,
// "Characterizations of parallelism in applications and their use in scheduling").
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "simulator/program/task_lists.hpp"

namespace warpfront::analytic {

/// The start and end of a task with an unlimited number of workers, in picoseconds from the beginning of its list.
struct TaskSpan {
    double begin = 0.0;
    double end = 0.0;
};

/// Returns the time of a task with these indices.
using TaskTime = std::function<double(const program::Task&, std::vector<std::int64_t>&)>;

/// Returns the spans of all tasks of a list in its order; `around` contains the indices around the list.
std::vector<TaskSpan> earliest_spans(const program::TaskLists& lists, const program::TaskNumbers& numbers,
                                     const program::TaskList& list, const std::vector<std::int64_t>& around,
                                     const TaskTime& time_of);

/// Returns the integral of ceil(p(t) / P) over time: P workers run the p(t) tasks of every moment in rounds.
double time_in_rounds(const std::vector<TaskSpan>& spans, double workers);

}  // namespace warpfront::analytic
