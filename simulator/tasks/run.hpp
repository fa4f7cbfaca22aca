// A run of task lists on a machine: the time of every task, and the waits of cores.
//
//   worker    a node or a core. It takes the first task of its list that may begin; of workers that request at one
//             time, the one with the lowest number is first. A worker holds the task that it computes and at most
//             `ahead` more; it takes the next one when the records of the previous one have arrived. A node holds at
//             most as many tasks as it has buffers, including tasks whose records are being written back
//   request   each chunk needs one request. The manager of the list serves one request after another, each for the time
//             `service`. Then the worker needs the time `overhead`
//   task      its records are read. Then it computes blocks, one after another, and lists for the cores of its node,
//             each until all its tasks are done. Then its records are written, while the worker continues. The task is
//             done, and its records are available to others, when the last record has been written
//   absence   a core that leaves first completes the tasks that it has taken. A lost node loses its tasks, including
//             those whose records are not all written. The next workers that request take these tasks before all
//             others. So every task is done once, and its records are written once, whichever node was lost
//   ties      at one time, first steps end, by worker; then tasks are taken, in lists within tasks before the enclosing
//             lists
//
// Compute blocks vary in the same way as those of ranks (variation/noise.hpp), with a stream for each core and task.
// The simulation uses one thread, so nothing depends on the number of threads.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/random.hpp"
#include "simulator/variation/availability.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::tasks {

/// The progress of a run: the places of its outermost lists.
struct Progress {
    Time simulated;
    std::int64_t done = 0;
    std::int64_t places = 0;
};

struct Options {
    variation::Noise noise{};
    Seed seed{};
    variation::Availability availability{};
    std::function<void(const Progress&)> poll{};       // called every few thousand events; if it throws, the run ends
    bool path = false;                                 // requests TaskUse::path
    std::optional<record::TimelineWindow> timeline{};  // requests the timeline of these cores: computing or waiting
};

/// An exception for tasks that wait for one another, or read records that no task has written; what() names them, with
/// their places in the model.
class Stuck : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Runs the lists. The cores of the machine are those with ranks: each rank is a core. Throws Stuck, std::length_error
/// for lists of more than 10^15 places, std::overflow_error beyond kHorizon, and BadInput if a formula fails.
record::Record run(const program::Program& program, const machine::Machine& machine, const Options& options);

}  // namespace warpfront::tasks
