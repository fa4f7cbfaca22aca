// The closed form of lists of self-scheduled tasks. P workers take N tasks of mean time t. W is the total time of all
// tasks. With the rule of the list (`take`), the workers make q requests. A request takes the time h of the worker and
// the time s of the manager.
//
//   no conditions      tasks of one length, taken c at a time, with N = r c P + n and n < c P:
//                        (r c + min(c, n)) t + ceil(q / P) h
//                      tasks of one length, taken by another rule: ceil(N / P) t + ceil(q / P) h
//                      tasks of several lengths: W / P + (1 - 1 / P) t_max + ceil(q / P) h
//                      (Graham 1969, the upper bound)
//   barriers           between the turns of a list with one kind of tasks: the sum of these times over the turns
//   other conditions   T = integral of ceil(p(t) / P) dt. The parallelism profile p(t) is the number of tasks that an
//                      unlimited number of workers would run at the time t if each task began once its conditions are
//                      done, regardless of the order of the list (Sevcik 1989, "Characterizations of parallelism in
//                      applications and their use in scheduling"). Each task has its share of q h, and P is at most
//                      q. With D the length of the critical path, max(W / P, D) <= T <= W / P + (1 - 1 / P) D. The
//                      limits are exact: T is W for one worker and D for many
//   manager            every list takes at least q s
//   memory             if cores share memory bandwidth, all of them are assumed to compute: their work is multiplied by
//                      slowing_of (patch.hpp)
//   task of a node     C is the time of its blocks and lists. R and W are the times of reading and writing, over the
//                      node's channel or its share of the servers while n nodes transfer. If records are in the memory
//                      of nodes, (1 - 1 / n) of both are transferred, and each channel carries R + W
//   list on n nodes    ceil(N / n) periods and a rest. Without tasks ahead, a period is the longer of R + C and W, and
//                      the rest is W. With tasks ahead, a period is the longest of C, R, W and, if a channel is
//                      shared, R + W; the rest is the first R and the last W (Woodward and Anderson, "Portable
//                      Petaflop/s Programming"). With conditions, at least the T of tasks that take one period each
//
// If a list has at most 100,000 places, sums are over all tasks. Otherwise they are estimated from 1,000 tasks of each
// kind, and there is no parallelism profile: the turns of the list follow each other as with barriers, and conditions
// between tasks for nodes are ignored.
#pragma once

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

struct TaskListTime {
    WideTime total;
    WideTime compute;                 // the sum of C over all periods, and the time of requests
    bool without_conditions = false;  // true if a list has too many places for its conditions
    /// Returns the transfer time that computing does not hide.
    WideTime data() const { return total - compute; }
};

/// Predicts a program with lists. Throws BadInput if a formula fails, std::overflow_error beyond kHorizon.
TaskListTime task_list_time(const program::Program& program, const machine::Machine& machine);

}  // namespace warpfront::analytic
