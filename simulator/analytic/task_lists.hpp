// Lists of self-scheduled tasks by their closed form: what they take where nobody waits for a condition other than a
// barrier, and transfers overlap computing as far as the list lets them.
//
//   requests           q of a list, by its rule; each takes the worker h, the manager one after another s
//   list on P cores    by turns, where tasks wait for others of the list, else as one: the later of q s and
//                      tasks alike, c at a time: ceil(q / P) (c t + h); by another rule ceil(N / P) t + ceil(q / P) h
//                      unequal tasks: W / P + (1 - 1 / P) t_max + ceil(q / P) h       (Graham 1969, the upper bound)
//   memory             where cores share its bandwidth, all of them compute: work times slowing_of (patch.hpp)
//   task of a node     C: its blocks and lists; R, W: reading and writing, over the node's channel or its share of the
//                      servers, n nodes at a time
//                      in the memory of the nodes (1 - 1 / n) of both, and each channel has R + W
//   list on n nodes    ceil(N / n) periods and what remains: without tasks ahead a period is the later of R + C and W,
//                      then W remains; with them the latest of C, R, W and, where a channel is shared, R + W; then the
//                      first R and the last W remain   (Woodward and Anderson, "Portable Petaflop/s Programming")
//
// N tasks of mean time t: of all where a list has 100,000 places or fewer, else of 1,000 of each kind.
#pragma once

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

struct TaskListTime {
    WideTime total;
    WideTime compute;                                  // C of the periods, requests included
    WideTime data() const { return total - compute; }  // transfers that computing does not hide
};

/// The program has lists. Throws BadInput where a formula fails, std::overflow_error beyond kHorizon.
TaskListTime task_list_time(const program::Program& program, const machine::Machine& machine);

}  // namespace warpfront::analytic
