// Task lists by SimGrid, where it is settled who does what: shares are fixed, or a list has one worker. It checks
// simulator/tasks by code that shares nothing with it but the numbers of a list and the law of noise: lists are written
// out task by task (expanded_tasks.hpp), workers are SimGrid's actors (simgrid/task_actors.hpp), channels its links or
// disks.
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
// picosecond; SimGrid between two, and there begins what follows without a latency. So each such transfer moves what
// follows by up to half a picosecond. Where transfers share a channel both engines share it max-min fairly, but what
// begins or ends later changes the rates of others, and along a chain of transfers a difference may double every few of
// them (README.md). The event engine by itself answers likewise to a picosecond more of latency.
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

/// Tasks wait for one another, or read what nothing has written; what() names them.
class TasksStuck : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws BadInput at `range` where workers share a list as they are free (tasks_unknown), where the run is too large
/// or workers come and go (reference_limits); TasksStuck; std::overflow_error beyond the horizon or where a
/// cost exceeds its limit; std::runtime_error if SimGrid fails.
record::Record run_tasks(const program::Program& program, const machine::Machine& machine,
                         const input::SourceRange& range, const variation::Noise& noise = {}, Seed seed = {},
                         const variation::Availability& availability = {});

}  // namespace warpfront::reference
