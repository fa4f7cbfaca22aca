// Task lists run by SimGrid, if the assignment of tasks to workers is fixed: by shares, or because a list has one
// worker. It checks simulator/tasks with code that shares only the numbers of a list and the law of noise with it:
// lists are written out task by task (expanded_tasks.hpp), workers are SimGrid's actors (simgrid/task_actors.hpp),
// channels its links or disks.
//
// Equal to the event engine (simulator/tasks/run.hpp)
//   worker      an actor that requests tasks and reads their records, and one that computes them
//   computing   Execs of a flop per picosecond on the cores of hosts; noise as in the event engine
//   conditions  waited for place by place
//   records     after the latency, Comms between the hosts of node and server, over a link for each of their channels;
//               Ios of the server's disk where nodes limit nothing
//   manager     requests one after another, those of one moment by worker; then the overhead
//   results     all of record::TaskUse, by accounting of its own
//
// Equality. Every time is the event engine's to the picosecond, up to 450 s (reference.hpp), without transfers that
// share a channel, if they end at whole picoseconds or have a latency. The event engine ends a transfer at the nearest
// picosecond; SimGrid ends it between two picoseconds, and events without a latency follow there. So each such transfer
// shifts the events after it by up to half a picosecond. If transfers share a channel, both engines share it max-min
// fairly. But a later start or end changes the rates of other transfers, and along a chain of transfers a difference
// may double every few of them (README.md). The event engine alone reacts in the same way to one more picosecond of
// latency.
#pragma once

#include <stdexcept>

#include "simulator/input/source.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/random.hpp"
#include "simulator/variation/availability.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::reference {

/// An exception for tasks that wait for one another, or read records that no task has written; what() names them.
class TasksStuck : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Runs the lists. Throws BadInput at `range` if free workers compete for the tasks of a list (tasks_unknown), if the
/// run is too large or workers join and leave (reference_limits); TasksStuck; std::overflow_error beyond the horizon or
/// if a cost exceeds its limit; std::runtime_error if SimGrid fails.
record::Record run_tasks(const program::Program& program, const machine::Machine& machine,
                         const input::SourceRange& range, const variation::Noise& noise = {}, Seed seed = {},
                         const variation::Availability& availability = {});

}  // namespace warpfront::reference
