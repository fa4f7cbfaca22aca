// The closed form of lists of self-scheduled tasks. P workers take N tasks of mean time t and work W in all; q is the
// number of requests by the rule of the list, each of which takes the worker h and the manager, one after another, s.
//
//   no conditions      tasks of one length, c at a time: N = r c P + n, n < c P: (r c + min(c, n)) t + ceil(q / P) h;
//                      by another rule ceil(N / P) t + ceil(q / P) h
//                      tasks of several lengths: W / P + (1 - 1 / P) t_max + ceil(q / P) h
//                      (Graham 1969, the upper bound)
//   barriers           between the turns of a list with one kind of tasks: the sum of these times over the turns
//   other conditions   T = integral of ceil(p(t) / P) dt, p(t) the parallelism profile (below), each task
//                      with its share of q h, and P at most q. With D the length of the critical path,
//                      max(W / P, D) <= T <= W / P + (1 - 1 / P) D: one worker takes W, many take D, and barriers
//                      between tasks of one length take what they take
//   manager            every list takes at least q s
//   memory             if cores share its bandwidth, all of them compute: work times slowing_of (patch.hpp)
//   task of a node     C: its blocks and lists; R, W: reading and writing, over the node's channel or its share of the
//                      servers, n nodes at a time
//                      in the memory of the nodes (1 - 1 / n) of both, and each channel has R + W
//   list on n nodes    ceil(N / n) periods and what remains: without tasks ahead a period is the later of R + C and W,
//                      then W remains; with them the latest of C, R, W and, if a channel is shared, R + W; then the
//                      first R and the last W remain   (Woodward and Anderson, "Portable Petaflop/s Programming")
//                      with conditions at least the T of tasks that take one period each
//
// Sums are over all tasks if a list has 100,000 places or fewer, else over 1,000 of each kind. A list with more places
// has no profile: its turns follow each other as with barriers, and conditions between its tasks for nodes are ignored.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/program/task_lists.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

// The parallelism profile of a list of tasks: p(t), the number of tasks that an unlimited number of workers would run
// at the time t if each task began once its conditions are done, regardless of the order of the list (Sevcik 1989,
// "Characterizations of parallelism in applications and their use in scheduling").

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

struct TaskListTime {
    WideTime total;
    WideTime compute;                                  // C of the periods, requests included
    bool without_conditions = false;                   // true if a list has too many places for its conditions
    WideTime data() const { return total - compute; }  // Returns the transfer time that computing does not hide.
};

/// Predicts a program with lists. Throws BadInput if a formula fails, std::overflow_error beyond kHorizon.
TaskListTime task_list_time(const program::Program& program, const machine::Machine& machine);

}  // namespace warpfront::analytic
